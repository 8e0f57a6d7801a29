"""A player at a table that runs by itself: chips, bets, the throw, what it brought, and the rounds before."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from pitbook.server.demo import PASSWORD
from tests.browser.axe import violations
from tests.browser.conftest import UNHURRIED, Visit
from tests.browser.test_lobby import fits
from tests.server.conftest import Serving

Picture = Callable[[Page, str], None]
TABLE = "quick"


@pytest.fixture(scope="module")
def demo_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A house of its own, with a table where betting takes five seconds."""
    serving = Serving(tmp_path_factory.mktemp("play"), ["--port", "0", "--demo"], UNHURRIED)
    try:
        address = serving.address()
        with somebody(address, "demo-manager") as manager:
            setup = manager.get("/api/v1/tables/singapore").json()["rules"]["setup"]
            setup["automatic"] |= {"betting_seconds": 5, "rest_seconds": 4}
            body = {"command": {"type": "OpenTable", "setup": setup}, "role": "manager"}
            answer = manager.post(f"/api/v1/tables/{TABLE}/commands", json=body)
            assert answer.status_code == 200, answer.text
        yield address
    finally:
        serving.close()


@contextmanager
def somebody(address: str, name: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address) as client:
        me = client.post("/api/v1/sign-in", json={"name": name, "password": PASSWORD}).json()
        client.headers["X-CSRF-Token"] = me["csrf"]
        yield client


def sit_down(visit: Visit, name: str, *, table: str = TABLE, **window: object) -> Page:
    page = visit(f"/sign-in?to=/tables/{table}", **window)
    page.locator(".person").filter(has_text=name).first.click()
    expect(page.locator(".rail")).to_be_visible()
    return page


def area(page: Page, name: str) -> Locator:
    return page.locator(f'.table-page > .layout [data-wager][aria-label^="{name}, "]')


def bets_are_open(page: Page) -> None:
    """Open, and nobody has bet yet: there is all the time in the world."""
    expect(page.locator(".announcement-why")).to_be_visible(timeout=30_000)


