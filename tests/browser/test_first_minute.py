"""The first minute of a newcomer: what the game is, a guest seat in one click, chips, a bet, a throw."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.houses import House
from tests.browser.live_house import end_betting, open_automatic_tables, wait_for_betting
from tests.browser.test_lobby import fits
from tests.browser.test_play import area

pytestmark = pytest.mark.own_house

Picture = Callable[[Page, str], None]


@pytest.mark.thorough
@pytest.mark.parametrize("width", [390, 1440])
def test_a_visitor_sits_down_as_a_guest_and_bets_at_once(
    visit: Visit, own_house: House, demo_address: str, picture: Picture, width: int
) -> None:
    (table,) = open_automatic_tables(demo_address, 1)
    page = visit("/", width=width, height=844)
    card = page.get_by_role("listitem").filter(has=page.locator(f'a[href="/tables/{table}"]'))
    expect(card).to_contain_text("Dice are shaken.")
    assert violations(page) == []
    picture(page, f"lobby-guest-{width}")
    card.get_by_role("button", name="Play as a guest").click()
    expect(page).to_have_url(re.compile(f"/tables/{table}$"))
    expect(page.locator(".rail-balance")).to_have_text("◇1,000.00")
    page.mouse.move(5, 5)
    expect(page.locator(".first-steps [aria-current]")).to_have_text("2. Tap an area")
    wait_for_betting(page)
    area(page, "Big").click()
    expect(page.locator(".own-chip")).to_have_count(1)
    page.mouse.move(5, 5)
    expect(page.locator(".first-steps [aria-current]")).to_have_text("3. Wait for the dice")
    assert fits(page)
    assert page.locator(".first-steps").evaluate("one => one.scrollWidth - one.clientWidth") <= 0
    assert violations(page) == []
    picture(page, f"guest-{width}")
    end_betting(own_house, page)
    expect(page.locator(".result")).to_be_visible()
    expect(page.locator(".first-steps")).to_have_count(0)


def test_the_automatic_sic_bo_table_stands_first_in_the_lobby(visit: Visit) -> None:
    page = visit("/")
    first = page.locator(".table-card").first
    expect(first).to_contain_text("Sic Bo")
    expect(first).to_contain_text("Automatic")
    expect(first).to_contain_text("Play money")


def test_a_click_on_the_layout_without_a_seat_offers_one(visit: Visit, demo_address: str) -> None:
    (table,) = open_automatic_tables(demo_address, 1)
    page = visit(f"/tables/{table}")
    area(page, "Big").click()
    offer = page.get_by_role("dialog")
    expect(offer.get_by_role("link", name="Sign in")).to_be_visible()
    assert violations(page) == []
    offer.get_by_role("button", name="Play as a guest").click()
    expect(page.locator(".rail-balance")).to_have_text("◇1,000.00")
    expect(offer).to_have_count(0)
