"""The felt of craps as the book's page draws it: boxes, lines, the edge, propositions, and hops on demand."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from tests import loopback
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.test_layout import SMALL
from tests.browser.test_lobby import fits
from tests.browser.windows import resize
from tests.soaking import thorough

Picture = Callable[[Page, str], None]
DRAWN = "all => all.map(one => one.dataset.wager)"
OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll(".block-felt .area-touch")].map(one => one.getBoundingClientRect());
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return boxes.flatMap((one, place) => boxes.slice(place + 1).filter(other => meet(one, other))).length;
}"""

TOUCHING = """() => [...document.querySelectorAll("#layout .area-drawing")].flatMap(area => {
  const ground = area.querySelector("rect.area-ground")?.getBoundingClientRect();
  if (!ground?.width) return [];
  return [...area.querySelectorAll(".area-name")]
    .filter(name => {
      const box = name.getBoundingClientRect();
      return box.left < ground.left + 2 || box.right > ground.right - 2;
    })
    .map(name => name.textContent);
})"""
"""The names that touch the edges of their areas."""


def offered(address: str, options: str = "") -> set[str]:
    page = loopback.get(f"{address}/api/v1/books/craps{options}").json()
    return {one["wager"] for one in page["wagers"]}


def titles(page: Page) -> list[str]:
    return page.locator(".felt-box > text").all_text_contents()


def name_on(page: Page, wager: str) -> str:
    """Return the name that is printed on an area, in one line."""
    return " ".join(page.locator(f'g.area:has([data-wager="{wager}"]) .area-name tspan').all_text_contents())


def totals(page: Page, wager: str) -> list[str]:
    """Return the totals on a line, which must not touch each other."""
    marks = page.locator(f'g.area:has([data-wager="{wager}"]) .felt-totals text')
    boxes = [box for one in marks.all() if (box := one.bounding_box()) is not None]
    assert all(one["x"] + one["width"] + 3 <= other["x"] for one, other in pairwise(boxes)), wager
    return marks.all_text_contents()


@pytest.mark.thorough
def test_every_bet_of_craps_has_its_place_on_the_felt(visit: Visit, demo_address: str, picture: Picture) -> None:
    page = visit("/books/craps")
    expect(page.locator(".felt-box")).to_have_count(6)
    assert titles(page) == ["4", "5", "SIX", "8", "NINE", "10"]
    hops = page.locator(".block-folded")
    expect(hops.locator("[data-wager]").first).to_be_hidden()
    hops.locator("summary").click()
    expect(hops.locator("[data-wager]").first).to_be_visible()
    assert set(page.locator("#layout [data-wager]").evaluate_all(DRAWN)) == offered(demo_address)
    for width, height in ((1440, 900), (1024, 768)):
        resize(page, width, height)
        assert page.evaluate(SMALL) == 0
        assert page.evaluate(OVERLAPS) == 0
        assert page.evaluate(TOUCHING) == []
        assert name_on(page, "come-odds/4") == "Come odds"
        assert name_on(page, "dont-come-odds/10") == "Don't come odds"
        assert totals(page, "field") == ["2", "3", "4", "9", "10", "11", "12"]
        assert totals(page, "world") == ["2", "3", "7", "11", "12"]
        assert fits(page)
        assert violations(page) == []
        picture(page, f"craps-felt-{width}")


@pytest.mark.parametrize("book", [*thorough("craps", "dice-works", "dice-ology"), "massachusetts-sic-bo"])
@pytest.mark.parametrize("language", [*thorough("en"), "zh-Hans"])
def test_no_name_touches_the_edge_of_its_area(visit: Visit, book: str, language: str) -> None:
    page = visit(f"/books/{book}", language=language)
    expect(page.locator("#layout .area-name").first).to_be_visible()
    for width in (1440, 1024, 390):
        resize(page, width)
        assert page.evaluate(TOUCHING) == [], width
        if language != "en" and book == "craps" and width > 700:
            assert_upright(page.locator("#layout .felt-name-upright"))


def assert_upright(name: Locator) -> None:
    """Check that the Chinese name of the pass line is written from top to bottom."""
    expect(name).to_have_text("过关线")
    expect(name).to_have_css("text-orientation", "upright")
    expect(name).not_to_have_attribute("transform", re.compile("rotate"))
    box = name.bounding_box()
    assert box is not None
    assert box["height"] > 2 * box["width"]


@pytest.mark.thorough
def test_on_a_phone_the_felt_has_tabs_and_no_small_area(visit: Visit, demo_address: str, picture: Picture) -> None:
    page = visit("/books/craps", width=390, height=844)
    found: set[str] = set()
    marked: set[str] = set()
    tabs = page.locator("#layout").get_by_role("tab")
    expect(tabs).to_have_text(["Table", "Propositions", "Hops"])
    for place in range(3):
        tabs.nth(place).click()
        expect(tabs.nth(place)).to_have_attribute("aria-selected", "true")
        found |= set(page.locator("#layout [data-wager]").evaluate_all(DRAWN))
        assert page.evaluate(SMALL) == 0
        assert page.evaluate(OVERLAPS) == 0
        marked |= {wager for wager in ("field", "horn", "world") if totals(page, wager)}
        assert fits(page)
        picture(page, f"craps-felt-390-{place}")
    assert found == offered(demo_address)
    assert marked == {"field", "horn", "world"}
    assert violations(page) == []


def test_crapless_draws_four_more_boxes_and_no_dont_bets(visit: Visit, demo_address: str, picture: Picture) -> None:
    page = visit("/books/craps?option=crapless:on")
    expect(page.locator(".felt-box")).to_have_count(10)
    assert titles(page) == ["2", "3", "4", "5", "SIX", "8", "NINE", "10", "11", "12"]
    expect(page.locator('[data-wager^="dont-"]')).to_have_count(0)
    page.locator(".block-folded > summary").click()
    assert set(page.locator("#layout [data-wager]").evaluate_all(DRAWN)) == offered(demo_address, "?option=crapless:on")
    assert page.evaluate(SMALL) == 0
    picture(page, "craps-felt-crapless")
