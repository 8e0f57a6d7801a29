"""One's own account: chips, statement, limits, exclusion, password, sessions, tokens, language."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from pitbook.server.demo import PASSWORD
from tests import loopback
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.people import ApiUser, signed_in
from tests.browser.test_lobby import fits

pytestmark = pytest.mark.own_house

Picture = Callable[[Page, str], None]


def card(page: Page, title: str) -> Locator:
    return page.get_by_role("region", name=title, exact=True)


def wait_for_all(page: Page) -> None:
    """Wait until every part of the page is there: one that arrives moves what lies below it, and a click misses."""
    expect(page.locator(".own-list li").first).to_be_visible()
    expect(page.locator(".waiting")).to_have_count(0)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("width", "language", "look"), [(1440, "en", "paper"), (360, "zh", "paper"), (360, "en", "felt")]
)
def test_a_players_account_has_nothing_wrong(
    visit: Visit, demo_address: str, picture: Picture, width: int, language: str, look: str
) -> None:
    ann = ApiUser(demo_address, "demo-ann")
    ann.client.post("/api/v1/tables/singapore/commands", json={"command": {"type": "BuyIn", "amount": 50_000}})
    ann.bets("small", 500)
    ann.client.close()
    page = signed_in(visit, "demo-ann", "/me", width=width, language=language, look=look)
    wait_for_all(page)
    expect(page.locator(".own-balances li")).not_to_have_count(0)
    expect(page.locator(".figures tbody tr").first).to_be_visible()
    assert fits(page)
    assert violations(page) == []
    picture(page, f"own-player-{look}-{width}-{language}")


@pytest.mark.thorough
def test_a_dealer_sees_no_limits_of_players_but_their_roles_in_words(
    visit: Visit, demo_address: str, picture: Picture
) -> None:
    page = signed_in(visit, "demo-dealer", "/me")
    wait_for_all(page)
    roles = page.get_by_role("list", name="Your roles")
    expect(roles.get_by_text("Table 1 · Sic Bo (MA)")).to_be_visible()
    expect(roles.locator("strong").first).to_have_text("Dealer")
    for title in ("Your chips", "Statement", "Your limits", "Self-exclusion"):
        expect(card(page, title)).to_have_count(0)
    picture(page, "own-dealer")


def test_a_visitor_is_led_to_the_sign_in_and_back(visit: Visit) -> None:
    page = visit("/me")
    page.get_by_role("main").get_by_role("link", name="Sign in").click()
    page.get_by_label("Name", exact=True).fill("demo-ann")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Ann", level=1)).to_be_visible()


def test_a_tighter_limit_holds_at_once_and_a_looser_one_waits_and_can_be_taken_back(
    visit: Visit, picture: Picture
) -> None:
    page = signed_in(visit, "demo-chen", "/me")
    wait_for_all(page)
    limits = card(page, "Your limits")
    loss = limits.get_by_label("Maximum loss per day: Play money (SGD)")
    loss.fill("fifty")
    expect(limits.get_by_text("Enter a valid amount")).to_be_visible()
    expect(limits.get_by_role("button", name="Save limits")).to_be_disabled()
    loss.fill("50")
    limits.get_by_label("Maximum minutes of play per day").fill("60")
    limits.get_by_label("Maximum at stake at once: Play money (SGD)").fill("20")
    limits.get_by_role("button", name="Save limits").click()
    expect(limits.get_by_text("Current: ◇50.00.")).to_be_visible()
    expect(limits.get_by_text("Current: 60 minutes.")).to_be_visible()
    expect(limits.get_by_text("Current: ◇20.00.")).to_be_visible()
    loss.fill("90")
    expect(limits.get_by_text("it applies one day after you save it")).to_be_visible()
    limits.get_by_role("button", name="Save limits").click()
    expect(limits.get_by_text("◇50.00 → ◇90.00")).to_be_visible()
    expect(limits.get_by_text("Current: ◇50.00.")).to_be_visible()
    expect(loss).to_have_value("90.00")
    picture(page, "own-limits-waiting")
    page.reload()
    limits.get_by_role("button", name="Keep the current limits").click()
    expect(limits.get_by_text("◇50.00 → ◇90.00")).to_have_count(0)
    expect(loss).to_have_value("50.00")


def test_self_exclusion_is_confirmed_twice_and_then_takes_effect(
    visit: Visit, demo_address: str, picture: Picture
) -> None:
    page = signed_in(visit, "demo-ben", "/me")
    wait_for_all(page)
    part = card(page, "Self-exclusion")
    asks = part.get_by_role("button", name="Exclude myself…")
    asks.click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Continue")).to_be_disabled()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(asks).to_be_focused()
    asks.click()
    dialog.get_by_label("I understand that nobody can undo this.").check()
    picture(page, "own-exclusion-first")
    dialog.get_by_role("button", name="Continue").click()
    picture(page, "own-exclusion-last")
    dialog.get_by_role("button", name="Exclude me now").click()
    expect(part.get_by_text("You're excluded from play until")).to_be_visible()
    part.get_by_label("Duration").select_option(label="One day")
    asks.click()
    dialog.get_by_role("checkbox").check()
    dialog.get_by_role("button", name="Continue").click()
    dialog.get_by_role("button", name="Exclude me now").click()
    expect(dialog.get_by_role("alert").filter(has_text="Nobody can shorten that")).to_be_visible()
    ben = ApiUser(demo_address, "demo-ben")
    assert ben.bets("small", 500).json()["refusal"] == "excluded"
    ben.client.close()


def test_a_key_is_shown_once_works_and_is_revoked(visit: Visit, demo_address: str, picture: Picture) -> None:
    page = signed_in(visit, "demo-ann", "/me")
    wait_for_all(page)
    part = card(page, "API tokens")
    part.get_by_role("button", name="Create a token").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Manage the house")).to_have_count(0)
    dialog.get_by_label("Name").fill("road map printer")
    dialog.get_by_role("button", name="Create a token").click()
    key = dialog.get_by_label("Token").input_value()
    picture(page, "own-key-once")
    program = loopback.get(f"{demo_address}/api/v1/me/balances", headers={"Authorization": f"Bearer {key}"})
    assert program.status_code == 200
    dialog.get_by_role("button", name="I've copied it").click()
    expect(dialog).to_have_count(0)
    assert key not in page.content()
    part.get_by_role("button", name="Revoke: road map printer").click()
    dialog.get_by_role("button", name="Revoke").click()
    expect(part.get_by_text("1 inactive token")).to_be_visible()
    after = loopback.get(f"{demo_address}/api/v1/me/balances", headers={"Authorization": f"Bearer {key}"})
    assert after.status_code == 401


def test_sessions_are_ended_one_by_one_and_by_a_new_password(visit: Visit, demo_address: str) -> None:
    page = signed_in(visit, "demo-auditor", "/me")
    wait_for_all(page)
    part = card(page, "Where you are signed in")
    expect(part.get_by_text("This device")).to_be_visible()
    others = [ApiUser(demo_address, "demo-auditor", fresh=True) for _ in range(3)]
    page.reload()
    ends = part.get_by_role("button", name="Sign out: python-httpx")
    expect(ends).to_have_count(3)
    ends.first.click()
    expect(ends).to_have_count(2)
    part.get_by_role("button", name="Sign out all other devices").click()
    expect(ends).to_have_count(0)
    last = ApiUser(demo_address, "demo-auditor", fresh=True)
    change = card(page, "Password")
    change.get_by_label("Current password").fill("not this one")
    change.get_by_label("New password", exact=True).fill("nine green dice on felt")
    change.get_by_label("Repeat new password").fill("nine green dice")
    expect(change.get_by_text("The passwords don't match.")).to_be_visible()
    change.get_by_label("Repeat new password").fill("nine green dice on felt")
    change.get_by_role("button", name="Change password").click()
    expect(change.get_by_role("alert").filter(has_text="This is not your password")).to_be_visible()
    change.get_by_label("Current password").fill(PASSWORD)
    change.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("Password changed")).to_be_visible()
    assert last.client.get("/api/v1/me").status_code == 401
    for one in (*others, last):
        one.client.close()


def test_a_language_is_stored_in_the_account(visit: Visit, demo_address: str) -> None:
    page = signed_in(visit, "demo-manager", "/me")
    wait_for_all(page)
    page.get_by_label("Language (saved").select_option(label="繁體中文")
    expect(page.get_by_text("我的帳戶").first).to_be_visible()
    elsewhere = signed_in(visit, "demo-manager", "/me")
    expect(elsewhere.get_by_text("我的帳戶").first).to_be_visible()
    elsewhere.get_by_label("頁面語言").select_option(label="依瀏覽器設定")
    expect(elsewhere.get_by_text("Your account").first).to_be_visible()


def test_a_statement_follows_its_days_and_downloads_whole(visit: Visit, demo_address: str) -> None:
    ann = ApiUser(demo_address, "demo-ann")
    ann.bets("big", 700)
    ann.client.close()
    page = signed_in(visit, "demo-ann", "/me")
    part = card(page, "Statement")
    expect(part.get_by_role("cell", name="Big").first).to_be_visible()
    with page.expect_download() as loading:
        part.get_by_role("link", name="Download statement").click()
    assert "massachusetts" in loading.value.path().read_text()
    part.get_by_label("To").fill("2020-01-02")
    expect(part.get_by_role("alert")).to_be_visible()
    part.get_by_label("From").fill("2020-01-01")
    expect(part.get_by_text("No activity")).to_be_visible()
