"""The floor's pages: a table is opened, inspected, looked after, suspended and closed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.people import ApiUser, signed_in
from tests.browser.test_lobby import fits

pytestmark = pytest.mark.own_house

Picture = Callable[[Page, str], None]
NORTH = "north-1"


def card(page: Page, title: str) -> Locator:
    """Return a card of the page by its heading."""
    return page.locator("section.card", has=page.get_by_role("heading", name=title, exact=True))


def test_a_manager_opens_a_table_and_the_floor_makes_it_ready_for_a_dealer(
    visit: Visit, manager: ApiUser, demo_address: str, picture: Picture
) -> None:
    page = signed_in(visit, "demo-manager", "/floor")
    expect(page.locator(".floor-row")).to_have_count(7)
    assert violations(page) == []
    picture(page, "floor-overview")
    page.get_by_role("link", name="Open a table").first.click()
    page.get_by_role("radio", name="Maryland").check()
    expect(page.get_by_text("Enter a table ID first.")).to_be_visible()
    expect(page.locator(".open-go .unmet")).to_have_count(0)
    expect(page.get_by_text("edge 33.33% → 37.50%")).to_be_visible()

    page.get_by_label("Table ID").fill("massachusetts")
    expect(page.locator(".trial")).to_contain_text("already open")
    page.get_by_label("Table ID").fill(NORTH)
    expect(page.get_by_text("Ready to open.")).to_be_visible()
    expect(page.get_by_label("Table number")).to_have_value("8")
    page.get_by_label("Table number").fill("3")
    expect(page.locator(".trial")).to_contain_text("Another open table (Table 3 · Sic Bo (SG)) has the number 3.")
    page.get_by_label("Table number").fill("none")
    expect(page.get_by_text("Enter a whole number.")).to_be_visible()
    expect(page.locator(".open-go .unmet")).to_have_text("Correct the marked fields first.")
    page.get_by_label("Table number").fill("12")
    expect(page.get_by_text("Ready to open.")).to_be_visible()
    page.get_by_label("Maximum", exact=True).fill("nonsense")
    expect(page.get_by_text("Enter a valid amount.")).to_be_visible()
    expect(page.get_by_role("button", name="Open table")).to_be_disabled()
    page.get_by_label("Maximum", exact=True).fill("300")
    page.get_by_label("Payout limit per throw").fill("20000")
    page.get_by_role("radio", name="exactly two dice").check()
    expect(page.get_by_text("Ready to open.")).to_be_visible()
    assert violations(page) == []
    picture(page, "floor-open")
    page.get_by_role("button", name="Open table").click()
    page.wait_for_url(f"**/floor/tables/{NORTH}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Table 12 · Sic Bo (MD)")

    expect(page.get_by_text("Nobody here has a role for this book yet")).to_be_visible()
    expect(card(page, "Before a round can start").locator(".unmet")).to_have_count(10)
    picture(page, "floor-opened")
    for name, role in (("demo-dealer", "dealer"), ("demo-floorperson", "floorperson")):
        given = manager.client.post(f"/api/v1/people/{name}/roles", json={"role": role, "table": NORTH})
        assert given.is_success, given.text

    floor = signed_in(visit, "demo-floorperson", f"/floor/tables/{NORTH}/equipment")
    expect(floor.get_by_role("tab", name="Equipment")).to_have_attribute("aria-selected", "true")
    console = signed_in(visit, "demo-dealer", f"/tables/{NORTH}/dealer")
    console.locator(".due-missing").get_by_role("button", name="Take over the table").click()
    expect(console.locator(".due-missing li").first).to_contain_text("Dice are in the shaker")
    floor.get_by_label("Name or number of the set").fill("lot 7")
    floor.get_by_role("button", name="Put in dice").click()
    expect(card(floor, "Dice")).to_contain_text("lot 7")
    expect(card(floor, "Dice").locator("meter")).to_be_visible()

    inspections = card(floor, "Inspections")
    inspections.get_by_role("button", name="Inspect").click()
    dialog = floor.get_by_role("dialog")
    for face in (1, 2, 3):
        dialog.get_by_role("button", name=f"Die {face}").click()
    lit = dialog.locator(".area-lit")
    expect(lit).to_have_count(len(must_light(manager, (1, 2, 3))))
    expect(dialog.get_by_role("button", name="Exactly these lit up")).to_be_enabled()
    assert violations(floor) == []
    picture(floor, "floor-inspecting")
    dialog.locator('[data-wager="big"]').first.click()
    expect(dialog.get_by_text("1 area differs")).to_be_visible()
    dialog.get_by_role("button", name="It differs as marked").click()
    expect(floor.get_by_text("Inspection failed")).to_be_visible()
    inspections.get_by_role("button", name="Inspect").click()
    for face in (4, 4, 6):
        dialog.get_by_role("button", name=f"Die {face}").click()
    dialog.get_by_role("button", name="Exactly these lit up").click()
    expect(inspections.locator(".met")).to_have_count(1)

    boxes = (("Drop box", 1), ("Tip box", 1))
    for thing, points in (("Dice", 1), ("Sic Bo shaker", 8), ("Electrical device", 1), ("Layout", 4), *boxes):
        inspections.get_by_role("button", name=f"Check: {thing}").click()
        ticks = floor.get_by_role("dialog").get_by_role("checkbox")
        expect(ticks).to_have_count(points)
        for tick in ticks.all():
            tick.check()
        floor.get_by_role("dialog").get_by_role("button", name="Record").click()
        expect(floor.get_by_role("dialog")).to_have_count(0)
    expect(inspections.locator(".unmet")).to_have_count(0)
    picture(floor, "floor-equipment")

    floor.get_by_role("tab", name="Now").click()
    expect(card(floor, "Ready for a round")).to_be_visible()
    dealer = ApiUser(demo_address, "demo-dealer")
    assert dealer.command("dealer", {"type": "BuyIn", "amount": 1000, "player": "demo-ann"}, NORTH).status_code == 200
    bet = {"type": "PlaceBets", "player": "demo-ann", "bets": [{"wager": "small", "amount": 500}]}
    assert dealer.command("dealer", bet, NORTH).status_code == 200
    expect(card(floor, "Round")).to_contain_text("1 bet")
    expect(card(floor, "Round")).to_contain_text("−US$5.00")
    assert violations(floor) == []
    picture(floor, "floor-now")
    dealer.client.close()


def must_light(user: ApiUser, dice: tuple[int, ...]) -> list[str]:
    request = {"dice": dice, "readings": {"double-with-triple": "exactly-two"}}
    found: list[str] = user.client.post("/api/v1/books/maryland-sic-bo/illuminate", json=request).json()["wins"]
    return found


def test_a_manager_opens_a_base_game_with_side_bets_on_the_same_hand(visit: Visit, manager: ApiUser) -> None:
    page = visit("/floor/open", name="demo-manager")
    page.get_by_role("radio", name="Sic Bo (Maryland)").check()
    expect(page.get_by_role("group", name="Side bets on the same hand")).to_have_count(0)
    page.get_by_role("radio", name="Craps (house rules)").check()
    sides = page.get_by_role("group", name="Side bets on the same hand")
    expect(sides.get_by_role("checkbox")).to_have_count(3)
    for title in ("Dice-Ology", "Craps bonus bets"):
        sides.get_by_role("checkbox", name=title).check()
    sides.get_by_role("checkbox", name="Dice-Ology").uncheck()
    page.get_by_label("Table ID").fill("craps-and-bonus")
    expect(page.get_by_text("Ready to open.")).to_be_visible()
    page.get_by_role("button", name="Open table").click()
    page.wait_for_url("**/floor/tables/craps-and-bonus")
    opened = manager.client.get("/api/v1/tables/craps-and-bonus").json()
    assert opened["view"]["book"] == "craps+craps-bonus"


def test_limits_change_between_rounds_within_the_text_or_are_refused_with_the_clause(
    visit: Visit, manager: ApiUser, picture: Picture
) -> None:
    page = signed_in(visit, "demo-manager", "/floor/tables/dice-ology/terms")
    expect(page.get_by_role("row", name="Little Ones")).to_contain_text("7.76%")
    assert violations(page) == []
    picture(page, "floor-terms")
    page.get_by_role("button", name="Change terms").click()
    most = page.locator(".limit-rows > li").last.get_by_label("Maximum")
    most.fill("50")
    trial = page.locator(".trial")
    expect(trial).to_contain_text("Little Ones: the book allows stakes from US$1 to US$10")
    expect(trial).to_contain_text("Clause (3)")
    picture(page, "floor-terms-refused")
    most.fill("5")
    page.get_by_role("radio", name="PT2").check()
    expect(trial).to_contain_text("Ready to open.")
    page.get_by_role("button", name="Apply new terms").click()
    expect(page.get_by_text("The new terms apply now.")).to_be_visible()
    expect(page.get_by_role("button", name="Change terms")).to_be_visible()
    setup = manager.client.get("/api/v1/tables/dice-ology").json()["rules"]["setup"]
    assert setup["paytables"] == {"dice-ology": "PT2"}
    assert list(setup["limits"].values())[-1]["stake_max"] == 500


def test_the_register_of_dice_says_where_every_set_is(visit: Visit, demo_address: str, picture: Picture) -> None:
    page = signed_in(visit, "demo-casino-supervisor", "/floor/dice")
    row = page.get_by_role("row", name="demo set 1")
    expect(row.get_by_role("link", name="Table 1")).to_be_visible()
    expect(row).to_contain_text("Put in")
    assert violations(page) == []
    picture(page, "floor-dice")


def test_dice_are_replaced_and_a_failed_device_is_called_and_repaired(
    visit: Visit, manager: ApiUser, demo_address: str, picture: Picture
) -> None:
    page = signed_in(visit, "demo-casino-supervisor", "/floor/tables/massachusetts/equipment")
    dice = card(page, "Dice")
    dice.get_by_role("button", name="Replace dice").click()
    dice.get_by_label("Name or number of the set").fill("demo set 1")
    dice.get_by_role("button", name="Dice are in").click()
    expect(page.locator(".toast")).to_contain_text("already in use")
    dice.get_by_label("Name or number of the set").fill("fresh set")
    dice.get_by_role("button", name="Dice are in").click()
    expect(dice).to_contain_text("fresh set")
    expect(dice.get_by_role("button", name="Replace dice")).to_be_visible()

    page.get_by_role("tab", name="Now").click()
    suspension = card(page, "Suspension")
    expect(suspension).to_contain_text("Play is not suspended.")
    suspension.get_by_role("button", name="The electrical device").click()
    page.get_by_role("dialog").get_by_label("What happened").fill("no lights")
    page.get_by_role("dialog").get_by_role("button", name="Call it").click()
    expect(suspension).to_contain_text("Play is stopped: Electrical device is out of order")
    picture(page, "floor-suspended")
    over = signed_in(visit, "demo-manager", "/floor")
    expect(over.locator(".floor-row").first).to_contain_text("Play is stopped: Electrical device is out of order")
    suspension.get_by_role("button", name="Mark as repaired").click()
    expect(suspension).to_contain_text("Play is not suspended.")
    assert manager.view()["failed"] == {}


def test_a_manual_shaker_takes_the_automated_ones_place_once_that_is_put_away(visit: Visit, manager: ApiUser) -> None:
    page = signed_in(visit, "demo-floorperson", "/floor/tables/massachusetts/equipment")
    shaker = card(page, "Shaker")
    shaker.get_by_role("button", name="Use an automated shaker").click()
    expect(shaker).to_contain_text("An automated shaker is in use.")
    expect(card(page, "Inspections").get_by_role("button", name="Inspect: Operate")).to_have_count(1)
    expect(shaker.get_by_role("button", name="Use a manual shaker")).to_have_count(0)
    expect(shaker.get_by_label("How").get_by_role("option")).to_have_text(["Removed from the table"])
    shaker.get_by_role("button", name="Put away the automated shaker").click()
    expect(shaker).to_contain_text("The automated shaker is put away.")
    shaker.get_by_role("button", name="Use a manual shaker").click()
    expect(shaker).to_contain_text("A manual shaker is in use.")


def test_a_table_that_runs_by_itself_is_held_and_its_round_made_void_by_two(
    visit: Visit, manager: ApiUser, picture: Picture
) -> None:
    page = signed_in(visit, "demo-manager", "/floor/tables/singapore")
    hold = card(page, "Pause the table")
    hold.get_by_label("Reason").fill("a spilt drink")
    hold.get_by_role("button", name="Pause").click()
    expect(hold).to_contain_text("Paused: a spilt drink")
    void = card(page, "Void the round")
    void.get_by_label("Reason").fill("the drink again")
    void.get_by_role("button", name="Propose").click()
    expect(void).to_contain_text("Someone else must approve your proposal")
    assert violations(page) == []
    picture(page, "floor-automatic")
    second = signed_in(visit, "demo-pit-supervisor", "/floor/tables/singapore")
    card(second, "Void the round").get_by_role("button", name="Approve").click()
    expect(card(second, "Void the round")).to_contain_text("This takes two people")
    hold.get_by_role("button", name="Resume").click()
    expect(hold.get_by_role("button", name="Pause")).to_be_visible()
    closing = card(second, "Close the table").locator(".points-met li")
    expect(closing.first).to_contain_text("Nothing may have been bet or done in this round")
    expect(closing.first).to_have_class("met")


def test_a_manager_closes_a_table_and_opens_it_again_with_its_terms(
    visit: Visit, manager: ApiUser, picture: Picture
) -> None:
    page = signed_in(visit, "demo-manager", "/floor/tables/maryland")
    card(page, "Close the table").get_by_role("button", name="Close table").click()
    page.get_by_role("dialog").get_by_role("button", name="Close table").click()
    expect(page.get_by_text("This table is closed.")).to_be_visible()
    assert manager.view("maryland")["open"] is False
    page.get_by_role("link", name="Reopen").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Reopen Table 2")
    expect(page.get_by_role("radio", name="Maryland")).to_be_checked()
    expect(page.get_by_text("Ready to open.")).to_be_visible()
    page.get_by_role("button", name="Open table").click()
    expect(card(page, "Before a round can start")).to_be_visible()
    assert manager.view("maryland")["open"] is True


def test_people_without_permission_see_a_reason_and_no_buttons(visit: Visit) -> None:
    page = signed_in(visit, "demo-dealer", "/floor/tables/massachusetts")
    closing = card(page, "Close the table")
    expect(closing).to_contain_text("Only for managers.")
    expect(closing.get_by_role("button")).to_have_count(0)
    expect(page.get_by_role("link", name="Open a table")).to_have_count(0)
    page.goto("/floor/open")
    expect(page.get_by_text("Only managers can open tables.")).to_be_visible()
    page.goto("/floor/tables/nowhere")
    expect(page.get_by_text("There is no table")).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)
    page.get_by_role("link", name="Back to the floor").click()
    expect(page.locator(".floor-row").first).to_be_visible()
    player = signed_in(visit, "demo-ann", "/floor")
    expect(player.get_by_text("The Floor page is for table staff")).to_be_visible()
    expect(visit("/floor").get_by_role("link", name="Sign in").first).to_be_visible()


@pytest.mark.thorough
def test_the_floor_fits_a_phone_and_speaks_chinese(visit: Visit, picture: Picture) -> None:
    page = signed_in(visit, "demo-manager", "/floor", width=360, height=740, language="zh")
    for address, heading in (
        ("/floor", "樓面"),
        ("/floor/tables/massachusetts", "1 號檯 · 骰寶（麻省）"),
        ("/floor/tables/massachusetts/equipment", "1 號檯 · 骰寶（麻省）"),
        ("/floor/tables/dice-works/terms", "4 號檯 · Dice Works（骰數齊全）"),
        ("/floor/open", "開檯"),
    ):
        page.goto(address)
        expect(page.get_by_role("heading", level=1)).to_have_text(heading)
        if address == "/floor/open":
            page.get_by_role("radio", name="骰數齊全").check()
            expect(page.get_by_text("優勢").first).to_be_visible()
        else:
            expect(page.locator(".floor-row, .card").first).to_be_visible()
        assert fits(page), address
        assert violations(page) == [], address
        picture(page, "floor-zh-360" + address.replace("/", "-"))
