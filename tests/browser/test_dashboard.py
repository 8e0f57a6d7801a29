"""The floor as a dashboard: figures first, rows that are sorted, details on demand, one menu; and the pages
around it: roles that keep their table, books compared by their differences, roads beside every table."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests import loopback
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.floors import Floor
from tests.browser.people import ApiUser, signed_in
from tests.browser.rounds import minor, until
from tests.browser.test_lobby import wholly_shown
from tests.soaking import thorough

pytestmark = pytest.mark.own_house

Picture = Callable[[Page, str], None]
TABLE = "massachusetts"
LINKS = [
    "Floor",
    "Approvals",
    "Dice",
    "People",
    "Alarms",
    "Webhooks",
    "Audit",
    "Tables",
    "Books",
    "Analysis",
    "Simulation",
    "Verify",
]
DEALT = [TABLE, "maryland", "dice-works", "craps"]
"""The tables of the demo house where people deal, and nothing changes on its own, in the order of their numbers."""


def totals(user: ApiUser) -> dict[str, Any]:
    """Return the totals of the floor in the currency of the dealt tables."""
    (found,) = (one for one in user.client.get("/api/v1/floor").json()["totals"] if one["money"] == "USD")
    return dict(found)


def figure(page: Page, name: str) -> Locator:
    return page.locator(f"[data-figure={name}]")


def rows(page: Page) -> list[str]:
    """The tables in the order in which they are shown, those that run automatically left out."""
    texts = page.locator(".floor-row").evaluate_all("rows => rows.map(row => row.dataset.table)")
    return [table for table in texts if table in DEALT]


def lines_of(parts: Locator) -> int:
    """Return the number of rows in which these elements are."""
    middles: list[float] = parts.evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(one => (one.top + one.bottom) / 2)"
    )
    middles.sort()
    return 1 + sum(after - before > 10 for before, after in itertools.pairwise(middles))


@pytest.mark.thorough
def test_the_strip_shows_the_figures_of_the_api(visit: Visit, floor: Floor, manager: ApiUser, picture: Picture) -> None:
    round_of = floor.table(TABLE)
    floor.bet(TABLE, "demo-ann", small=2_000)
    round_of.play_round(4, 5, 6)
    floor.bet(TABLE, "demo-ben", big=5_000)
    won = until(lambda: (found := totals(manager))["win"] and found["win"]["wagered"] and found, "the round's win")
    page = signed_in(visit, "demo-manager", "/floor")
    for name in ("staked", "exposure"):
        expect(figure(page, name).locator("[data-money=USD] .amount")).to_have_text("US$50.00")
        assert minor(figure(page, name).locator("[data-money=USD] .amount")) == won[name]
    win = figure(page, "win").locator("[data-money=USD]")
    expect(win.locator(".amount")).to_have_text("+US$20.00")
    assert won["win"]["won"] == 2_000
    expect(win).to_contain_text(f"theory +US${won['win']['theory'] / 100:.2f}")
    alarms = manager.client.get("/api/v1/alarms").json()["alarms"]
    expect(figure(page, "alarms").get_by_role("link")).to_have_text(str(len(alarms)))
    expect(figure(page, "approvals").get_by_role("link")).to_have_text("0")
    assert violations(page) == []
    picture(page, "floor-dashboard")

    second = {"name": "demo-manager", "role": "manager"}
    fill = {"type": "Fill", "amount": 10_000, "second": second}
    waiting = floor.who("demo-casino-supervisor").command("casino-supervisor", fill, TABLE)
    assert waiting.status_code == 202, waiting.text
    page.reload()
    expect(figure(page, "approvals").get_by_role("link")).to_have_text("1")
    expect(page.get_by_role("banner").get_by_role("link", name="Approvals")).to_contain_text("1")
    figure(page, "approvals").get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Approvals")


def test_dealers_see_no_win_and_no_alarms(visit: Visit) -> None:
    page = signed_in(visit, "demo-dealer", "/floor")
    expect(figure(page, "staked")).to_be_visible()
    expect(figure(page, "win")).to_have_count(0)
    expect(figure(page, "alarms")).to_have_count(0)
    expect(page.get_by_role("columnheader", name="Win")).to_have_count(0)


HOLES = """one => {
  const row = one.getBoundingClientRect();
  const tops = [...one.children].map(child => child.getBoundingClientRect());
  const widths = top => tops.filter(child => child.top === top).reduce((sum, child) => sum + child.width, 0);
  return tops.some(child => widths(child.top) < row.width - 4);
}"""


@pytest.mark.parametrize("name", [*thorough("demo-manager", "demo-floorperson"), "demo-dealer"])
def test_on_a_phone_the_strip_has_no_hole_and_the_headings_say_that_they_sort(visit: Visit, name: str) -> None:
    page = signed_in(visit, name, "/floor", width=390, height=844)
    expect(figure(page, "approvals")).to_be_visible()
    assert not page.locator(".floor-figures").evaluate(HOLES)
    label = "one => getComputedStyle(one, '::before').content"
    assert page.locator(".floor-rows thead tr").evaluate(label) == '"Sort by"'
    if name == "demo-manager":
        page.goto("/books/craps/analysis")
        heads = page.locator("#figures .stacks thead tr").first
        expect(heads).to_be_visible()
        assert heads.evaluate(label) == '"Sort by"'


def test_rows_are_sorted_by_any_column(visit: Visit, floor: Floor) -> None:
    floor.bet(TABLE, "demo-chen", big=1_000)
    floor.bet("maryland", "demo-ann", small=300)
    page = signed_in(visit, "demo-manager", "/floor")
    head = page.get_by_role("columnheader", name="Table", exact=True)
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    assert rows(page) == DEALT
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    assert rows(page) == DEALT[::-1]
    staked = page.get_by_role("columnheader", name="On the layout")
    staked.get_by_role("button").click()
    expect(staked).to_have_attribute("aria-sort", "descending")
    expect(head).to_have_attribute("aria-sort", "none")
    assert rows(page)[:2] == [TABLE, "maryland"]


def test_details_of_a_table_open_below_its_row(visit: Visit) -> None:
    page = signed_in(visit, "demo-manager", "/floor")
    row = page.locator(f".floor-row[data-table={TABLE}]")
    more = row.get_by_role("button", name="Details of Table 1")
    expect(row.get_by_text("Worst throw")).to_have_count(0)
    more.click()
    expect(more).to_have_attribute("aria-expanded", "true")
    expect(row.get_by_text("Worst throw")).to_be_visible()
    expect(row.locator("meter")).to_be_visible()
    assert violations(page) == []
    more.click()
    expect(row.get_by_text("Worst throw")).to_have_count(0)
    row.get_by_role("link", name="Table 1", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Table 1 · Sic Bo (MA)")
    page.get_by_role("main").get_by_role("link", name="All tables").click()
    expect(row).to_be_visible()


def test_a_tables_page_says_who_deals_what_is_in_use_and_what_closing_requires(visit: Visit, floor: Floor) -> None:
    floor.bet(TABLE, "demo-chen", big=1_000, small=500)
    staff = floor.page(TABLE, "demo-manager")["staff"]
    count = len(staff["bets"])
    assert count > 1
    page = signed_in(visit, "demo-manager", f"/floor/tables/{TABLE}")
    unmet = page.locator(".points-met .unmet")
    expect(unmet).to_contain_text([f"No bets may be on the layout: {count} bets now"])
    crew = page.locator("section.card", has=page.get_by_role("heading", name="May work here"))
    expect(crew).to_contain_text("Dealing now: Dealer 1")
    expect(crew).to_contain_text("Shift: Day")
    page.goto(f"/floor/tables/{TABLE}/equipment")
    things = page.locator(".things > li")
    expect(things.filter(has_text="Automated dice shaker")).to_contain_text("not in use")
    expect(things.filter(has_text="Sic bo shaker")).to_contain_text("in order")
    page.goto(f"/floor/tables/{TABLE}/money")
    expect(page.get_by_role("row", name=re.compile(r"Gaming day \d{4}-\d\d-\d\d"))).to_be_visible()

    page = signed_in(visit, "demo-manager", f"/floor/tables/{TABLE}", language="zh")
    expect(page.locator(".points-met .unmet")).to_contain_text([f"檯面不得有注碼：現有 {count} 注"])
    crew = page.locator("section.card", has=page.get_by_role("heading", name="可當值"))
    expect(crew).to_contain_text("現時主持：Dealer 1")
    expect(crew).to_contain_text("當更：日更")


def test_every_page_has_the_same_links(visit: Visit) -> None:
    page = signed_in(visit, "demo-manager", "/floor")
    ways = page.get_by_role("navigation")
    links = ways.locator("li a")
    for name, heading in (
        ("Approvals", "Approvals"),
        ("Dice", "Dice register"),
        ("People", "People"),
        ("Alarms", "Alarms"),
        ("Webhooks", "Webhooks"),
        ("Audit", "Audit"),
        ("Tables", "Tables"),
        ("Books", "Books"),
        ("Analysis", "Analysis"),
        ("Simulation", "Simulate nights"),
        ("Verify", "Verify a round"),
        ("Floor", "Floor"),
    ):
        ways.get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(heading)
        expect(ways).to_have_count(1)
        expect(ways.locator("[aria-current=page]")).to_have_text(re.compile(name))
        expect(links).to_have_text([re.compile(one) for one in LINKS])
    page.goto(f"/floor/tables/{TABLE}/money")
    expect(ways.locator("[aria-current=page]")).to_have_text("Floor")


@pytest.mark.parametrize(
    ("person", "address", "count", "lines"),
    [("demo-manager", "/floor", len(LINKS), 2), *thorough(("demo-stick-person", "/tables/craps/dealer", 8, 1))],
    ids=["manager", "stick person"],
)
def test_all_links_fit_beside_each_other(visit: Visit, person: str, address: str, count: int, lines: int) -> None:
    page = signed_in(visit, person, address)
    links = page.get_by_role("navigation").locator("li a")
    expect(links).to_have_count(count)
    for language, tables in (("English", "Tables"), ("繁體中文", "賭檯")):
        page.get_by_role("button", name=language).click()
        expect(links.filter(has_text=tables)).to_have_count(1)
        for width in (1024, 1280, 1440):
            page.set_viewport_size({"width": width, "height": 800})
            assert lines_of(links) == 1, (language, width)
            assert lines_of(links.or_(page.locator(".account"))) == lines, (language, width)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (language, width)
            if width > 1024 or person == "demo-manager":
                assert lines_of(page.locator(".brand > *")) == 1, (language, width)


def test_assigning_roles_keeps_the_table(visit: Visit) -> None:
    page = signed_in(visit, "demo-manager", f"/floor/people?table={TABLE}")
    page.get_by_role("link", name="Ben").click()
    where = page.get_by_label("Where")
    page.get_by_label("Role", exact=True).select_option("dealer")
    expect(where).to_have_value(TABLE)
    where.select_option("maryland")
    page.get_by_label("Role", exact=True).select_option("floorperson")
    expect(where).to_have_value("maryland")
    page.get_by_role("button", name="Assign role").click()
    expect(page.get_by_role("alert").or_(page.locator(".toast")).first).to_be_visible()
    expect(where).to_have_value("maryland")
    page.get_by_role("link", name="All people").click()
    page.get_by_role("link", name="Chen").click()
    page.get_by_label("Role", exact=True).select_option("dealer")
    expect(where).to_have_value("maryland")


def test_roles_have_their_names_in_chinese_too(visit: Visit) -> None:
    page = signed_in(visit, "demo-manager", "/floor/people", language="zh")
    person = page.locator(".persons li", has=page.get_by_role("link", name="Dealer 1", exact=True))
    expect(person.locator(".tag")).to_have_text(["荷官"])


def test_a_replay_says_what_happened_in_every_entry(visit: Visit, floor: Floor) -> None:
    number = floor.page(TABLE)["view"]["round"]
    floor.table(TABLE).play_round(1, 2, 3)
    page = signed_in(visit, "demo-auditor", f"/audit/rounds/{TABLE}/{number}")
    entries = page.locator(".replay-entries li")
    expect(entries.filter(has_text="collected the losing bets")).to_have_count(1)


def test_a_comparison_begins_with_the_differences(visit: Visit, demo_address: str) -> None:
    left, right = "massachusetts-sic-bo", "singapore-mbs-sic-bo-v6"
    body = loopback.get(f"{demo_address}/api/v1/compare", params={"left": left, "right": right}).json()["bets"]
    terms = [
        [
            [(one["paytable"], one["pays"], one["house_edge"]["exact"]) for one in bet["in"].get(book, [])]
            for bet in body
        ]
        for book in (left, right)
    ]
    different = sum(one != other for one, other in zip(*terms, strict=True))
    page = visit(f"/analysis?left={left}&right={right}")
    expect(page.get_by_text(f"{different} of {len(body)} bets differ.")).to_be_visible()
    page.set_viewport_size({"width": 1024, "height": 768})
    assert wholly_shown(page.get_by_label("Second book"))
    cells = page.locator("#compare tbody tr td:nth-child(2)")
    same = cells.evaluate_all("cells => cells.map(cell => cell.textContent === 'same')")
    assert same == [False] * different + [True] * (len(body) - different)
    page.goto(f"/analysis?left={left}&right=maryland-sic-bo")
    expect(page.get_by_text("No differences: all 50 bets pay the same.")).to_be_visible()


def test_roads_and_own_bets_stand_beside_the_layout_of_singapore(visit: Visit) -> None:
    page = signed_in(visit, "demo-ann", "/tables/singapore", width=1440, height=900)
    layout = page.locator(".layout")
    expect(layout).to_be_visible()
    edge = layout.bounding_box()
    assert edge is not None
    for part in (".own-bets", ".history"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["x"] > edge["x"] + edge["width"], part
        assert box["y"] + 60 < 900, part
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_a_player_won_is_not_cut_off(visit: Visit, floor: Floor) -> None:
    round_of = floor.table("maryland")
    page = signed_in(visit, "demo-ann", "/tables/maryland", width=1440, height=900)
    floor.bet("maryland", "demo-ann", big=12_300)
    expect(page.locator(".own-bets")).to_contain_text("US$123")
    round_of.play_round(4, 5, 6)
    result = page.locator(".last-throw .result")
    expect(result).to_contain_text("Your result")
    strip, box = page.locator(".last-throw").bounding_box(), result.bounding_box()
    assert strip is not None
    assert box is not None
    assert box["x"] + box["width"] <= strip["x"] + strip["width"]
    assert result.evaluate("one => one.scrollWidth <= one.clientWidth + 1")
