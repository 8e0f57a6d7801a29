"""Shared components: tables of figures, dialogs, notifications, slow and failed responses."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.people import ApiUser, signed_in
from tests.browser.rounds import until_held
from tests.browser.windows import REST, resize
from tests.waiting import until

pytestmark = pytest.mark.own_house

Picture = Callable[[Page, str], None]
FIGURES = "/books/massachusetts-sic-bo/analysis"


def test_a_table_of_figures_is_sorted_filtered_copied_and_downloaded(visit: Visit) -> None:
    page = visit(FIGURES)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    table = page.locator(".figures").first
    rows = table.locator("tbody tr")
    expect(rows).to_have_count(50)
    heading = table.get_by_role("columnheader", name="House edge")
    heading.get_by_role("button").click()
    expect(heading).to_have_attribute("aria-sort", "descending")
    first = rows.first.inner_text()
    heading.get_by_role("button").click()
    expect(heading).to_have_attribute("aria-sort", "ascending")
    assert rows.last.inner_text() != first
    expect(rows.first).to_contain_text(re.compile("Small|Big"))
    table.get_by_label("Filter").fill("kind")
    expect(table.get_by_text(re.compile(r"^\d+ of 50 rows$"))).to_be_visible()
    displayed = rows.count()
    table.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("status").filter(has_text="Copied")).to_have_count(1)
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert len(lines) == 1 + displayed
    assert "House edge" in lines[0].split("\t")
    with page.expect_download() as loading:
        table.get_by_role("button", name="Download CSV").click()
    text = loading.value.path().read_text(encoding="utf-8-sig")
    read = list(csv.DictReader(io.StringIO(text)))
    assert len(read) == displayed
    assert all(0 < float(one["House edge"]) < 1 for one in read)
    table.get_by_label("Filter").fill("no such bet")
    expect(table.get_by_text("No matches")).to_be_visible()


@pytest.mark.thorough
def test_a_wide_table_fades_where_more_follows_and_scrolls_by_keyboard(visit: Visit) -> None:
    page = visit("/books/dice-works/analysis")
    region = page.locator(".figures-scroll").first
    expect(region.locator("tbody tr").first).to_be_visible()
    assert region.evaluate("one => one.scrollWidth <= one.clientWidth")
    expect(region).to_have_class("figures-scroll")
    resize(page, 1024, 768)
    expect(region).to_have_class("figures-scroll more-after")
    region.focus()
    expect(region).to_be_focused()
    until(lambda: scrolled_by_key(region), "the table to scroll")
    expect(region).to_have_class(re.compile("more-before"))
    expect(region).to_have_class(re.compile("more-after"))
    region.evaluate("one => one.scrollTo({ left: one.scrollWidth })")
    expect(region).not_to_have_class(re.compile("more-after"))


def scrolled_by_key(region: Locator) -> bool:
    """Press a key once, as the browser may lose it while it still draws; return whether the region has scrolled."""
    region.press("ArrowRight")
    frames = """async one => {
      for (let left = 60; left > 0 && one.scrollLeft <= 1; left--) await new Promise(requestAnimationFrame);
      return one.scrollLeft > 1;
    }"""
    return bool(region.evaluate(frames))


def test_the_exact_fraction_of_a_cell_appears_by_mouse_and_by_keyboard(visit: Visit, picture: Picture) -> None:
    page = visit(FIGURES)
    table = page.locator(".figures").first
    element = table.locator(".figures-exact")
    expect(table.locator("tbody tr")).to_have_count(50)
    table.locator("tbody tr").nth(2).locator("td[title]").first.hover()
    expect(element).to_have_text(re.compile(r"^Win probability: exactly \d+/\d+$"))
    stops = table.locator("td[tabindex='0']")
    expect(stops).to_have_count(1)
    stops.focus()
    expect(element).to_contain_text(f"exactly {stops.get_attribute('title')}")
    before = element.inner_text()
    page.keyboard.press("ArrowRight")
    expect(element).to_have_text(re.compile(r"^House edge: exactly -?\d+/\d+$"))
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    expect(element).to_have_text(before)
    for _ in range(6):
        page.keyboard.press("ArrowDown")
    expect(table.locator("td:focus")).to_have_count(1)
    expect(stops).to_have_count(1)
    assert violations(page) == []
    picture(page, "figures-exact")


TABLES = (
    ("demo-ann", "/me", ".figures-scroll"),
    (None, FIGURES, ".figures-scroll"),
    (None, "/books/dice-works/analysis", ".figures-scroll"),
    (None, "/books/massachusetts-sic-bo", ".figures-scroll"),
    (None, "/analysis?left=massachusetts-sic-bo&right=singapore-mbs-sic-bo-v6", ".figures-scroll"),
    ("demo-manager", "/floor/tables/massachusetts/terms", ".figures-scroll"),
    ("demo-manager", "/floor/tables/massachusetts/money", ".figures-scroll"),
    ("demo-manager", "/floor/dice", ".figures-scroll"),
    ("demo-auditor", "/audit", ".audit-scroll"),
)
WIDER = "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.getAttribute('aria-label'))"


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_table_of_figures_scrolls_sideways_on_a_phone(visit: Visit, picture: Picture, language: str) -> None:
    """Each row is a block there, and each figure has the name of its column."""
    for name, address, tables in TABLES:
        page = visit(REST, name=name, width=390, height=844, language=language)
        page.goto(address)
        expect(page.locator(f"{tables} tbody tr").first).to_be_visible()
        assert page.locator(tables).evaluate_all(WIDER) == [], address
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
        nameless = page.locator(f"{tables} .stacks tbody td:not(:first-child):not([data-name])")
        expect(nameless).to_have_count(0)
        assert violations(page) == [], address
        picture(page, f"phone-{address.strip('/').replace('/', '-').partition('?')[0]}-{language}")


def test_a_browser_that_forbids_copying_gets_a_message(visit: Visit) -> None:
    page = visit(FIGURES)
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.locator(".figures").first.get_by_role("button", name="Copy").click()
    expect(page.locator(".toast")).to_contain_text("blocked copying")


@pytest.mark.thorough
def test_a_dialog_keeps_the_focus_and_gives_it_back(visit: Visit) -> None:
    page = signed_in(visit, "demo-ann", "/me")
    opener = page.get_by_role("button", name="Create a token")
    opener.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Create a token")
    expect(dialog).to_be_visible()
    for key in ["Tab"] * 12 + ["Shift+Tab"] * 3:
        page.keyboard.press(key)
        inside = "document.activeElement === document.body || !!document.activeElement.closest('dialog')"
        assert page.evaluate(inside), key
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(opener).to_be_focused()


def test_a_note_of_a_lost_connection_comes_once_stays_while_it_is_read_and_goes(visit: Visit, picture: Picture) -> None:
    page = signed_in(visit, "demo-ann", "/books", fresh=True)
    page.clock.install()
    out = page.get_by_role("button", name="Sign out")
    page.context.set_offline(True)
    out.click()
    toast = page.locator(".toast")
    expect(toast).to_contain_text("Can't reach the server")
    out.click()
    expect(toast).to_have_count(1)
    picture(page, "toast-offline")
    toast.hover()
    page.clock.fast_forward(60_000)
    expect(toast).to_be_visible()
    page.mouse.move(5, 5)
    page.clock.fast_forward(60_000)
    expect(toast).to_have_count(0)
    page.context.set_offline(False)
    out.click()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()


@pytest.mark.thorough
def test_slow_replies_are_awaited_and_broken_ones_requested_again(visit: Visit, picture: Picture) -> None:
    page = signed_in(visit, "demo-ann", "/books")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/v1/me/balances", hold)
    page.goto("/me")
    part = page.get_by_role("region", name="Your chips")
    expect(part.get_by_text("Loading…")).to_be_visible()
    until_held(page, held).abort()
    expect(part.get_by_role("alert")).to_contain_text("Can't reach the server")
    picture(page, "own-broken")
    page.unroute("**/api/v1/me/balances")
    part.get_by_role("button", name="Try again").click()
    expect(part.locator("li").first).to_be_visible()


@pytest.mark.thorough
@pytest.mark.parametrize("look", ["felt", "paper"])
def test_a_lit_layout_has_nothing_wrong_in_either_look(
    visit: Visit, demo_address: str, picture: Picture, look: str
) -> None:
    dealer = ApiUser(demo_address, "demo-dealer")
    dealer.table("massachusetts").take_steps((1, 1, 4), until="collect")
    dealer.client.close()
    page = visit(REST, look=look)
    for place in ("/tables/massachusetts", "/tables/massachusetts/board"):
        page.goto(place)
        expect(page.locator(".area-lit").first).to_be_visible()
        assert violations(page) == []
        picture(page, f"lit-{look}-{place.rpartition('/')[2]}")


PALE = """() => {
  const text = document.querySelector("main p");
  text.style.color = "rgb(120, 120, 120)";
  text.style.backgroundColor = "rgb(140, 140, 140)";
}"""


@pytest.mark.thorough
def test_what_is_hard_to_read_is_found_on_a_page_that_was_looked_at_before(visit: Visit) -> None:
    page = visit("/books")
    expect(page.locator("main p").first).to_be_visible()
    assert violations(page) == []
    page.evaluate(PALE)
    for _ in range(2):
        assert [one.partition(":")[0] for one in violations(page)] == ["color-contrast"]


def test_an_unknown_address_has_a_page_of_its_own(visit: Visit, picture: Picture) -> None:
    page = visit("/no/such/place", look="paper")
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    assert violations(page) == []
    picture(page, "not-found")
