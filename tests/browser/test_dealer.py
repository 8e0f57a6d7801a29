"""The dealer's console and the display board: a whole round by keyboard, and what goes wrong beside it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.people import ApiUser, signed_in
from tests.browser.rounds import until_held
from tests.browser.test_lobby import fits
from tests.browser.windows import resize
from tests.waiting import until

pytestmark = pytest.mark.own_house

TABLE = "massachusetts"
Picture = Callable[[Page, str], None]


def at_work(visit: Visit, table: str = TABLE, name: str = "demo-dealer", **how: Any) -> Page:
    """Someone's console."""
    page = signed_in(visit, name, f"/tables/{table}/dealer", **how)
    expect(page.locator(".due")).to_be_visible()
    return page


def run_until(page: Page, condition: Callable[[], object], awaited: str, milliseconds: int = 20) -> None:
    """Let the page's own clock run until a condition is true."""

    def ran() -> object:
        page.clock.run_for(milliseconds)
        return condition()

    until(ran, awaited)


def due(page: Page, words: str) -> None:
    """Wait until this step is due and can be taken."""
    expect(page.locator(".due:not(.due-fresh) .due-says")).to_contain_text(words)


def finish(dealer: ApiUser) -> None:
    """Finish a round that another test left open."""
    table = dealer.table(TABLE)
    if not table.view["betting"]:
        table.play_round()


def test_a_dealer_runs_a_whole_round_by_keyboard_and_the_board_lights_the_same(
    visit: Visit, ann: ApiUser, dealer: ApiUser, picture: Picture
) -> None:
    finish(dealer)
    page = at_work(visit)
    board = visit(f"/tables/{TABLE}/board", width=1920, height=1080)
    expect(board.get_by_text("Place your bets")).to_be_visible()
    number = dealer.view()["round"]
    assert ann.bets("small", 1000).status_code == 200
    assert ann.bets("big", 500).status_code == 200
    expect(page.locator(".lines li", has_text="Ann")).to_have_count(2)
    due(page, "Close betting")
    expect(page.locator(".due")).to_contain_text("5(c)")
    assert violations(page) == []
    picture(page, "dealer-betting")

    page.keyboard.press("Enter")
    due(page, "shake it at least three times")
    expect(board.locator(".announcement")).to_have_text("No more bets")
    late = ann.bets("small", 1000)
    assert late.status_code == 409
    assert late.json()["type"].endswith("betting-closed")

    page.keyboard.press("Enter")
    due(page, "Take the cover off")
    page.keyboard.press("Enter")
    due(page, "Call the value")
    page.keyboard.press("Enter")
    due(page, "Call the value")
    page.keyboard.type("126")
    page.keyboard.press("Backspace")
    page.keyboard.press("3")
    expect(page.locator(".typed")).to_have_attribute("aria-label", "Dice 1, 2, 3")
    picture(page, "dealer-dice")
    page.keyboard.press("Enter")  # typed only once, but the same dice are entered

    due(page, "collect every losing wager")
    lit = set(dealer.view()["lit"])
    assert "small" in lit
    for window in (page, board):
        expect(window.locator(".area-lit")).to_have_count(len(lit))
    element = board.locator(".area-lit [data-wager], .area-lit[data-wager]")
    assert set(element.evaluate_all("all => all.map(one => one.dataset.wager)")) == lit
    sides = page.locator(".settlement .side-of")
    expect(sides.nth(0)).to_contain_text("US$5.00")
    expect(sides.nth(1)).to_contain_text("US$10.00")
    assert violations(page) == []
    assert violations(board) == []
    picture(page, "dealer-settling")
    picture(board, "board-1920")
    page.keyboard.press("Enter")
    expect(sides.nth(0)).to_contain_text("collected")
    due(page, "pay every winning wager")
    page.keyboard.press("Enter")
    due(page, "Close betting")
    assert dealer.view()["round"] == number + 1
    expect(board.locator(".board-history li").first.get_by_role("img", name="Small")).to_be_visible()
    expect(board.locator(".area-lit")).to_have_count(0)
    expect(board.locator("button, input, select")).to_have_count(0)

    page.keyboard.press("Enter")  # betting is closed in the next round: the dice and lamps of the last one are gone
    due(page, "shake it at least three times")
    expect(board.locator(".announcement")).to_have_text("No more bets")
    for window in (page, board):
        expect(window.locator(".area-lit")).to_have_count(0)
    expect(page.locator(".table-now .die-blank")).to_have_count(3)
    finish(dealer)


