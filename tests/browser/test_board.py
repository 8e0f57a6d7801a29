"""The display board: everything of any book at once, on a wall and on a small monitor."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec
import pytest
from playwright.sync_api import Page, Route, expect

from pitbook.house.rounds import PastRound
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.rounds import until
from tests.browser.test_layout import tables_of
from tests.browser.windows import REST, resize
from tests.soaking import thorough

WHOLE = """() => {
  const place = document.querySelector(".fitted").getBoundingClientRect();
  const drawn = document.querySelector(".fitted-drawing").getBoundingClientRect();
  const page = document.documentElement;
  return {
    scrolls: page.scrollHeight > innerHeight || page.scrollWidth > innerWidth,
    inside: drawn.left >= place.left - 1 && drawn.right <= place.right + 1
      && drawn.top >= place.top - 1 && drawn.bottom <= place.bottom + 1,
    filled: Math.max(drawn.width / place.width, drawn.height / place.height) > 0.93,
  };
}"""
GOOD = {"scrolls": False, "inside": True, "filled": True}

FIRST = f"""
new MutationObserver((_, observer) => {{
  if (document.querySelector(".fitted-shown") === null) return;
  observer.disconnect();
  window.firstSeen = ({WHOLE})();
}}).observe(document, {{ subtree: true, childList: true, attributeFilter: ["class"] }});
"""
"""Remembers how the layout stood when it was first seen."""


@pytest.mark.thorough
def test_the_layout_of_a_board_is_not_seen_before_it_is_fitted(visit: Visit) -> None:
    page = visit("/books")
    page.add_init_script(FIRST)
    page.goto("/tables/singapore/board")
    expect(page.locator("[data-wager]").first).to_be_visible()
    assert page.evaluate("window.firstSeen") == GOOD


@pytest.mark.thorough
def test_every_board_shows_all_areas_without_scrolling_and_uses_its_place(
    visit: Visit, demo_address: str, picture: Callable[[Page, str], None]
) -> None:
    page = visit(REST)
    for table in tables_of(demo_address):
        page.goto(f"/tables/{table['id']}/board")
        expect(page.locator("[data-wager]").first).to_be_visible()
        expect(page.locator(".board-limits dd")).to_have_text(re.compile("1–"))
        for width, height in ((1920, 1080), (1366, 768)):
            page.set_viewport_size({"width": width, "height": height})
            until(lambda: page.evaluate(WHOLE) == GOOD, f"the board of {table['id']} as a whole")
            picture(page, f"board-{table['id']}-{width}")
        assert violations(page) == []


ROUNDS = [*[(1, 2, 4)] * 8, (6, 5, 4), (3, 3, 3), (6, 6, 5), (2, 2, 5), (5, 4, 3)]
"""Small more often than the big road has rows, then big and small in turn, and a triple."""
WHOLE_RESULTS = """() => {
  const box = one => one.getBoundingClientRect();
  const within = (one, around) => one.left >= around.left - 1 && one.right <= around.right + 1
    && one.top >= around.top - 1 && one.bottom <= around.bottom + 1;
  const cut = one => {
    for (let around = one.parentElement; around !== null; around = around.parentElement)
      if (getComputedStyle(around).overflow !== "visible" && !within(box(one), box(around))) return true;
    return box(one).left < -1 || box(one).right > innerWidth + 1;
  };
  const row = box(document.querySelector(".board-history ol"));
  const results = [...document.querySelectorAll(".board-history li")].filter(one => box(one).top < row.bottom - 1);
  const roads = [...document.querySelectorAll(".board .road svg")];
  const beads = roads.map(road => [...road.querySelectorAll(".bead")]);
  return {
    results: results.length,
    beads: beads.map(one => one.length),
    cut: [...results, ...roads, ...beads.flat()].filter(cut).map(one => one.outerHTML),
    outside: beads.flat().filter(one => !within(box(one), box(one.ownerSVGElement))).length,
    covered: results.filter(one => roads.some(road => within(box(one), box(road)))).length,
  };
}"""


def many_rounds(route: Route) -> None:
    """Answer with as many past rounds as a bead plate holds, the latest first."""
    found = []
    for number in range(84, 0, -1):
        dice = ROUNDS[number % len(ROUNDS)]
        lit = "any-three-of-a-kind" if len(set(dice)) == 1 else "small" if sum(dice) <= 10 else "big"
        past = PastRound(number, dice, "2026-03-01T12:00:00Z", 10 * number, lit=(lit,))
        found.append(msgspec.to_builtins(past))
    route.fulfill(json={"rounds": found, "next": None})


@pytest.mark.parametrize("language", ["en", *thorough("zh")])
def test_a_board_shows_whole_results_and_whole_roads(
    visit: Visit, picture: Callable[[Page, str], None], language: str
) -> None:
    """What does not fit is left out: nothing is cut off, on a wall, on a small monitor or on a phone."""
    page = visit(REST, language=language)
    page.route("**/api/v1/tables/massachusetts/rounds?*", many_rounds)
    page.goto("/tables/massachusetts/board")
    expect(page.locator(".board .road")).to_have_count(2)
    expect(page.locator(".board .bead").first).to_be_visible()
    for width, height, shown in ((1440, 900, 4), (1024, 768, 3), (390, 844, 3)):
        resize(page, width, height)
        if width > 860:
            until(lambda: page.evaluate(WHOLE) == GOOD, "the board as a whole")
        found = page.evaluate(WHOLE_RESULTS)
        assert (found["cut"], found["outside"], found["covered"]) == ([], 0, 0)
        assert found["results"] >= shown
        assert found["beads"][0] == 84
        assert found["beads"][1] > 14  # the big road is full as well
        height_in_lines = "one => one.offsetHeight / parseFloat(getComputedStyle(one).lineHeight)"
        assert page.locator(".board-name h1").evaluate(height_in_lines) < 1.5
        picture(page, f"board-results-{width}-{language}")