def test_a_player_bets_by_mouse_and_keyboard_and_is_paid(visit: Visit, demo_address: str, picture: Picture) -> None:
    page = sit_down(visit, "Ann")
    bets_are_open(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/bets") else None)
    balance, staked = page.locator(".rail-balance"), page.locator(".rail-staked")
    expect(balance).to_have_text("◇1,000.00")

    page.keyboard.press("2")
    expect(page.locator(".rail-chip[aria-pressed=true]")).to_have_attribute("aria-keyshortcuts", "2")
    area(page, "Big").dblclick()
    area(page, "Small").click()
    expect(staked).to_have_text("◇15.00")
    expect(balance).to_have_text("◇985.00")
    expect(page.locator(".countdown")).to_be_visible()
    assert len(asked) < 3, "clicks within a moment are one request"

    area(page, "Small").focus()
    page.keyboard.press("1")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(staked).to_have_text("◇16.00")
    area(page, "Big").click(button="right")
    expect(staked).to_have_text("◇15.00")
    page.get_by_role("button", name="Undo").click()
    expect(staked).to_have_text("◇16.00")
    page.get_by_role("button", name="Double", exact=True).click()
    expect(staked).to_have_text("◇32.00")
    expect(page.locator(".own-bets li")).to_have_count(3)
    picture(page, "play-bets-1440")

    expect(page.locator(".layout-lit")).to_be_visible(timeout=15_000)
    expect(page.locator(".result")).to_be_visible()
    assert violations(page) == []
    picture(page, "play-lit-1440")
    with somebody(demo_address, "demo-ann") as ann:
        rounds = ann.get(f"/api/v1/tables/{TABLE}/rounds").json()["rounds"]
        settled = ann.get(f"/api/v1/tables/{TABLE}/rounds/{rounds[0]['number']}").json()
    own = [line for line in settled["lines"] if line.get("player") == "demo-ann"]
    assert {line["stake"] for line in own} == {2_000, 1_000, 200}
    expect(balance).to_have_text(f"◇{(100_000 + sum(line['net'] for line in own)) / 100:,.2f}")
    expect(staked).to_have_text("◇0.00")
    expect(page.locator(".strip-round").first).to_contain_text(str(sum(rounds[0]["dice"])))

    bets_are_open(page)
    page.get_by_role("button", name="Repeat").click()
    expect(staked).to_have_text("◇32.00")
    page.get_by_role("button", name="Clear").click()
    expect(staked).to_have_text("◇0.00")


def test_a_refused_stake_comes_back_with_the_reason_and_the_others_stay(visit: Visit, picture: Picture) -> None:
    page = sit_down(visit, "Ben")
    bets_are_open(page)
    staked = page.locator(".rail-staked")
    area(page, "Odd").click()
    page.keyboard.press("5")
    area(page, "Even").click()
    page.keyboard.press("1")
    area(page, "Even").click()
    refusal = page.locator(".toast-bad")
    expect(refusal).to_contain_text("over the maximum")
    # As quick clicks go in one request or in two: what was refused is back, what was not stays.
    expect(staked).to_have_text(re.compile(r"^◇(1|501)\.00$"))
    expect(page.locator(".rail-balance")).to_have_text(re.compile(r"^◇(999|499)\.00$"))
    assert violations(page) == []
    picture(page, "play-refused-1440")


def test_play_money_is_filled_up_again(visit: Visit, demo_address: str) -> None:
    with somebody(demo_address, "demo-chen") as chen:
        body = {"command": {"type": "CashOut", "amount": 40_000}, "role": "player"}
        assert chen.post(f"/api/v1/tables/{TABLE}/commands", json=body).status_code == 200
    page = sit_down(visit, "Chen")
    expect(page.locator(".rail-balance")).to_have_text("◇600.00")
    page.get_by_role("button", name="Play money").click()
    expect(page.locator(".rail-balance")).to_have_text("◇1,000.00")
    expect(page.get_by_role("button", name="Play money")).to_have_count(0)


@pytest.mark.parametrize(("language", "look"), [("en", "felt"), ("zh", "paper")])
def test_the_table_is_played_on_a_phone(visit: Visit, picture: Picture, language: str, look: str) -> None:
    page = sit_down(visit, "Chen", width=360, height=740, language=language, look=look)
    bets_are_open(page)
    areas = page.locator(".table-page > .layout [data-wager]")
    areas.nth(0).tap()
    areas.nth(9).tap()
    expect(page.locator(".rail-staked")).to_have_text("◇2.00")
    assert fits(page)
    picture(page, f"play-phone-{language}")
    expect(page.locator(".layout-lit")).to_be_visible(timeout=15_000)
    assert violations(page) == []
    picture(page, f"play-phone-lit-{language}")
    page.locator(".strip-round").first.click()
    expect(page.locator(".recall-dice")).to_be_visible()
    expect(page.locator(".recall .area-lit").first).to_be_attached()
    assert fits(page)
    page.keyboard.press("Escape")
    expect(page.locator(".recall-dice")).to_have_count(0)


def test_a_late_bet_is_refused_and_a_past_round_is_shown_again(visit: Visit, picture: Picture) -> None:
    page = sit_down(visit, "Ann")
    bets_are_open(page)
    area(page, "Big").click()
    expect(page.locator(".result")).to_be_visible(timeout=15_000)
    area(page, "Small").click()
    expect(page.locator(".toast-bad .clause")).to_be_visible()
    expect(page.locator(".rail-staked")).to_have_text("◇0.00")
    page.locator(".strip-round").first.click()
    expect(page.locator(".recall-lines tr")).to_have_count(1)
    expect(page.locator(".recall-lines")).to_contain_text(re.compile(r"[+−]◇1\.00"))
    assert violations(page) == []
    picture(page, "play-recall-1440")


def test_the_dice_tumble_and_losers_are_swept_before_winners_are_paid(visit: Visit) -> None:
    page = sit_down(visit, "Ben", still=False)
    bets_are_open(page)
    area(page, "Big").click()
    area(page, "Small").click()
    expect(page.locator(".tumble").first).to_be_visible(timeout=15_000)
    expect(page.locator(".announcement-closed")).to_have_text("No more bets")
    expect(page.locator(".own-chip-swept").first).to_be_attached()
    expect(page.locator(".paid-chip")).to_have_count(0)
    expect(page.locator(".result")).to_be_visible()
    expect(page.locator(".own-chip-swept")).to_have_count(0)


def test_a_side_bet_tells_what_is_to_come_and_its_chance(visit: Visit, picture: Picture) -> None:
    page = sit_down(visit, "Ann", table="dice-ology")
    expect(page.locator(".announcement-open")).to_be_visible(timeout=30_000)
    page.locator(".table-page > .layout [data-wager]").first.click()
    expect(page.locator(".own-bet-running")).to_contain_text("%")
    assert violations(page) == []
    picture(page, "play-side-bets-1440")
