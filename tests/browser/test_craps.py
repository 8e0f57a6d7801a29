"""A craps table with dealers, seen by the shooter: puck, rolls, lammers, chances, tips, and a power failure."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.people import People, signed_in
from tests.browser.test_lobby import fits

pytestmark = pytest.mark.own_house

Picture = Callable[[Page, str], None]
TABLE = "dice-ology"


@pytest.fixture(scope="module")
def crew(people: People) -> Crew:
    """People run the table that otherwise runs automatically."""
    crew = Crew(people)
    setup = crew.table()["rules"]["setup"] | {"automatic": None}
    crew.does("manager", {"type": "CloseTable"})
    crew.does("manager", {"type": "OpenTable", "setup": setup})
    for thing in crew.table()["staff"]["equipment"]["to_check"]:
        points = [True] * len(thing["requires"])
        crew.does("floorperson", {"type": "CheckEquipment", "equipment": thing["id"], "points": points})
    crew.does("box-person", {"type": "BuyIn", "amount": 20_000, "player": "demo-ann"})
    crew.does("box-person", {"type": "NewShooter", "shooter": "demo-ann"})
    return crew


class Crew:
    """The staff of the table, one for each position."""

    def __init__(self, people: People) -> None:
        self._people = people

    def does(self, role: str, command: dict[str, object]) -> None:
        answer = self._people(f"demo-{role}").command(role, command, TABLE)
        assert answer.status_code == 200, answer.text

    def table(self) -> dict[str, dict[str, Any]]:
        return self.table_of("demo-manager")

    def table_of(self, name: str) -> dict[str, dict[str, Any]]:
        """As someone sees it."""
        found: dict[str, dict[str, Any]] = self._people(name).client.get(f"/api/v1/tables/{TABLE}").json()
        return found

    def rolls(self, *dice: int) -> None:
        """Roll and take all steps until the next roll."""
        self.does("stick-person", {"type": "TakeStep", "step": "roll", "dice": dice})
        while self.table()["view"]["due"] != "roll":
            due = self.table()["staff"]["due"]
            self.does("base-dealer", {"type": "TakeStep", "step": due["id"]})


def area(page: Page, name: str) -> Locator:
    return page.locator(f'.table-main > .layout [data-wager][aria-label^="{name}, "]')


@pytest.mark.thorough
def test_the_shooter_sees_puck_rolls_lammers_and_chances_of_the_hand(
    visit: Visit, crew: Crew, picture: Picture
) -> None:
    page = signed_in(visit, "demo-ann", f"/tables/{TABLE}")
    expect(page.get_by_role("img", name="OFF: come-out roll")).to_be_visible()
    expect(page.get_by_text("You're the shooter")).to_be_visible()
    layout = page.locator(".table-main > .layout [data-wager]")
    layout.nth(0).click()
    expect(page.locator(".own-bet-note")).to_have_text("waiting for the dealer to repeat it")
    crew.does("box-person", {"type": "ConfirmBets"})
    expect(page.locator(".own-bet-note")).to_have_count(0)
    before = page.locator(".own-chance").inner_text()
    for dice in ((2, 2), (1, 2), (5, 6)):
        crew.rolls(*dice)
    expect(page.get_by_role("img", name="ON: the point is 4")).to_be_visible()
    expect(page.locator(".roll strong")).to_have_text(["4", "3", "11"])
    expect(page.locator(".to-come")).to_have_text(["2", "5", "6"])
    expect(page.locator(".own-chance")).not_to_have_text(before)
    exact = crew.table()["view"]["chances"]["little-ones"]
    expect(page.locator(".own-chance")).to_have_attribute("title", str(exact))
    words = re.compile(r"marked 3 4, missing 2 5 6, chance [\d.]+%")
    expect(area(page, "Little Ones")).to_have_attribute("aria-label", words)
    expect(page.get_by_role("button", name=re.compile("^Repeat"))).to_be_disabled()
    assert violations(page) == []
    picture(page, "craps-hand-1440")
    small = visit(f"/tables/{TABLE}", width=360, height=740, language="zh")
    expect(small.locator(".puck-on")).to_be_visible()
    assert fits(small)
    picture(small, "craps-hand-360")
    crew.rolls(3, 4)
    expect(page.get_by_role("img", name="OFF: come-out roll")).to_be_visible()
    expect(page.locator(".roll")).to_have_count(0)
    expect(page.locator(".result")).to_contain_text("−US$1")


def test_a_tip_lies_on_top_or_in_the_area_and_a_power_failure_lets_all_be_taken_back(
    visit: Visit, crew: Crew, picture: Picture
) -> None:
    if not crew.table()["view"]["has_shooter"]:  # the hand of the test before has ended
        crew.does("box-person", {"type": "NewShooter", "shooter": "demo-ann"})
    page = signed_in(visit, "demo-ann", f"/tables/{TABLE}")
    balance = page.locator(".rail-balance")
    layout = page.locator(".table-main > .layout [data-wager]")
    before = crew.table_of("demo-ann")["mine"]["balance"] / 100
    expect(balance).to_have_text(f"US${before:,.2f}")
    layout.nth(2).click()
    expect(page.locator(".own-bets li")).to_have_count(1)
    page.get_by_role("button", name="Tip on top").click()
    expect(page.get_by_text("the dealers get any win")).to_be_visible()
    layout.nth(2).click()
    expect(page.locator(".own-bet-note")).to_contain_text("Tip on top")
    expect(page.get_by_role("button", name=re.compile("^Move "))).to_be_disabled()
    page.get_by_role("button", name="Tip in the area").click()
    layout.nth(2).click()
    expect(page.locator(".own-bet-note")).to_contain_text("Tip in the area")
    expect(balance).to_have_text(f"US${before - 3:,.2f}")
    assert violations(page) == []

    crew.does("box-person", {"type": "Call", "irregularity": "power-failure"})
    expect(page.get_by_role("alert").filter(has_text="Power failure")).to_be_visible()
    expect(page.locator(".announcement")).to_have_text("Power failure")
    expect(page.get_by_role("button", name="Double", exact=True)).to_be_disabled()
    picture(page, "craps-power-failed")
    page.get_by_role("button", name="Withdraw all bets").click()
    expect(page.get_by_text("You can't place or move bets")).to_be_visible()
    expect(balance, "a tip in the area is the dealers'").to_have_text(f"US${before - 1:,.2f}")
