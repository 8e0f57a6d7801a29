"""The player's table during a round: nothing of the layout moves, chips tell the truth, what belongs together is shown
together, and a throw is revealed step by step."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.houses import House
from tests.browser.live_house import end_betting, open_automatic_tables, reopen_betting, wait_for_betting
from tests.browser.people import ApiUser
from tests.browser.rounds import until_held
from tests.browser.test_layout import cut
from tests.browser.test_play import area, sit_down

pytestmark = pytest.mark.own_house

Picture = Callable[[Page, str], None]
SIZES = {"phone": (390, 844), "tablet": (1024, 768), "desktop": (1440, 900)}

PLACES = """() => Object.fromEntries(
  [...document.querySelectorAll(".table-top, .last-throw, .table-call, .table-note, .rail, .layout [data-wager]")]
    .map(one => [one.dataset.wager ?? one.classList[0], one.getBoundingClientRect()])
    .map(([name, box]) => [name, [box.x, box.y + (/rail|note/.test(name) ? 0 : scrollY), box.width, box.height]])
    .map(([name, box]) => [name, box.map(Math.round).join()]))"""
"""Where every area of the layout is, and each part of the page around it."""

WATCH = f"""() => {{
  const places = {PLACES};
  const first = places();
  window.moved = {{}};
  window.seen = new Set();
  window.early = [];
  window.gone = [];
  const look = () => {{
    for (const [name, box] of Object.entries(places())) {{
      if (first[name] !== box) window.moved[name] = [first[name], box];
    }}
    for (const one of ["reveal-cover", "rested", "layout-lit", "result", "refused-stake", "others"]) {{
      if (document.querySelector("." + one)) window.seen.add(one);
    }}
    window.seen.add("rested " + document.querySelectorAll(".rested").length);
    for (const die of document.querySelectorAll(".die-falling")) {{
      if (die.querySelector(".pip")) window.early.push(die.outerHTML);
    }}
    const hidden = document.querySelector(".reveal");
    if (hidden && document.querySelector(".last-throw .pip, .layout-lit")) window.early.push("before the dice rest");
    const stakes = [...document.querySelectorAll(".rail-staked, .own-bets")].map(one => one.textContent);
    if (hidden && stakes.some(one => one === "◇0.00" || !/◇/.test(one))) window.gone.push(stakes.join());
  }};
  new MutationObserver(look).observe(document.body, {{ childList: true, subtree: true, attributes: true }});
}}"""
"""Looks at the page whenever it changes: what moved, what was seen, faces that were shown too early, and own
bets that were gone before the dice rested."""


def seen(page: Page) -> set[str]:
    return set(page.evaluate("[...window.seen]"))


@pytest.fixture(scope="module")
def tables(demo_address: str) -> list[str]:
    """Open one table for each test."""
    return open_automatic_tables(demo_address, 12)


@pytest.fixture
def table(tables: list[str]) -> str:
    """Return an unused table, so that no test waits for the round of another."""
    return tables.pop()


@pytest.mark.thorough
@pytest.mark.parametrize("size", SIZES)
def test_no_area_moves_in_a_whole_round_with_bets_errors_and_results(
    visit: Visit, own_house: House, table: str, ben: ApiUser, picture: Picture, size: str
) -> None:
    width, height = SIZES[size]
    page = sit_down(visit, "demo-ann", table, width=width, height=height, still=False)
    wait_for_betting(page)
    assert len(page.evaluate(PLACES)) > 20
    page.evaluate(WATCH)
    area(page, "Big").click()
    expect(page.locator(".own-chip")).to_have_count(1)
    for wager in ("small", "odd", "total/9"):
        assert ben.bets(wager, 300, table).status_code == 200
    expect(page.locator(".others")).to_have_count(3)
    page.keyboard.press("5")
    area(page, "Big").click()
    expect(page.locator(".refused-stake")).to_contain_text("The maximum here is ◇500.")
    area(page, "Small").hover()
    end_betting(own_house, page)
    expect(page.locator(".result")).to_be_visible()
    reopen_betting(own_house, page)
    expect(page.locator(".last-throw .result")).to_be_visible()
    assert seen(page) >= {"reveal-cover", "rested", "layout-lit", "result", "refused-stake", "others"}
    assert page.evaluate("window.moved") == {}
    assert cut(page) == []
    expect(page.locator(".table-facts").get_by_role("link", name="Odds and limits")).to_be_in_viewport(ratio=1)
    assert violations(page) == []
    picture(page, f"table-{size}")


@pytest.mark.thorough
def test_a_bet_is_hollow_until_the_table_confirms_it(visit: Visit, table: str) -> None:
    page = sit_down(visit, "demo-ann", table)
    wait_for_betting(page)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/bets", hold)
    area(page, "Big").click()
    expect(page.locator(".pending-chip")).to_have_count(1)
    expect(page.locator(".own-chip")).to_have_count(0)
    expect(area(page, "Big")).to_have_attribute("aria-label", re.compile("not confirmed yet"))
    until_held(page, held).continue_()
    expect(page.locator(".own-chip")).to_have_count(1)
    expect(page.locator(".pending-chip")).to_have_count(0)


def test_a_stake_that_the_table_refuses_slides_back_with_the_reason_on_its_area(visit: Visit, table: str) -> None:
    page = sit_down(visit, "demo-ben", table)
    wait_for_betting(page)
    balance = page.locator(".rail-balance").inner_text()
    problem = {
        "type": "/problems/betting-closed",
        "title": "Betting is closed",
        "status": 409,
        "detail": "Big cannot be made now",
        "message": {"id": "problems.refused", "params": {}, "text": "Big cannot be made now"},
        "refusal": "betting-closed",
        "clauses": ["3.2"],
    }
    page.route(
        "**/bets", lambda route: route.fulfill(status=409, json=problem, content_type="application/problem+json")
    )
    area(page, "Big").click()
    reason = page.locator(".refused-stake")
    expect(reason).to_contain_text("Big cannot be made now")
    expect(page.locator(".refused-chip")).to_have_count(1)
    expect(page.locator(".toast")).to_have_count(0)
    expect(page.locator(".rail-balance")).to_have_text(balance)
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    big, box = area(page, "Big").bounding_box(), reason.bounding_box()
    assert big is not None
    assert box is not None
    assert abs(box["x"] + box["width"] / 2 - big["x"] - big["width"] / 2) < 200
    assert min(abs(box["y"] - big["y"] - big["height"]), abs(box["y"] + box["height"] - big["y"])) < 20
    assert violations(page) == []
    reason.get_by_role("button").click()
    expect(reason).to_have_count(0)


def test_funds_and_maximum_are_checked_before_anything_is_sent(visit: Visit, table: str, chen: ApiUser) -> None:
    assert chen.command("player", {"type": "CashOut", "amount": 99_800}, table).status_code == 200
    page = sit_down(visit, "demo-chen", table)
    wait_for_betting(page)
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url) if request.url.endswith("/bets") else None)
    balance = page.locator(".rail-balance")
    expect(balance).to_have_text("◇2.00")
    page.keyboard.press("2")
    area(page, "Big").click()
    expect(page.locator(".refused-stake")).to_contain_text("Not enough chips: you have ◇2, this bet is ◇5.")
    expect(balance).to_have_text("◇2.00")
    assert requested == []
    page.get_by_role("button", name="free").click()
    expect(balance).to_have_text("◇1,000.00")
    page.keyboard.press("4")
    for _ in range(3):
        area(page, "Big").click()
    double = page.get_by_role("button", name="Double", exact=True)
    double.click()
    expect(page.locator(".rail-staked")).to_have_text("◇500.00")
    expect(double).to_be_disabled()
    expect(balance).to_have_text("◇500.00")
    area(page, "Big").click()
    expect(page.locator(".refused-stake")).to_contain_text("The maximum here is ◇500.")


@pytest.mark.thorough
def test_a_late_bet_is_refused_on_its_area_without_asking(visit: Visit, own_house: House, table: str) -> None:
    page = sit_down(visit, "demo-ann", table)
    wait_for_betting(page)
    area(page, "Big").click()
    end_betting(own_house, page)
    expect(page.locator(".result")).to_be_visible()
    area(page, "Small").click()
    expect(page.locator(".refused-stake")).to_contain_text("Betting isn't open.")
    expect(page.locator(".rail-staked")).to_have_text("◇0.00")


@pytest.mark.thorough
def test_dice_round_and_result_belong_together_until_the_next_throw(visit: Visit, own_house: House, table: str) -> None:
    page = sit_down(visit, "demo-ann", table)
    wait_for_betting(page)
    expect(page.locator(".now-round")).to_have_text("Round 1")
    area(page, "Big").click()
    end_betting(own_house, page)
    expect(page.locator(".result")).to_be_visible()
    expect(page.locator(".throw-round")).to_have_text("Round 1")
    expect(page.locator(".now-round")).to_have_text("Round 1")
    total = re.sub(r"\D", "", page.locator(".table-total").inner_text())
    expect(page.locator(".announcement")).to_have_text(re.compile(rf"^{total} · "))
    result = page.locator(".result").inner_text()
    reopen_betting(own_house, page)
    expect(page.locator(".now-round")).to_have_text("Round 2")
    expect(page.locator(".throw-round")).to_have_text("Round 1")
    expect(page.locator(".table-total")).to_contain_text(total)
    assert page.locator(".result").inner_text() == result
    page.reload()
    expect(page.locator(".throw-round")).to_have_text("Round 1")
    expect(page.locator(".table-total")).to_contain_text(total)
    expect(page.locator(".now-round")).to_have_text("Round 2")


def test_dice_come_to_rest_one_by_one_and_show_no_face_before(visit: Visit, own_house: House, table: str) -> None:
    page = sit_down(visit, "demo-ann", table, still=False)
    wait_for_betting(page)
    area(page, "Big").click()
    page.evaluate(WATCH)
    end_betting(own_house, page)
    expect(page.locator(".result")).to_be_visible()
    assert seen(page) >= {"reveal-cover", "rested 1", "rested 2", "rested 3", "layout-lit"}
    assert page.evaluate("window.early") == []
    assert page.evaluate("window.gone") == []


@pytest.mark.thorough
def test_a_reveal_can_be_skipped_and_reduced_motion_has_none(visit: Visit, own_house: House, table: str) -> None:
    page = sit_down(visit, "demo-ann", table, still=False)
    calm = sit_down(visit, "demo-ben", table)
    wait_for_betting(page)
    area(page, "Big").click()
    end_betting(own_house, page)
    page.get_by_role("button", name="Skip").click()
    expect(page.locator(".result")).to_be_visible()
    expect(page.locator(".reveal")).to_have_count(0)
    expect(calm.locator(".layout-lit")).to_be_visible()
    expect(calm.locator(".reveal")).to_have_count(0)
