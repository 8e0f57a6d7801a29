"""A guest at an automatic craps table, on a phone and at a desk: the pass line, odds behind it, and the roll."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests import loopback
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.houses import House
from tests.browser.live_house import open_automatic_tables, open_betting, throw_dice
from tests.browser.rounds import until
from tests.browser.test_layout import SMALL
from tests.browser.test_lobby import fits

pytestmark = pytest.mark.own_house

Picture = Callable[[Page, str], None]


def area(page: Page, wager: str) -> Locator:
    return page.locator(f'.table-main > .layout [data-wager="{wager}"]')


class Seat:
    """The guest's page, and the table's own state."""

    def __init__(self, page: Page, house: House, table: str) -> None:
        self.page, self.house, self.table = page, house, table

    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = loopback.get(f"{self.house.address}/api/v1/tables/{self.table}").json()["view"]
        return found

    def bets(self) -> dict[str, int]:
        mine = self.page.request.get(f"{self.house.address}/api/v1/tables/{self.table}").json()["mine"]
        return {bet["wager"]: bet["amount"] for bet in mine["bets"]}

    def rolls(self) -> None:
        """Let the countdown run out and wait until betting is open again."""
        number = self.view()["round"]
        throw_dice(self.house, self.view)
        expect(self.page.locator(".last-throw")).to_contain_text(f"Round {number}")
        open_betting(self.house, self.view)
        expect(self.page.locator(".announcement")).to_have_text("Place your bets")


@pytest.mark.thorough
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1440, 900)])
def test_a_guest_bets_the_pass_line_and_takes_odds(
    visit: Visit, own_house: House, demo_address: str, picture: Picture, width: int, height: int
) -> None:
    (table,) = open_automatic_tables(demo_address, 1, like="craps-automatic")
    page = visit("/", width=width, height=height)
    card = page.get_by_role("listitem").filter(has=page.locator(f'a[href="/tables/{table}"]'))
    expect(card.get_by_role("heading")).to_have_text(f"{table.capitalize().replace('-', ' ')} · Craps")
    card.get_by_role("button", name="Play as a guest").click()
    expect(page.locator(".rail-balance")).to_have_text("◇1,000.00")
    seat = Seat(page, own_house, table)
    until(lambda: seat.view()["betting"], "bets that are open")

    while seat.view()["point"] is None:
        if "pass-line" not in seat.bets():
            area(page, "pass-line").click()
            until(lambda: seat.bets() == {"pass-line": 100}, "the bet")
        seat.rolls()
    point = seat.view()["point"]
    expect(page.get_by_role("img", name=f"ON: the point is {point}")).to_be_visible()
    expect(page.locator(".felt-box-on")).to_have_count(1)
    most = {4: 300, 10: 300, 5: 400, 9: 400, 6: 500, 8: 500}[point]
    page.get_by_role("button", name=re.compile("^Odds on Pass line")).click()
    until(lambda: seat.bets() == {"pass-line": 100, "pass-line-odds": most}, "the odds")
    expect(page.locator(".own-chip")).to_have_count(2)
    assert page.evaluate(SMALL) == 0
    assert fits(page)
    assert violations(page) == []
    picture(page, f"craps-guest-{width}")

    before = page.locator(".roll").count()
    seat.rolls()
    if seat.view()["point"] == point and seat.bets():
        expect(page.locator(".roll")).to_have_count(before + 1)
    else:
        expect(page.locator(".result")).to_be_visible()