ROUND = {
    "Close betting": "",
    "shake it at least three times": "",
    "Take the cover off": "",
    "Call the value": "123",
    "collect every losing wager": "",
    "pay every winning wager": "",
}
"""What is due in a round, and what is typed for it before Enter."""


@pytest.mark.thorough
def test_a_round_takes_nine_keys_and_every_step_is_on_record(visit: Visit, ann: ApiUser, dealer: ApiUser) -> None:
    finish(dealer)
    page = at_work(visit)
    assert ann.bets("small", 1000).status_code == 200
    assert ann.bets("big", 500).status_code == 200
    number = dealer.view()["round"]
    pressed: list[str] = []
    for words, typed in ROUND.items():
        due(page, words)
        for key in (*typed, "Enter"):
            page.keyboard.press(key)
            pressed.append(key)
    due(page, "Close betting")
    assert len(pressed) == 9
    body = dealer.client.get(f"/api/v1/tables/{TABLE}/rounds/{number}").json()
    taken = [entry["event"]["step"] for entry in body["events"] if entry["kind"] == "StepTaken"]
    assert [one for one in taken if one != "illuminate"] == [
        *("close", "shake-manual", "uncover", "announce-dice", "enter-dice"),
        *("collect", "pay", "clear"),
    ]


@pytest.mark.thorough
def test_enter_is_the_due_step_even_where_a_button_has_the_focus(visit: Visit, dealer: ApiUser) -> None:
    finish(dealer)
    page = at_work(visit)
    due(page, "Close betting")
    opener = page.locator(".acts button").first
    opener.focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(opener).to_be_focused()
    page.keyboard.press("Enter")
    due(page, "shake it at least three times")
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.thorough
def test_a_key_that_was_meant_for_the_step_before_takes_nothing(visit: Visit, dealer: ApiUser) -> None:
    finish(dealer)
    page = at_work(visit)
    due(page, "Close betting")
    page.evaluate(
        """() => new Promise(resolve => {
          const press = () => dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
          const seen = () => document.querySelector(".due-says").textContent;
          const first = seen();
          new MutationObserver(() => { if (seen() !== first) { press(); resolve(); } })
            .observe(document.body, { childList: true, subtree: true, characterData: true });
          press();
        })"""
    )
    due(page, "shake it at least three times")
    assert dealer.view()["due"] == "shake-manual"
    finish(dealer)


@pytest.mark.thorough
def test_a_step_that_someone_else_has_taken_refreshes_the_screen_and_says_so(visit: Visit, dealer: ApiUser) -> None:
    finish(dealer)
    page = at_work(visit)
    due(page, "Close betting")
    held: list[Any] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/commands", hold)
    page.keyboard.press("Enter")
    expect(page.locator(".due button.button-main")).to_have_attribute("aria-busy", "true")
    request = until_held(page, held)
    assert dealer.command("dealer", {"type": "TakeStep", "step": "close"}).status_code == 200
    request.continue_()
    expect(page.get_by_text("The table has changed").first).to_be_visible()
    due(page, "shake it at least three times")
    page.unroute("**/commands")
    finish(dealer)


@pytest.mark.thorough
def test_a_press_on_what_has_just_moved_under_it_does_nothing(visit: Visit, dealer: ApiUser) -> None:
    """The list of irregularities changes with the step: a press that was meant for another one calls nothing."""
    finish(dealer)
    page = at_work(visit, fresh=True)
    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))  # no more time passes on its own
    page.reload()
    settled = page.locator(".due:not(.due-fresh)")
    run_until(page, settled.count, "the console", 100)
    before = page.locator(".rules button").evaluate_all("all => all.map(one => one.ariaLabel)")
    for step in ({"step": "close"}, {"step": "shake-manual", "shakes": 3}, {"step": "uncover"}):
        assert dealer.command("dealer", {"type": "TakeStep", **step}).status_code == 200
    fresh = page.get_by_role("button", name="Call… A die is not flat")
    run_until(page, fresh.count, "another irregularity")
    assert fresh.get_attribute("aria-label") not in before
    for _ in range(2):
        expect(fresh).to_have_attribute("aria-disabled", "true")
        fresh.click(force=True)
        page.clock.run_for(230)
    assert page.get_by_role("dialog").count() == 0
    page.clock.run_for(300)
    fresh.click()
    page.clock.run_for(100)
    expect(page.get_by_role("dialog")).to_be_visible()
    finish(dealer)


