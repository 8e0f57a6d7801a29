"""The lobby: what anyone sees who comes in."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests import loopback
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.windows import resize
from tests.soaking import thorough

SIZES = (1440, 360)
LOOKS = ["felt", "paper"]


OVERLAPPING = """() => [...document.querySelectorAll(".table-card")].filter(card => {
  const parts = [...card.children].map(one => one.getBoundingClientRect());
  return parts.some((one, place) => place > 0 && parts[place - 1].bottom > one.top + 1);
}).map(card => card.querySelector("h2").textContent)"""


def fits(page: Page) -> bool:
    """Return whether the loaded page has no horizontal overflow."""
    try:
        page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")
    except PlaywrightTimeout:
        return False
    return True


def wholly_shown(choice: Locator) -> bool:
    """Return whether the selected option of a select fits into it, beside its arrow."""
    fits: bool = choice.evaluate("""one => {
      const { fontSize, fontWeight, fontFamily, paddingLeft } = getComputedStyle(one);
      const brush = document.createElement("canvas").getContext("2d");
      brush.font = `${fontWeight} ${fontSize} ${fontFamily}`;
      const arrow = 20;
      return brush.measureText(one.selectedOptions[0].label).width + 2 * parseFloat(paddingLeft) + arrow
        <= one.clientWidth;
    }""")
    return fits


@pytest.mark.parametrize("look", [LOOKS[0], *thorough(*LOOKS[1:])])
def test_the_lobby_shows_every_table_to_everyone(
    visit: Visit, demo_address: str, picture: Callable[[Page, str], None], look: str
) -> None:
    page = visit("/", look=look)
    tables = loopback.get(f"{demo_address}/api/v1/tables").json()
    expect(page.get_by_role("listitem").filter(has=page.get_by_role("heading"))).to_have_count(len(tables))
    for table in tables:
        link = page.locator(f"a[href='/tables/{table['id']}']").filter(
            has_text=f"Table {table['number']} · {table['short']['en']}"
        )
        expect(link.first).to_be_visible()
    assert page.title() == "Tables · Pitbook"
    for width in SIZES:
        resize(page, width)
        assert page.evaluate(OVERLAPPING) == []
        assert fits(page)
        assert violations(page) == []
        picture(page, f"lobby-{look}-{width}")


@pytest.mark.thorough
def test_the_lobby_speaks_chinese_and_remembers_it(visit: Visit, picture: Callable[[Page, str], None]) -> None:
    page = visit("/")
    page.get_by_role("button", name="繁體中文").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("賭檯")
    assert page.evaluate("document.documentElement.lang") == "zh-Hant"
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("賭檯")
    assert violations(page) == []
    picture(page, "lobby-chinese")


@pytest.mark.parametrize(("language", "title", "tag"), [("zh", "賭檯", "zh-Hant"), ("zh-Hans", "赌台", "zh-Hans")])
def test_a_browser_that_wants_chinese_gets_it_in_its_script(visit: Visit, language: str, title: str, tag: str) -> None:
    page = visit("/", language=language)
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.locator("html")).to_have_attribute("lang", tag)


def test_a_countdown_in_the_lobby_runs_by_the_tables_own_time(demo_address: str) -> None:
    for table in loopback.get(f"{demo_address}/api/v1/tables").json():
        rules = loopback.get(f"{demo_address}/api/v1/tables/{table['id']}").json()["rules"]
        run = rules["setup"]["automatic"]
        assert table["betting_seconds"] == (run["betting_seconds"] if run else None)


def test_only_tables_of_one_game_can_be_shown(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("button", name="Craps").click()
    expect(page.get_by_role("heading", level=2)).to_have_count(4)


def test_on_a_phone_the_ways_are_behind_a_button(visit: Visit) -> None:
    page = visit("/", width=360)
    ways = page.get_by_role("link", name="Books")
    expect(ways).to_be_hidden()
    page.get_by_role("button", name="Menu").click()
    expect(ways).to_be_visible()
    page.keyboard.press("Escape")
    expect(ways).to_be_hidden()


@pytest.mark.thorough
def test_the_lobby_says_when_the_server_cannot_be_reached_and_comes_back(visit: Visit) -> None:
    page = visit("/")
    expect(page.get_by_role("heading", level=2).first).to_be_visible()
    page.route("**/api/v1/tables", lambda route: route.fulfill(status=503, body="{}"))
    expect(page.get_by_role("alert").filter(has_text="can't be read")).to_be_visible()
    expect(page.get_by_role("heading", level=2).first).to_be_visible()
    page.unroute("**/api/v1/tables")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("button", name="Try again")).to_be_hidden()
