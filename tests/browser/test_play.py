"""A player at a table that runs automatically: chips, bets, the throw, what it brought, and the rounds before."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.houses import House
from tests.browser.live_house import end_betting, open_automatic_tables, reopen_betting, wait_for_betting
from tests.browser.people import ApiUser, signed_in
from tests.browser.test_lobby import fits

pytestmark = pytest.mark.own_house

Picture = Callable[[Page, str], None]


@pytest.fixture(scope="module")
def tables(demo_address: str) -> list[str]:
    """Open one table for each test."""
    return open_automatic_tables(demo_address, 8)


@pytest.fixture
def table(tables: list[str]) -> str:
    """Return an unused table, so that no test waits for the round of another."""
    return tables.pop()


def sit_down(visit: Visit, name: str, table: str, **window: object) -> Page:
    page = signed_in(visit, name, f"/tables/{table}", **window)
    expect(page.locator(".rail")).to_be_visible()
    return page


def area(page: Page, name: str) -> Locator:
    return page.locator(f'.table-main > .layout [data-wager][aria-label^="{name}, "]')


def test_a_player_bets_by_mouse_and_keyboard_and_is_paid(
    visit: Visit, own_house: House, table: str, ann: ApiUser, picture: Picture
) -> None:
    page = sit_down(visit, "demo-ann", table)
    wait_for_betting(page)
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url) if request.url.endswith("/bets") else None)
    balance, staked = page.locator(".rail-balance"), page.locator(".rail-staked")
    expect(balance).to_have_text("◇1,000.00")

    page.keyboard.press("2")
    expect(page.locator(".rail-chip[aria-pressed=true]")).to_have_attribute("aria-keyshortcuts", "2")
    area(page, "Big").dblclick()
    area(page, "Small").click()
    expect(staked).to_have_text("◇15.00")
    expect(balance).to_have_text("◇985.00")
    expect(page.locator(".countdown")).to_be_visible()
    assert len(requested) < 3, "clicks within a moment are one request"

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

    end_betting(own_house, page)
    expect(page.locator(".layout-lit")).to_be_visible()
    expect(page.locator(".result")).to_be_visible()
    assert violations(page) == []
    picture(page, "play-lit-1440")
    rounds = ann.client.get(f"/api/v1/tables/{table}/rounds").json()["rounds"]
    settled = ann.client.get(f"/api/v1/tables/{table}/rounds/{rounds[0]['number']}").json()
    own = [line for line in settled["lines"] if line.get("player") == "demo-ann"]
    assert {line["stake"] for line in own} == {2_000, 1_000, 200}
    expect(balance).to_have_text(f"◇{(100_000 + sum(line['net'] for line in own)) / 100:,.2f}")
    expect(staked).to_have_text("◇0.00")
    expect(page.locator(".strip-round").first).to_contain_text(str(sum(rounds[0]["dice"])))

    reopen_betting(own_house, page)
    page.get_by_role("button", name="Repeat").click()
    expect(staked).to_have_text("◇32.00")
    page.get_by_role("button", name="Clear").click()
    expect(staked).to_have_text("◇0.00")


@pytest.mark.thorough
def test_a_refused_stake_comes_back_with_the_reason_and_the_others_stay(
    visit: Visit, table: str, picture: Picture
) -> None:
    page = sit_down(visit, "demo-ben", table)
    wait_for_betting(page)
    staked = page.locator(".rail-staked")
    area(page, "Odd").click()
    page.keyboard.press("5")
    area(page, "Even").click()
    page.keyboard.press("1")
    area(page, "Even").click()
    refusal = page.locator(".refused-stake")
    expect(refusal).to_contain_text("The maximum here is ◇500.")
    expect(staked).to_have_text("◇501.00")
    expect(page.locator(".rail-balance")).to_have_text("◇499.00")
    assert violations(page) == []
    picture(page, "play-refused-1440")


@pytest.mark.thorough
def test_play_money_is_filled_up_again(visit: Visit, table: str, chen: ApiUser) -> None:
    assert chen.command("player", {"type": "CashOut", "amount": 40_000}, table).status_code == 200
    page = sit_down(visit, "demo-chen", table)
    expect(page.locator(".rail-balance")).to_have_text("◇600.00")
    page.get_by_role("button", name="free").click()
    expect(page.locator(".rail-balance")).to_have_text("◇1,000.00")
    expect(page.get_by_role("button", name="free")).to_have_count(0)


@pytest.mark.thorough
@pytest.mark.parametrize(("language", "look"), [("en", "felt"), ("zh", "paper")])
def test_the_table_is_played_on_a_phone(
    visit: Visit, own_house: House, table: str, picture: Picture, language: str, look: str
) -> None:
    page = sit_down(visit, "demo-chen", table, width=360, height=740, language=language, look=look)
    wait_for_betting(page)
    areas = page.locator(".table-main > .layout [data-wager]")
    areas.nth(0).tap()
    areas.nth(9).tap()
    expect(page.locator(".rail-staked")).to_have_text("◇2.00")
    assert fits(page)
    picture(page, f"play-phone-{language}")
    end_betting(own_house, page)
    expect(page.locator(".layout-lit")).to_be_visible()
    assert violations(page) == []
    picture(page, f"play-phone-lit-{language}")
    page.locator(".strip-round").first.click()
    expect(page.locator(".recall-dice")).to_be_visible()
    expect(page.locator(".recall .area-lit").first).to_be_attached()
    assert fits(page)
    page.keyboard.press("Escape")
    expect(page.locator(".recall-dice")).to_have_count(0)


def test_a_late_bet_is_refused_and_a_past_round_is_shown_again(
    visit: Visit, own_house: House, table: str, picture: Picture
) -> None:
    page = sit_down(visit, "demo-ann", table)
    wait_for_betting(page)
    area(page, "Big").click()
    end_betting(own_house, page)
    expect(page.locator(".result")).to_be_visible()
    area(page, "Small").click()
    expect(page.locator(".refused-stake")).to_contain_text("Betting isn't open.")
    expect(page.locator(".rail-staked")).to_have_text("◇0.00")
    page.locator(".strip-round").first.click()
    expect(page.locator(".recall-lines tr")).to_have_count(1)
    expect(page.locator(".recall-lines")).to_contain_text(re.compile(r"[+−]◇1\.00"))
    assert violations(page) == []
    picture(page, "play-recall-1440")


ORDER = """() => {
  window.order = [];
  const look = () => {
    for (const one of ["tumble", "own-chip-swept", "paid-chip", "result"]) {
      if (document.querySelector("." + one) && !window.order.includes(one)) window.order.push(one);
    }
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, attributes: true });
}"""
"""Remembers in which order things came to be seen."""


@pytest.mark.thorough
def test_the_dice_tumble_and_losers_are_swept_before_winners_are_paid(
    visit: Visit, own_house: House, table: str
) -> None:
    page = sit_down(visit, "demo-ben", table, still=False)
    wait_for_betting(page)
    area(page, "Big").click()
    area(page, "Small").click()
    page.evaluate(ORDER)
    end_betting(own_house, page)
    expect(page.locator(".announcement-closed")).to_have_text("No more bets")
    expect(page.locator(".result")).to_be_visible()
    expect(page.locator(".own-chip-swept")).to_have_count(0)
    order = page.evaluate("window.order")
    assert order[:2] == ["tumble", "own-chip-swept"]
    assert set(order[2:]) <= {"paid-chip", "result"}  # a triple pays neither


@pytest.mark.thorough
def test_a_side_bet_tells_what_is_to_come_and_its_chance(visit: Visit, picture: Picture) -> None:
    page = sit_down(visit, "demo-ann", "dice-ology")
    expect(page.locator(".announcement-open")).to_be_visible()
    page.locator(".table-main > .layout [data-wager]").first.click()
    expect(page.locator(".own-bet-running")).to_contain_text("%")
    assert violations(page) == []
    picture(page, "play-side-bets-1440")