def test_enter_in_a_field_sends_its_form_whose_button_has_just_moved(visit: Visit, dealer: ApiUser) -> None:
    page = at_work(visit, "dice-works", fresh=True)
    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))  # no more time passes on its own
    page.reload()
    shooter = page.get_by_label("Give the dice to")
    run_until(page, shooter.count, "the console")
    shooter.fill("demo-ann")
    act = page.get_by_role("button", name="Change shooter")
    run_until(page, lambda: not act.evaluate("one => one.disabled"), "the name")
    expect(act).to_have_attribute("aria-disabled", "true")
    act.click(force=True)
    assert not dealer.view("dice-works")["has_shooter"]
    shooter.press("Enter")
    run_until(page, lambda: dealer.view("dice-works")["has_shooter"], "a new shooter")
    assert dealer.command("dealer", {"type": "PassDice"}, "dice-works").status_code == 200


@pytest.mark.thorough
def test_an_irregularity_is_called_after_a_look_in_the_presence_of_someone(
    visit: Visit, dealer: ApiUser, picture: Picture
) -> None:
    finish(dealer)
    page = at_work(visit)
    page.get_by_role("button", name="Call… The electrical device fails").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("6(b)")
    expect(dialog).to_contain_text("settled by the dice; then play stops until the equipment is repaired")
    assert violations(page) == []
    picture(page, "dealer-irregularity")
    dialog.get_by_role("checkbox").first.check()
    dialog.get_by_role("button", name="Call it").click()
    expect(dialog).to_contain_text("Play stops after this round")
    dialog.get_by_role("button", name="Close").last.click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_text("Out of order:")).to_be_visible()


@pytest.mark.thorough
def test_a_dealer_bets_for_a_player(visit: Visit) -> None:
    page = at_work(visit, "maryland")
    page.keyboard.press("b")
    form = page.get_by_role("dialog")
    form.get_by_label("Player").first.fill("demo-ben")
    form.get_by_label("Area").select_option("small")
    form.get_by_label("Amount").fill("25")
    form.get_by_role("button", name="Place bet").click()
    expect(page.locator(".lines li", has_text="Ben")).to_contain_text("US$25.00")


def test_an_inspection_shows_what_must_light_up(visit: Visit, picture: Picture) -> None:
    page = at_work(visit, name="demo-floorperson")
    page.get_by_text("All inspected and checked").click()
    page.get_by_role("button", name="enter three values").click()
    dialog = page.get_by_role("dialog")
    for face in (1, 2, 3):
        dialog.get_by_role("button", name=f"Die {face}").click()
    expect(dialog.locator(".area-lit").first).to_be_visible()
    assert violations(page) == []
    picture(page, "dealer-inspection")
    dialog.get_by_role("button", name="Big, pays").click()
    expect(dialog.get_by_role("button", name="It differs as marked")).to_be_visible()
    dialog.get_by_role("button", name="Big, pays").click()
    dialog.get_by_role("button", name="Exactly these lit up").click()
    expect(dialog).to_be_hidden()


@pytest.mark.thorough
def test_a_craps_table_names_a_shooter_and_takes_two_dice(visit: Visit, picture: Picture) -> None:
    page = at_work(visit, "dice-works")
    expect(page.locator(".due h2")).to_have_text("Choose the shooter first")
    expect(page.locator(".due")).to_contain_text("Nobody has the dice.")
    expect(page.locator(".due").get_by_role("button", name="Die 1")).to_have_count(0)
    expect(page.get_by_role("button", name="Change shooter")).to_be_disabled()
    page.get_by_label("Give the dice to").fill("demo-ann")
    page.get_by_role("button", name="Change shooter").click()
    expect(page.get_by_title("demo-ann").first).to_be_visible()
    page.locator("h1").click()
    due(page, "The shooter rolls the two dice")
    page.keyboard.type("31")
    expect(page.locator(".typed")).to_have_attribute("aria-label", "Dice 3, 1")
    picture(page, "dealer-craps")
    page.keyboard.press("Enter")
    board = visit("/tables/dice-works/board", width=1920, height=1080)
    expect(board.get_by_role("img", name="ON: the point is 4")).to_be_visible()
    assert violations(board) == []
    picture(board, "board-craps")


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_console_and_the_board_fit_a_phone(visit: Visit, picture: Picture, language: str) -> None:
    page = at_work(visit, "maryland", width=360, height=780, language=language)
    assert fits(page)
    assert violations(page) == []
    picture(page, f"dealer-360-{language}")
    board = visit("/tables/singapore/board", width=360, language=language)
    expect(board.locator("[data-wager]").first).to_be_visible()
    assert fits(board)
    assert violations(board) == []
    picture(board, f"board-360-{language}")


