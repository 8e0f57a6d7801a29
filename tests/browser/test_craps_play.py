"""The base game of craps in a browser: odds, calls and take-downs by one tap, bets that travel, and the console."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.floors import Floor
from tests.browser.test_layout import SMALL, covered
from tests.browser.test_lobby import fits
from tests.browser.windows import resize

pytestmark = pytest.mark.own_house

Picture = Callable[[Page, str], None]
TABLE = "dice-works"
"""Where the demo house has a crew for craps."""


class Crew:
    """The staff of a craps table that deals the base game."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        book = floor.who("demo-manager").client.get("/api/v1/books/craps").json()
        setup = {
            "book": "craps",
            "digest": book["digest"],
            "readings": {},
            "options": {},
            "paytables": {},
        }
        floor.reopen(TABLE, **setup, limits={}, automatic=None)
        floor.check_all(TABLE, "demo-box-person", "box-person")
        for player in ("demo-ann", "demo-ben"):
            self.does("box-person", type="BuyIn", amount=50_000, player=player)
        self.does("box-person", type="NewShooter", shooter="demo-ann")

    def does(self, role: str, **command: Any) -> None:
        self.floor.command(f"demo-{role}", role, TABLE, **command)

    def rolls(self, *dice: int) -> None:
        """Roll and take all steps until the next roll."""
        if not self.view()["has_shooter"]:
            self.does("box-person", type="NewShooter", shooter="demo-ann")
        self.does("stick-person", type="TakeStep", step="roll", dice=dice)
        while self.view()["dice"]:
            self.does("base-dealer", type="TakeStep", step=self.view()["due"])

    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = self.floor.page(TABLE, "demo-manager")["view"]
        return found

    def own(self, player: str = "demo-ann") -> dict[str, int]:
        return self.floor.bets_of(TABLE, player)


@pytest.fixture(scope="module")
def crew(floor: Floor) -> Crew:
    return Crew(floor)


def area(page: Page, wager: str) -> Locator:
    return page.locator(f'.table-main > .layout [data-wager="{wager}"]')


def bets(page: Page) -> Locator:
    return page.locator(".hand-bets li")


def test_odds_are_taken_at_the_maximum_by_one_tap_and_a_come_bet_travels(
    visit: Visit, crew: Crew, picture: Picture
) -> None:
    page = visit(f"/tables/{TABLE}", name="demo-ann")
    page.get_by_role("button", name="US$5", exact=False).first.click()
    area(page, "pass-line").click()
    expect(bets(page)).to_have_count(1)
    crew.rolls(4, 2)
    expect(page.locator(".felt-box-on > text")).to_have_text("SIX")
    page.get_by_role("button", name="Odds on Pass line: add US$25", exact=True).click()
    expect(bets(page)).to_have_count(2)
    assert crew.own() == {"pass-line": 500, "pass-line-odds": 2500}
    expect(page.get_by_role("button", name=re.compile("^Odds on Pass line"))).to_have_count(0)
    area(page, "come").click()
    expect(bets(page)).to_have_count(3)
    roll = page.get_by_role("button", name="Roll 6: +US$35")
    expect(roll).to_be_visible()
    page.get_by_role("button", name=re.compile("^Roll 5:")).click()
    expect(page.locator(".outlook-bets")).to_contain_text("Come moves to 5")
    crew.rolls(3, 2)
    expect(bets(page).filter(has_text="Come 5")).to_be_visible()
    expect(area(page, "come-odds/5")).to_have_attribute("aria-label", re.compile(r"your stake US\$5"))
    expect(page.locator(".flat-chip")).to_have_count(1)
    expect(page.get_by_role("button", name="Roll 10: US$0")).to_be_visible()
    assert violations(page) == []
    assert fits(page)
    picture(page, "craps-play-1440")
    small = visit(f"/tables/{TABLE}", name="demo-ann", width=390, height=844)
    expect(small.locator(".flat-chip")).to_have_count(1)
    assert small.evaluate(SMALL) == 0
    assert fits(small)
    picture(small, "craps-play-390")
    middle = visit(f"/tables/{TABLE}", name="demo-ann", width=1024, height=768, language="zh")
    expect(middle.locator(".flat-chip")).to_have_count(1)
    assert fits(middle)
    picture(middle, "craps-play-1024-zh")


