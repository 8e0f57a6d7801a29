"""The display board: everything of any book at once, on a wall and on a small monitor."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.rounds import until
from tests.browser.test_layout import tables_of
from tests.browser.windows import REST

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


def test_the_layout_of_a_board_is_not_seen_before_it_is_fitted(visit: Visit) -> None:
    page = visit("/books")
    page.add_init_script(FIRST)
    page.goto("/tables/singapore/board")
    expect(page.locator("[data-wager]").first).to_be_visible()
    assert page.evaluate("window.firstSeen") == GOOD


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1366, 768)])
def test_every_board_shows_all_areas_without_scrolling_and_uses_its_place(
    visit: Visit, demo_address: str, picture: Callable[[Page, str], None], width: int, height: int
) -> None:
    page = visit(REST, width=width, height=height)
    for table in tables_of(demo_address):
        page.goto(f"/tables/{table['id']}/board")
        expect(page.locator("[data-wager]").first).to_be_visible()
        expect(page.locator(".board-limits dd")).to_have_text(re.compile("1–"))
        until(lambda: page.evaluate(WHOLE) == GOOD, f"the board of {table['id']} as a whole")
        assert violations(page) == []
        picture(page, f"board-{table['id']}-{width}")
