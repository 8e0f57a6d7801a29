"""Locked screens: an idle console locks over the live round, keeps everything, and its dealer unlocks it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from pitbook.server.demo import PASSWORD
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.houses import House
from tests.browser.people import ApiUser
from tests.browser.test_second_factor import gate

pytestmark = pytest.mark.own_house


@pytest.fixture(scope="module", autouse=True)
def policy(manager: ApiUser) -> None:
    """Lock screens of staff after a minute."""
    chosen = manager.client.get("/api/v1/policy").json()
    del chosen["money"]
    response = manager.client.put("/api/v1/policy", json={**chosen, "lock_minutes": 1})
    assert response.status_code == 200, response.text


def at_console(visit: Visit, table: str, person: str) -> Page:
    """Someone's console, in their own session."""
    page = visit(f"/sign-in?to=%2Ftables%2F{table}%2Fdealer", fresh=True)
    page.get_by_role("button", name=person).click()
    expect(page.locator(".due")).to_be_visible()
    return page


@pytest.mark.thorough
def test_an_idle_console_locks_over_the_live_round_and_keeps_what_was_typed(
    visit: Visit, own_house: House, chen: ApiUser, picture: Callable[[Page, str], None]
) -> None:
    page = at_console(visit, "maryland", "Dealer 1")
    page.keyboard.press("b")
    form = page.locator("dialog.dialog[open]")
    form.get_by_label("Player").first.fill("demo-ben")
    form.get_by_label("Area").select_option("small")
    form.get_by_label("Amount").fill("25")
    own_house.advance_clock(61)
    page.keyboard.press("End")
    expect(gate(page).get_by_role("heading", name="Screen locked")).to_be_visible()
    assert chen.bets("big", 700, "maryland").status_code == 200
    expect(page.locator(".lines li", has_text="Chen")).to_contain_text("US$7.00")
    picture(page, "screen-locked")
    assert violations(page) == []
    page.keyboard.press("Escape")
    gate(page).get_by_label("Password").first.fill("not this one")
    gate(page).get_by_role("button", name="Unlock").click()
    expect(gate(page).get_by_role("alert")).to_be_visible()
    gate(page).get_by_label("Password").first.fill(PASSWORD)
    gate(page).get_by_role("button", name="Unlock").click()
    expect(gate(page)).not_to_be_visible()
    expect(form.get_by_label("Amount")).to_have_value("25")
    form.get_by_role("button", name="Place bet").click()
    expect(page.locator(".lines li", has_text="Ben")).to_contain_text("US$25.00")


def test_a_screen_locked_by_hand_stays_locked_after_a_reload(visit: Visit) -> None:
    page = at_console(visit, "massachusetts", "Floorperson 1")
    page.get_by_role("button", name="Lock", exact=True).click()
    expect(gate(page).get_by_role("heading", name="Screen locked")).to_be_visible()
    page.reload()
    expect(gate(page).get_by_role("heading", name="Screen locked")).to_be_visible()
    gate(page).get_by_label("Password").first.fill(PASSWORD)
    gate(page).get_by_role("button", name="Unlock").click()
    expect(gate(page)).not_to_be_visible()
