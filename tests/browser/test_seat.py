"""A seat at a table: the chip counter, colour chips, a bet that moves, one's share in the draw, what a reload keeps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests import loopback
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.houses import House
from tests.browser.live_house import end_betting, open_automatic_tables, reopen_betting, wait_for_betting
from tests.browser.people import ApiUser, signed_in
from tests.browser.rounds import HOLDS, until, until_held
from tests.browser.test_play import area
from tests.browser.windows import Windows

pytestmark = pytest.mark.own_house

Picture = Callable[[Page, str], None]


@pytest.fixture(scope="module")
def tables(demo_address: str) -> list[str]:
    """Open one table for each test."""
    return open_automatic_tables(demo_address, 8)


@pytest.fixture
def table(tables: list[str]) -> str:
    """Return an unused table, so that no test waits for the round of another."""
    return tables.pop()


def money(page: Page, staked: str, balance: str) -> None:
    expect(page.locator(".rail-staked")).to_have_text(staked)
    expect(page.locator(".rail-balance")).to_have_text(balance)


def own(player: ApiUser, table: str) -> dict[str, Any]:
    found: dict[str, Any] = player.client.get(f"/api/v1/tables/{table}").json()["mine"]
    return found


def test_chips_are_given_back_taken_again_and_changed_into_ones_own_colour(
    visit: Visit, table: str, ben: ApiUser, picture: Picture
) -> None:
    page = signed_in(visit, "demo-ben", f"/tables/{table}")
    page.get_by_role("button", name="Chips", exact=True).click()
    dialog = page.get_by_role("dialog")
    giving, changing = dialog.locator("form").nth(1), dialog.locator("form").nth(2)
    giving.get_by_label("Amount").fill("2000")
    expect(giving.get_by_text("The most you can enter is ◇1,000.00.")).to_be_visible()
    giving.get_by_label("Amount").fill("400")
    giving.get_by_role("button", name="Return chips").click()
    expect(page.locator(".rail-balance")).to_have_text("◇600.00")
    dialog.get_by_role("button", name="Top up").click()
    expect(page.locator(".rail-balance")).to_have_text("◇1,000.00")
    changing.get_by_label("Value of one chip").fill("2")
    expect(changing.get_by_text("need a marker")).to_be_visible()
    expect(changing.get_by_role("button", name="Change ◇40 into colour chips")).to_be_disabled()
    changing.get_by_label("Value of one chip").fill("1")
    changing.get_by_label("How many").fill("40")
    changing.get_by_role("button", name="Change ◇40 into colour chips").click()
    expect(changing.get_by_text("Your blue chips are worth ◇1 each; you have ◇40 in total.")).to_be_visible()
    expect(page.locator(".rail-colour")).to_have_text("◇40.00")
    expect(page.locator(".rail-balance")).to_have_text("◇960.00")
    redeeming = dialog.locator("form").nth(3)
    redeeming.get_by_label("Amount").fill("10")
    redeeming.get_by_role("button", name="Redeem colour chips").click()
    expect(page.locator(".rail-colour")).to_have_text("◇30.00")
    expect(page.locator(".rail-balance")).to_have_text("◇970.00")
    assert violations(page) == []
    picture(page, "seat-counter")
    page.keyboard.press("Escape")

    wait_for_betting(page)
    page.get_by_role("button", name="Colour chip worth ◇1").click()
    area(page, "Big").dblclick()
    money(page, "◇2.00", "◇970.00")
    expect(page.locator(".rail-colour")).to_have_text("◇28.00")
    expect(page.locator(".own-bet-note")).to_have_text("colour chips")
    area(page, "Big").click(button="right")
    money(page, "◇1.00", "◇970.00")
    expect(page.locator(".rail-colour")).to_have_text("◇29.00")

    def lying() -> list[tuple[str, int, str]]:
        return [(bet["wager"], bet["amount"], bet["kind"]) for bet in own(ben, table)["bets"]]

    until(lambda: lying() == [("big", 100, "colour")], "a colour chip on Big")


def test_a_bet_moves_to_another_area_and_back_and_every_act_is_undone_exactly(
    visit: Visit, table: str, demo_address: str
) -> None:
    page = signed_in(visit, "demo-ann", f"/tables/{table}")
    wait_for_betting(page)
    page.keyboard.press("2")
    area(page, "Big").click()
    money(page, "◇5.00", "◇995.00")
    page.get_by_role("button", name="Move the bet on Big").click()
    expect(page.locator(".carrying")).to_contain_text("◇5 on Big")
    area(page, "Odd").click()
    expect(page.locator(".carrying")).to_have_count(0)
    expect(page.locator(".own-bet-name")).to_have_text(["Odd"])
    page.get_by_role("button", name="Double", exact=True).click()
    money(page, "◇10.00", "◇990.00")
    for staked, balance in (("◇5.00", "◇995.00"), ("◇5.00", "◇995.00"), ("◇0.00", "◇1,000.00")):
        page.get_by_role("button", name="Undo").click()
        money(page, staked, balance)
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    expect(page.locator(".own-bets li")).to_have_count(0)


def staked(player: ApiUser, table: str) -> dict[str, int]:
    return {bet["wager"]: bet["amount"] for bet in own(player, table)["bets"]}


def test_a_bet_that_was_moved_before_it_was_confirmed_is_doubled_once(
    windows: Windows, table: str, ann: ApiUser
) -> None:
    page = windows.open("/assets/nothing", name="demo-ann", fresh=True)
    page.add_init_script(HOLDS)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/commands", hold)
    page.goto(f"/tables/{table}")
    wait_for_betting(page)
    page.keyboard.press("2")
    area(page, "Big").click()
    page.get_by_role("button", name="Move the bet on Big").click()
    area(page, "Odd").click()
    move = until_held(page, held)
    page.wait_for_function("brought.includes('Placed')")
    expect(page.locator(".rail-staked")).to_have_text("◇5.00")
    page.get_by_role("button", name="Double", exact=True).click()
    move.continue_()
    until(lambda: page.evaluate("1") and staked(ann, table) == {"odd": 1000}, "the doubled bet")
    page.unroute_all()
    page.get_by_role("button", name="Clear", exact=True).click()
    until(lambda: page.evaluate("1") and not staked(ann, table), "an empty layout")


@pytest.mark.thorough
def test_what_was_bet_last_is_repeated_after_a_reload_too(
    visit: Visit, own_house: House, table: str, chen: ApiUser
) -> None:
    page = signed_in(visit, "demo-chen", f"/tables/{table}")
    wait_for_betting(page)
    area(page, "Small").click()
    page.keyboard.press("2")
    area(page, "Even").click()
    money(page, "◇6.00", "◇994.00")
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    end_betting(own_house, page)
    expect(page.locator(".result")).to_be_visible()
    expect(page.locator(".own-bets .settled li")).to_have_count(2)
    assert not [url for url in requested if url.endswith(f"/tables/{table}")], "only the stream carries the settlement"
    assert own(chen, table)["last"] == {"small": 100, "even": 500}
    page.reload()
    reopen_betting(own_house, page)
    page.get_by_role("button", name="Repeat").click()
    expect(page.locator(".rail-staked")).to_have_text("◇6.00")
    expect(page.locator(".own-bet-name")).to_have_text(["Small", "Even"])


def test_a_players_share_in_the_draw_stands_in_the_proof_of_the_round(
    visit: Visit, own_house: House, table: str, demo_address: str
) -> None:
    page = signed_in(visit, "demo-ann", f"/tables/{table}")
    wait_for_betting(page)
    page.get_by_text("Add your own randomness").click()
    page.get_by_label("Any text").fill("seven green bottles")
    page.get_by_role("button", name="Add this text").click()
    expect(page.locator(".draw-given")).to_contain_text("seven green bottles")
    assert violations(page) == []
    area(page, "Big").click()
    end_betting(own_house, page)
    expect(page.locator(".result")).to_be_visible()
    reopen_betting(own_house, page)
    expect(page.locator(".draw-given")).to_have_count(0)
    rounds = loopback.get(f"{demo_address}/api/v1/tables/{table}/rounds").json()["rounds"]
    proof = loopback.get(f"{demo_address}/api/v1/tables/{table}/rounds/{rounds[0]['number']}/proof").json()
    assert proof["nonces"] == ["seven green bottles"]


@pytest.mark.thorough
def test_the_roads_show_what_lit_up_in_each_round(
    visit: Visit, own_house: House, table: str, ann: ApiUser, demo_address: str
) -> None:
    page = visit(f"/tables/{table}")
    until(lambda: ann.view(table)["betting"], "the first round")
    assert ann.bets("small", 100, table).status_code == 200
    end_betting(own_house, page)
    expect(page.locator(".strip-round").first).to_be_visible()
    rounds = loopback.get(f"{demo_address}/api/v1/tables/{table}/rounds").json()["rounds"]
    latest = page.locator(".strip-round").first.locator(".mark")
    expect(latest).to_have_count(len(rounds[0]["lit"]))
    names = latest.evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    lit = {one.replace("-", " ").capitalize() for one in rounds[0]["lit"]}
    assert set(names) == lit
    data = loopback.get(f"{demo_address}/api/v1/tables/{table}/rounds/{rounds[0]['number']}").json()["lit"]
    assert set(rounds[0]["lit"]) <= set(data)
    faces = page.get_by_role("img", name=f"Totals in {len(rounds)}")
    expect(faces).to_be_visible()


@pytest.mark.thorough
def test_on_a_phone_a_long_press_takes_a_chip_off(visit: Visit, table: str) -> None:
    page = signed_in(visit, "demo-ann", f"/tables/{table}", width=360, height=740)
    wait_for_betting(page)
    page.locator(".table-main > .layout [data-wager]").first.tap()
    page.locator(".table-main > .layout [data-wager]").first.tap()
    expect(page.locator(".rail-staked")).to_have_text("◇2.00")
    expect(page.locator(".countdown")).to_be_visible()  # it takes its place above the layout
    box = page.locator(".table-main > .layout [data-wager]").first.bounding_box()
    assert box is not None
    finger = page.context.new_cdp_session(page)
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    expect(page.locator(".rail-staked")).to_have_text("◇1.00")
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator(".rail-staked")).to_have_text("◇1.00")
