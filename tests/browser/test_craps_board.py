"""The display board of a craps table with side bets on the same hand: puck, shooter, rolls, and the bets that won."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.floors import Floor

pytestmark = pytest.mark.own_house

Picture = Callable[[Page, str], None]
TABLE = "craps"


class Crew:
    """The staff of the demo house's craps table, who take one step after the other."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor

    def does(self, role: str, **command: Any) -> None:
        self.floor.command(f"demo-{role}", role, TABLE, **command)

    def rolls(self, *dice: int) -> None:
        """Roll, up to the lit winners, before anything is collected or paid."""
        self.does("stick-person", type="TakeStep", step="roll", dice=dice)

    def finishes(self) -> None:
        """Take all steps after a roll."""
        while self.view()["dice"]:
            self.does("base-dealer", type="TakeStep", step=self.view()["due"])

    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = self.floor.page(TABLE, "demo-manager")["view"]
        return found


@pytest.fixture(scope="module")
def crew(floor: Floor) -> Crew:
    return Crew(floor)


def lit(page: Page) -> Locator:
    return page.locator("g.area-lit [data-wager]")


@pytest.mark.thorough
def test_the_board_of_a_craps_table_follows_the_hand(visit: Visit, crew: Crew, picture: Picture) -> None:
    page = visit(f"/tables/{TABLE}/board", width=1920, height=1080)
    chinese = visit(f"/tables/{TABLE}/board", width=1366, height=768, language="zh")
    expect(page.get_by_role("heading", level=1)).to_have_text("Table 6 · Craps + Dice Works")
    expect(chinese.get_by_role("heading", level=1)).to_have_text("6 號檯 · 花旗骰 + Dice Works")
    expect(page.get_by_text("Waiting for a shooter")).to_be_visible()
    expect(chinese.get_by_text("等候擲骰者")).to_be_visible()
    crew.does("box-person", type="NewShooter", shooter="demo-ann")
    expect(page.get_by_text("Waiting for a shooter")).to_have_count(0)
    expect(page.get_by_role("img", name="OFF: come-out roll")).to_be_visible()
    crew.floor.bet(TABLE, "demo-ann", **{"pass-line": 1000, "all-lows": 500})

    crew.rolls(4, 2)
    expect(page.locator(".board-total")).to_have_text("6")
    crew.finishes()
    expect(page.get_by_role("img", name="ON: the point is 6")).to_be_visible()
    expect(page.locator(".felt-box-on > text")).to_have_text("SIX")
    expect(page.locator(".roll strong")).to_have_text(["6"])
    expect(page.locator('[data-wager="all-lows"]')).to_be_visible()

    crew.floor.bet(TABLE, "demo-ann", **{"pass-line-odds": 2000, "field": 500})
    crew.rolls(3, 3)
    expect(page.locator('g.area-lit [data-wager="pass-line"]')).to_be_visible()
    expect(page.locator('g.area-lit [data-wager="pass-line-odds"]')).to_be_visible()
    expect(page.locator('g.area-lit [data-wager="field"]')).to_have_count(0)
    assert violations(page) == []
    picture(page, "craps-board-won")
    crew.finishes()
    expect(lit(page)).to_have_count(0)
    expect(page.get_by_role("img", name="OFF: come-out roll")).to_be_visible()
    expect(page.locator(".roll strong")).to_have_text(["6", "6"])

    crew.floor.bet(TABLE, "demo-ann", **{"pass-line": 1000})
    for dice in ((5, 5), (3, 4)):
        crew.rolls(*dice)
        crew.finishes()
    expect(page.locator(".hand-head")).to_contain_text("Last hand")
    expect(chinese.locator(".hand-head")).to_contain_text("上一手")
    expect(page.locator(".roll strong")).to_have_text(["6", "6", "10", "7"])
    expect(page.get_by_text("Waiting for a shooter")).to_be_visible()
    picture(page, "craps-board-seven-out")
    picture(chinese, "craps-board-seven-out-zh")
