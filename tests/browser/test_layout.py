"""Any book's layout, drawn from its data."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests import loopback
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.live_house import open_automatic_table, wait_for_betting
from tests.browser.people import ApiUser
from tests.browser.test_lobby import fits
from tests.browser.windows import REST, resize

pytestmark = pytest.mark.own_house

TOUCH = 40
SMALL = f"""() => [...document.querySelectorAll(".area-ground")].map(one => one.getBoundingClientRect())
  .filter(box => box.width < {TOUCH} || box.height < {TOUCH}).length"""
COVERED = """all => all.flatMap(area => {
  const chips = [...area.querySelectorAll(".chip, .others")].map(one => one.getBoundingClientRect());
  const texts = [...area.querySelectorAll(".area-label text, .area-label .die-mark, .area-pays tspan")];
  const meet = (one, chip) => one.left < chip.right - 1 && one.right > chip.left + 1
    && one.top < chip.bottom - 1 && one.bottom > chip.top + 1;
  const wager = area.querySelector("[data-wager]").dataset.wager;
  return texts.filter(one => chips.some(chip => meet(one.getBoundingClientRect(), chip)))
    .map(one => `${wager}: ${one.textContent}`);
})"""


def covered(page: Page) -> list[str]:
    """Return the names, numbers, dice and odds that chips or others' totals cover."""
    found: list[str] = page.locator(".layout g.area").evaluate_all(COVERED)
    return found


CUT = """() => ["table-facts", "strip", "rail"].flatMap(name => {
  const list = document.querySelector("." + name);
  const edge = list?.getBoundingClientRect();
  return [...(list?.children ?? [])].map(one => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.left < edge.right - 1 && (box.right > edge.right + 1 || box.bottom > edge.bottom + 1))
    .map(([one]) => `${name}: ${one.textContent}`);
})"""


def cut(page: Page) -> list[str]:
    """Return the facts, past results and parts of the rail that a player's page shows only in part."""
    found: list[str] = page.evaluate(CUT)
    return found


def tables_of(address: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = loopback.get(f"{address}/api/v1/tables").json()
    return found


@pytest.mark.thorough
def test_every_wager_of_every_book_has_its_area(
    visit: Visit, demo_address: str, picture: Callable[[Page, str], None]
) -> None:
    page = visit(REST)
    for table in tables_of(demo_address):
        book = loopback.get(f"{demo_address}/api/v1/books/{table['book']}").json()
        page.goto(f"/tables/{table['id']}")
        expect(page.locator("[data-wager]")).to_have_count(len(book["wagers"]))
        names = page.locator("[data-wager]").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
        for wager in book["wagers"]:
            assert any(name.startswith(f"{wager['name']['en']}, ") for name in names), wager["wager"]
            if wager["decided"] == "count" and "push" in wager["paytables"][0]["pays"].values():
                # a push is not a loss, and is shown as a push
                expect(page.locator(".step-pay", has_text="push")).to_be_visible()
            if wager["picture"]["bars"]:
                area = page.locator(f'g.area:has([data-wager="{wager["wager"]}"])')
                expect(area.locator(".felt-bar")).to_be_visible()
        assert fits(page)
        assert violations(page) == []
        picture(page, f"layout-{table['id']}")


PAYS = """all => Object.fromEntries(all.map(one =>
    [one.dataset.wager, one.parentElement.querySelector(".area-pays")?.textContent ?? ""]))"""


@pytest.mark.thorough
def test_however_narrow_an_area_is_it_tells_every_figure_that_it_pays(visit: Visit, demo_address: str) -> None:
    page = visit(REST, width=360)
    for table in tables_of(demo_address):
        page.goto(f"/tables/{table['id']}")
        expect(page.locator("[data-wager]").first).to_be_visible()
        printed = page.locator("[data-wager]").evaluate_all(PAYS)
        assert any(printed.values())
        for wager in loopback.get(f"{demo_address}/api/v1/books/{table['book']}").json()["wagers"]:
            displayed, pays = printed.get(wager["wager"]), wager["paytables"][0]["pays"].values()
            odds = {one for one in pays if one[0].isdigit()}
            if displayed and len(odds) <= 4:
                expected = [figure for one in odds for figure in figures(one)]
                assert sorted(figures(displayed)) == sorted(expected), f"{table['id']} {wager['wager']}: {displayed}"


def figures(odds: str) -> list[str]:
    """Return the numbers of odds without the 1 that they are paid for."""
    return re.findall(r"[\d,]+", re.sub(r" ?(to|for) ?1\b", "", odds))


@pytest.mark.thorough
def test_no_area_is_too_small_to_touch(visit: Visit, demo_address: str, picture: Callable[[Page, str], None]) -> None:
    page = visit(REST)
    for table in tables_of(demo_address):
        page.goto(f"/tables/{table['id']}")
        expect(page.locator("[data-wager]").first).to_be_visible()
        for width in (768, 360):
            resize(page, width)
            tabs = page.get_by_role("tab")
            for place in range(max(1, tabs.count())):
                if tabs.count():
                    tabs.nth(place).click()
                    expect(tabs.nth(place)).to_have_attribute("aria-selected", "true")
                assert page.evaluate(SMALL) == 0
                assert fits(page)
            picture(page, f"layout-{table['id']}-{width}")


@pytest.mark.thorough
def test_the_page_follows_the_table_and_shows_what_lies_there(visit: Visit, demo_address: str, ann: ApiUser) -> None:
    table = open_automatic_table(demo_address)
    page = visit(f"/tables/{table}")
    expect(page.get_by_text("Live", exact=True)).to_be_visible()
    wait_for_betting(page)
    wager = page.locator("[data-wager]").first.get_attribute("data-wager")
    response = ann.bets(str(wager), 500, table)
    assert response.status_code == 200, response.text
    area = page.locator(f'[data-wager="{wager}"]')
    expect(area).to_have_attribute("aria-label", re.compile("others"))
    expect(page.locator(".countdown")).to_be_visible()


@pytest.mark.thorough
def test_areas_are_reached_bet_on_and_cleared_by_keyboard(visit: Visit, demo_address: str) -> None:
    table = open_automatic_table(demo_address)
    page = visit("/sign-in")
    page.get_by_role("button", name="Chen").click()
    expect(page.get_by_role("link", name="Chen")).to_be_visible()
    page.goto(f"/tables/{table}")
    areas = page.locator("[data-wager]")
    expect(areas.first).to_have_attribute("tabindex", "0")
    expect(page.locator('[data-wager][tabindex="0"]')).to_have_count(1)
    areas.first.focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "End"):
        before = focused(page)
        page.keyboard.press(key)
        assert focused(page) != before, key
    expect(page.locator(".area-info")).to_contain_text("to 1")
    here = page.locator(f'[data-wager="{focused(page)}"]')
    wait_for_betting(page)
    page.keyboard.press("Enter")
    expect(here).to_have_attribute("aria-label", re.compile("your stake .*max win"))
    page.keyboard.press("Backspace")
    expect(here).not_to_have_attribute("aria-label", re.compile("your stake"))
    here.click()
    expect(here).to_have_attribute("aria-label", re.compile("your stake"))
    here.click(button="right")
    expect(here).not_to_have_attribute("aria-label", re.compile("your stake"))
    assert violations(page) == []


def focused(page: Page) -> str:
    found: str = page.evaluate("document.activeElement.dataset.wager")
    return found