@pytest.mark.thorough
def test_a_board_of_a_hundred_areas_fits_a_monitor(visit: Visit, picture: Picture) -> None:
    board = visit("/tables/singapore/board", width=1920, height=1080)
    expect(board.locator("[data-wager]").first).to_be_visible()
    assert fits(board)
    assert board.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert violations(board) == []
    picture(board, "board-singapore")


def test_nobody_deals_who_does_not_work_there(visit: Visit) -> None:
    page = visit(f"/tables/{TABLE}/dealer")
    expect(page.get_by_text("for this table's staff")).to_be_visible()
    assert violations(page) == []


@pytest.mark.thorough
def test_the_console_of_an_automatic_table_says_what_happens_and_what_staff_can_do(
    visit: Visit, picture: Picture
) -> None:
    page = signed_in(visit, "demo-dealer", "/tables/singapore/dealer")
    run = page.get_by_role("region", name="Automatic play")
    expect(run.get_by_role("heading", name="This table runs automatically")).to_be_visible()
    expect(run.locator("ol > li")).to_have_count(4)
    expect(run).to_contain_text("Ask a supervisor to pause the table")
    anything_else = page.get_by_role("button", name=re.compile("^Call.* Something these rules do not cover"))
    for width, height in ((1440, 900), (1024, 768), (390, 844)):
        resize(page, width, height)
        until(lambda: run.evaluate("one => one.scrollHeight <= one.clientHeight"), "all of it to be seen")
        expect(page.locator('.desk-felt [data-wager="small"]')).to_be_visible()
        expect(anything_else).to_be_visible()
        assert violations(page) == []
        picture(page, f"console-automatic-{width}")
    run.get_by_role("link", name="Disputes").click()
    expect(page).to_have_url(re.compile("/floor/tables/singapore/disputes$"))
    page.go_back()
    run.get_by_role("link", name="Manage this table").click()
    expect(page.get_by_role("heading", name="Table 3 · Sic Bo (SG)")).to_be_visible()
    above = signed_in(visit, "demo-pit-supervisor", "/tables/singapore/dealer")
    expect(above.get_by_role("button", name="Pause the table")).to_be_visible()
    expect(above.locator(".course")).to_contain_text("void a round with a second person")


def test_supervisors_pause_an_automatic_table_and_void_its_round_at_the_console(visit: Visit, manager: ApiUser) -> None:
    page = signed_in(visit, "demo-pit-supervisor", "/tables/singapore/dealer")
    run = page.get_by_role("region", name="Automatic play")
    pause, propose = (run.get_by_role("button", name=name) for name in ("Pause the table", "Propose to void the round"))
    expect(pause).to_be_disabled()  # without a reason
    expect(propose).to_be_disabled()
    run.get_by_label("Reason").fill("a spilt drink")
    pause.click()
    expect(run).to_contain_text("Paused: a spilt drink")
    expect(run.get_by_label("Reason")).to_have_value("")
    run.get_by_label("Reason").fill("the drink again")
    propose.click()
    expect(run).to_contain_text("Waiting for another supervisor.")
    number = manager.view("singapore")["round"]
    expect(propose).to_have_count(0)
    below = signed_in(visit, "demo-dealer", "/tables/singapore/dealer")
    expect(below.get_by_role("region", name="Automatic play")).to_contain_text("Waiting for another supervisor.")
    second = signed_in(visit, "demo-pit-manager", "/tables/singapore/dealer")
    second.get_by_role("button", name="Approve Pit supervisor 1's proposal to void the round").click()
    expect(propose).to_be_visible()
    assert manager.view("singapore")["round"] == number + 1
    run.get_by_role("button", name="Resume").click()
    expect(pause).to_be_visible()
    expect(run).not_to_contain_text("Paused")