def test_a_come_bet_that_has_travelled_wins_in_the_box_of_its_number(
    visit: Visit, crew: Crew, picture: Picture
) -> None:
    if crew.view()["point"] is None:
        crew.rolls(4, 2)
    crew.floor.bet(TABLE, "demo-ben", come=1000)
    crew.rolls(6, 3)
    page = visit(f"/tables/{TABLE}", name="demo-ben")
    expect(area(page, "come-odds/9")).to_have_attribute("aria-label", re.compile(r"your stake US\$10"))
    expect(page.locator(".rail-staked")).to_have_text("US$10.00")
    crew.does("stick-person", type="TakeStep", step="roll", dice=(5, 4))
    lit = page.locator(".table-main > .layout .area-lit [data-wager]")
    expect(area(page, "come-odds/9")).to_have_attribute("aria-label", re.compile("lit"))
    assert "come" not in lit.evaluate_all("all => all.map(one => one.dataset.wager)")
    picture(page, "craps-come-lit")
    expect(page.locator(".flat-chip")).to_have_count(1)
    while crew.view()["dice"]:
        crew.does("base-dealer", type="TakeStep", step=crew.view()["due"])
    expect(page.locator(".flat-chip")).to_have_count(0)


def test_a_place_bet_is_called_off_and_on_and_comes_down_by_one_tap(visit: Visit, crew: Crew) -> None:
    page = visit(f"/tables/{TABLE}", name="demo-ben")
    area(page, "place/8").click()
    mine = bets(page).filter(has_text="Place 8")
    working = mine.get_by_role("button", name="Place 8 is working")
    expect(working).to_have_text("ON" if crew.view()["point"] else "OFF")
    if crew.view()["point"] is None:
        crew.rolls(4, 2)
    expect(working).to_have_text("ON")
    working.click()
    expect(working).to_have_text("OFF")
    expect(area(page, "place/8")).to_have_attribute("aria-label", re.compile("OFF"))
    working.click()
    expect(working).to_have_text("ON")
    mine.get_by_role("button", name="Remove bet on Place 8").click()
    expect(mine).to_have_count(0)
    assert crew.own("demo-ben") == {}


@pytest.mark.thorough
def test_chips_cover_no_name_number_or_odds_of_the_felt(visit: Visit, crew: Crew) -> None:
    if crew.view()["point"] is None:
        crew.rolls(4, 2)
    own = ("place/4", "place/8", "lay/5", "field", "big/6", "hard/8", "horn", "world", "any-seven", "come", "hop/1-2")
    for player in ("demo-ann", "demo-ben"):
        crew.floor.bet(TABLE, player, **dict.fromkeys(own, 1200))
    page = visit(f"/tables/{TABLE}", name="demo-ann")
    for width, height in ((1440, 900), (1024, 768), (390, 844), (360, 740)):
        resize(page, width, height)
        tabs = page.locator(".layout").get_by_role("tab")
        expect(tabs).to_have_count(3 if width < 700 else 0)
        for place in range(max(1, tabs.count())):
            if tabs.count():
                tabs.nth(place).click()
                expect(tabs.nth(place)).to_have_attribute("aria-selected", "true")
            expect(page.locator(".layout .own-chip").first).to_be_visible()
            expect(page.locator(".layout .others").first).to_be_visible()
            assert covered(page) == [], width


@pytest.mark.thorough
def test_the_console_says_what_to_do_after_a_roll(visit: Visit, crew: Crew, picture: Picture) -> None:
    if crew.view()["point"] is None:
        crew.rolls(4, 2)
    crew.floor.bet(TABLE, "demo-ben", come=1000)
    page = visit(f"/tables/{TABLE}/dealer", name="demo-stick-person")
    expect(page.locator(".due:not(.due-fresh)")).to_be_visible()
    page.keyboard.type("54")
    page.keyboard.press("Enter")
    orders = page.locator(".roll-orders")
    expect(orders).to_contain_text("Move the Come bet of Ben to 9")
    expect(orders.locator(".stick-call")).to_have_text("9")
    assert violations(page) == []
    picture(page, "craps-console-1440")
