"""The console counted in presses: bets booked on the felt, dice typed once, and what a craps crew does for players."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import violations
from tests.browser.floors import CHIPS, Console, Floor
from tests.browser.rounds import HOLDS
from tests.browser.test_craps_felt import OVERLAPS
from tests.browser.test_craps_play import Crew
from tests.browser.test_layout import SMALL
from tests.browser.test_shift import PINNED
from tests.browser.windows import Windows
from tests.waiting import until

pytestmark = pytest.mark.own_house

MASSACHUSETTS, MARYLAND, SINGAPORE, WORKS = "massachusetts", "maryland", "singapore", "dice-works"
ANN, BEN, CHEN, DEALER = "demo-ann", "demo-ben", "demo-chen", "demo-dealer"
Picture = Callable[[Page, str], None]


@pytest.fixture(scope="module")
def floor(floor: Floor) -> Floor:
    """Singapore's table is dealt by hand; three players have chips at each table of Sic Bo."""
    floor.reopen(SINGAPORE, automatic=None)
    floor.command("demo-pit-supervisor", "pit-supervisor", SINGAPORE, type="PutDice", set="set 1")
    floor.check_all(SINGAPORE, "demo-pit-supervisor", "pit-supervisor")
    floor.command(DEALER, "dealer", SINGAPORE, type="TakeOver")
    for table in (MASSACHUSETTS, MARYLAND, SINGAPORE):
        for player in (ANN, BEN, CHEN):
            floor.command(DEALER, "dealer", table, type="BuyIn", amount=CHIPS, player=player)
    for player in (ANN, BEN, CHEN):
        floor.bet(MASSACHUSETTS, player, small=500)
    floor.table(MASSACHUSETTS).play_round()
    return floor


def due(page: Page, words: str) -> None:
    """Wait until this step is due and can be taken."""
    expect(page.locator(".due:not(.due-fresh) .due-says")).to_contain_text(words)


def area(page: Page, wager: str) -> Locator:
    return page.locator(f'.desk-felt [data-wager="{wager}"]')


def stake(page: Page, text: str) -> Locator:
    return page.locator(".bets .stake").filter(has_text=text)


def is_beyond(crew: Crew, step: tuple[int, int]) -> bool:
    """Return whether the table has moved past this step."""
    view = crew.view()
    return (view["round"], view["step"]) != step


# ------------------------------------------------------------ keys of a round

MASSACHUSETTS_ROUND = [
    ("Close betting", ""),
    ("shake it at least three times", ""),
    ("Take the cover off", "123"),
    ("collect every losing wager", ""),
    ("pay every winning wager", ""),
]
ROUNDS = {
    MASSACHUSETTS: MASSACHUSETTS_ROUND,
    MARYLAND: [MASSACHUSETTS_ROUND[1], MASSACHUSETTS_ROUND[0], *MASSACHUSETTS_ROUND[2:]],
    SINGAPORE: [
        ("Play commences", ""),
        ("Activate the tumbler", ""),
        ("Close betting", ""),
        ("Take the cover off", "123"),
        ("Collect the losing wagers", ""),
        ("Pay the winning wagers", ""),
    ],
}
"""What is due in a round, and what is typed for it before Enter."""
KEYS = {MASSACHUSETTS: 8, MARYLAND: 8, SINGAPORE: 9}


@pytest.mark.thorough
@pytest.mark.parametrize("table", list(ROUNDS))
def test_a_round_of_sic_bo_takes_nine_keys_at_most_and_every_step_is_on_record(
    floor: Floor, console: Console, table: str
) -> None:
    page, pressed = console(table), []
    number = floor.page(table)["view"]["round"]
    procedure = [step["id"] for step in floor.page(table)["view"]["procedure"]]
    for words, typed in ROUNDS[table]:
        due(page, words)
        if words == "Take the cover off":
            expect(page.locator(".due")).to_contain_text("Or type the dice")
        elif floor.page(table)["view"]["betting"] and not floor.bets_of(table, ANN):
            floor.bet(table, ANN, small=1000, big=500)
        for key in (*typed, "Enter"):
            page.keyboard.press(key)
            pressed.append(key)
    due(page, ROUNDS[table][0][0])
    print(f"{table}: {len(pressed)} keys")
    assert len(pressed) == KEYS[table]
    body = floor.who(DEALER).client.get(f"/api/v1/tables/{table}/rounds/{number}").json()
    taken = [entry["event"]["step"] for entry in body["events"] if entry["kind"] == "StepTaken"]
    assert [step for step in taken if step != "illuminate"] == [step for step in procedure if step != "illuminate"]
    assert {"uncover", "enter-dice", "collect", "pay"} <= set(taken)


def test_what_was_announced_is_shown_again_after_a_reload_and_in_a_correction(floor: Floor, console: Console) -> None:
    game = floor.table(MASSACHUSETTS)
    game.take_steps((2, 4, 5), until="enter-dice")
    page = console(MASSACHUSETTS)
    page.reload()
    due(page, "Enter the value of each die")
    expect(page.locator(".due .typed")).to_have_attribute("aria-label", "Dice 2, 4, 5")
    expect(page.locator(".entry-called")).to_be_visible()
    above = console(MASSACHUSETTS, "demo-floorperson")
    above.reload()
    expect(above.locator(".acts [aria-keyshortcuts='x']")).to_be_enabled()
    above.keyboard.press("x")
    dialog = above.get_by_role("dialog")
    expect(dialog.locator(".entry-called").get_by_role("img", name="Dice 2, 4, 5")).to_be_visible()
    above.keyboard.press("Escape")
    page.locator("h1").click()
    page.keyboard.press("Enter")
    due(page, "collect every losing wager")
    game.play_round()


# ------------------------------------------------------------ bets on the felt


def test_a_cash_bet_is_booked_in_three_taps_or_three_keys(floor: Floor, console: Console, picture: Picture) -> None:
    page = console(MASSACHUSETTS)
    due(page, "Close betting")
    expect(page.get_by_text("Tap an area, a player and a chip")).to_be_visible()
    area(page, "big").tap()
    tray = page.locator(".tray")
    tray.get_by_role("button", name="Ben").tap()
    tray.get_by_role("button", name=re.compile(r"^Bet .*\$25\.00 on Big")).tap()
    expect(stake(page, "Ben")).to_contain_text("$25.00")
    assert floor.bets_of(MASSACHUSETTS, BEN) == {"big": 2500}
    picture(page, "console-booking-1024")
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_text("Tap an area, a player and a chip")).to_be_visible()

    area(page, "total/10").focus()
    for key in ("Space", "d", "q"):
        page.keyboard.press(key)
    expect(tray.get_by_role("button", name="Chen")).to_have_attribute("aria-keyshortcuts", "d")
    expect(stake(page, "Chen")).to_be_visible()
    (lies,) = floor.bets_of(MASSACHUSETTS, CHEN)
    assert lies == "total/10"

    tray.get_by_label("Other player").fill("walk-in:Bob")
    page.keyboard.press("Enter")
    expect(tray.get_by_role("button", name="Bob")).to_have_attribute("aria-pressed", "true")
    area(page, "total/10").focus()
    due(page, "Close betting")
    page.keyboard.press("Enter")  # the felt has the focus, but Enter still takes the due step
    due(page, "shake it at least three times")
    expect(tray).to_contain_text("No more bets")
    floor.table(MASSACHUSETTS).play_round()


@pytest.mark.thorough
def test_39_bets_are_listed_by_area_beside_the_felt(floor: Floor, console: Console, picture: Picture) -> None:
    page = console(MASSACHUSETTS)
    due(page, "Close betting")
    wagers = ["small", "big", *(f"total/{total}" for total in range(4, 15))]
    for player in (ANN, BEN, CHEN):
        bets = [{"wager": wager, "amount": 500} for wager in wagers]
        response = floor.who(player).client.post(f"/api/v1/tables/{MASSACHUSETTS}/bets", json={"bets": bets})
        assert response.status_code == 200, response.text
    expect(page.locator(".bets .stake")).to_have_count(39)
    expect(page.locator(".bets .lines li")).to_have_count(13)
    page.locator(".bets .stake").last.scroll_into_view_if_needed()
    for seen in (".due .button-main", ".desk-felt .layout"):
        box = page.locator(seen).bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 768
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    picture(page, "console-39-bets")
    floor.table(MASSACHUSETTS).play_round()


# ------------------------------------------------------------ craps


@pytest.fixture(scope="module")
def crew(floor: Floor) -> Crew:
    crew = Crew(floor)
    floor.bet(WORKS, BEN, field=500)
    crew.rolls(1, 2)
    return crew


def come_out(crew: Crew) -> None:
    """Start a come-out with Ann as the shooter and no bets from an earlier hand."""
    if crew.view()["point"] is not None or crew.own(ANN):
        crew.rolls(3, 4)
    if not crew.view()["has_shooter"]:
        crew.does("box-person", type="NewShooter", shooter=ANN)


def rolls(page: Page, dice: str) -> int:
    """Roll by keyboard; return the number of keys until betting is open again."""
    due(page, "The shooter rolls")
    page.keyboard.type(dice)
    expect(page.locator(".due .typed")).to_have_attribute("aria-label", f"Dice {', '.join(dice)}")
    page.keyboard.press("Enter")
    return len(dice) + 1


@pytest.mark.thorough
@pytest.mark.parametrize(("width", "height"), [(1024, 768), (1280, 800)])
def test_every_area_of_craps_on_the_console_can_be_touched(
    console: Console, crew: Crew, picture: Picture, width: int, height: int
) -> None:
    assert crew.view()["open"]
    page = console(WORKS, "demo-stick-person")
    page.set_viewport_size({"width": width, "height": height})
    tabs = page.locator(".desk-felt").get_by_role("tab")
    expect(tabs).to_have_text(["Table", "Propositions", "Hops"])
    for place, areas in enumerate((39, 13, 21)):
        tabs.nth(place).click()
        expect(tabs.nth(place)).to_have_attribute("aria-selected", "true")
        expect(page.locator(".desk-felt [data-wager]")).to_have_count(areas)
        until(lambda: page.evaluate(SMALL) == 0, "areas to touch")
        until(lambda: all(page.evaluate(PINNED).values()), "the felt in its place")
        picture(page, f"console-craps-{width}-{place}")
    tabs.first.click()
    assert page.evaluate(OVERLAPS) == 0


def test_a_craps_roll_takes_three_keys(floor: Floor, console: Console, crew: Crew) -> None:
    page = console(WORKS, "demo-stick-person")
    come_out(crew)
    floor.bet(WORKS, ANN, pass_line=1000)
    keys = rolls(page, "42")
    expect(page.locator(".roll-orders")).to_contain_text("Puck ON 6")
    due(page, "The shooter rolls")
    assert all(page.evaluate(PINNED).values()), page.evaluate(PINNED)
    print(f"craps roll: {keys} keys")
    assert keys == 3
    assert crew.view()["point"] == 6


CLOSED = "() => document.querySelector('dialog[open]') === null"


def held_console(windows: Windows) -> Page:
    """The stick person's console: its stream is held back, it cannot reload the table, and its clock stands still."""
    page = windows.open("/assets/nothing", name="demo-stick-person", width=1024, height=768, fresh=True)
    page.add_init_script(HOLDS)
    page.clock.install()
    page.goto(f"/tables/{WORKS}/dealer")
    due(page, "The shooter rolls")
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
    page.route(f"**/api/v1/tables/{WORKS}", lambda route: route.abort())
    page.evaluate("hold()")
    return page


def test_a_dialog_closes_when_the_console_shows_what_it_did_and_no_die_is_lost(crew: Crew, windows: Windows) -> None:
    come_out(crew)
    page = held_console(windows)
    page.keyboard.press("n")
    page.clock.run_for(1_000)
    dialog = page.get_by_role("dialog")
    dialog.locator(".quick button").first.click()
    page.clock.run_for(1_000)
    with page.expect_response("**/commands") as answer:
        dialog.locator(".button-danger").click()
    assert answer.value.ok
    page.clock.run_for(1_000)
    assert not page.evaluate(CLOSED)
    page.evaluate("release()")
    page.clock.resume()
    expect(dialog).to_be_hidden()
    page.keyboard.press("4")
    page.unroute_all()
    expect(page.locator(".due .typed")).to_have_attribute("aria-label", "Dice 4")
    page.keyboard.press("2")
    expect(page.locator(".due .typed")).to_have_attribute("aria-label", "Dice 4, 2")


@pytest.mark.thorough
def test_a_step_can_be_taken_only_when_the_effect_of_the_last_is_shown(crew: Crew, windows: Windows) -> None:
    come_out(crew)
    page = held_console(windows)
    page.keyboard.type("42")
    with page.expect_response("**/commands"):
        page.keyboard.press("Enter")
    page.clock.run_for(1_000)
    expect(page.locator(".due .button-main")).to_have_attribute("aria-busy", "true")
    expect(page.locator(".due .button-main")).to_be_disabled()
    page.keyboard.press("b")  # a form can be opened meanwhile
    page.clock.run_for(1_000)
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    page.unroute_all()
    page.evaluate("release()")
    page.clock.resume()
    expect(page.locator(".due .button-main")).to_have_attribute("aria-busy", "false")
    assert crew.view()["point"] == 6
    rolls(page, "42")
    until(lambda: crew.view()["point"] is None, "the next roll")


def test_the_crew_takes_odds_calls_and_takes_down_for_a_player_by_touch(
    floor: Floor, console: Console, crew: Crew, picture: Picture
) -> None:
    page = console(WORKS, "demo-stick-person")
    come_out(crew)
    floor.bet(WORKS, ANN, pass_line=1000)
    crew.rolls(4, 2)
    area(page, "place/8").tap()
    page.locator(".tray").get_by_role("button", name="Ben").tap()
    page.locator(".tray").get_by_role("button", name=re.compile("^Bet .* on Place 8")).first.tap()
    expect(stake(page, "Ben")).to_be_visible()
    dialog = page.get_by_role("dialog")
    for act, tag in (("Call off", "OFF"), ("Call on", "ON")):
        page.get_by_role("button", name="Change: Ben · Place 8").tap()
        dialog.get_by_role("button", name=act).tap()
        expect(dialog).to_be_hidden()
        expect(stake(page, "Ben").locator(".tag")).to_have_text(tag)
    picture(page, "console-craps-1024")
    page.get_by_role("button", name="Change: Ben · Place 8").tap()
    dialog.get_by_role("button", name="Remove it").tap()
    expect(stake(page, "Ben")).to_have_count(0)
    assert crew.own(BEN) == {}

    page.get_by_role("button", name="Change: Ann · Pass line").tap()
    expect(dialog.get_by_role("button", name="Remove it")).to_be_disabled()  # a contract bet
    dialog.get_by_role("button", name=re.compile("^Odds")).tap()
    expect(dialog).to_be_hidden()
    expect(stake(page, "Ann")).to_have_count(2)
    assert crew.own(ANN)["pass-line-odds"] > 0


@pytest.mark.thorough
def test_the_crew_does_the_same_by_keyboard_and_passes_the_dice(floor: Floor, console: Console, crew: Crew) -> None:
    page = console(WORKS, "demo-stick-person")
    come_out(crew)
    floor.bet(WORKS, ANN, pass_line=1000)
    crew.rolls(4, 2)
    area(page, "place/5").focus()
    page.keyboard.press("Space")
    letter = page.locator(".tray").get_by_role("button", name="Ben").get_attribute("aria-keyshortcuts")
    assert letter is not None
    page.keyboard.press(letter)
    page.keyboard.press("q")
    expect(stake(page, "Ben")).to_be_visible()
    dialog = page.get_by_role("dialog")
    for act, key in (("Call off", "Space"), ("Call on", "Enter"), ("Remove it", "Enter")):
        page.get_by_role("button", name="Change: Ben · Place 5").focus()
        page.keyboard.press("Space")
        dialog.get_by_role("button", name=act).focus()
        page.keyboard.press(key)
        expect(dialog).to_be_hidden()
    expect(stake(page, "Ben")).to_have_count(0)

    rolls(page, "42")  # the point is made: the next roll is a come-out
    until(lambda: bool(crew.view()["dice"]), "the roll")
    while (view := crew.view())["dice"]:
        before = (view["round"], view["step"])
        expect(page.locator(".due:not(.due-fresh) .button-main")).to_be_enabled()
        page.keyboard.press("Enter")
        until(partial(is_beyond, crew, before), "the step")
    due(page, "The shooter rolls")
    page.locator("h1").click()
    page.keyboard.press("p")
    due(page, "Choose the shooter first")
    page.locator(".due").get_by_role("button", name="Ben", exact=True).focus()
    page.keyboard.press("Space")
    expect(page.locator(".hand-shooter")).to_contain_text("Ben")
    assert staff_of(floor)["shooter"] == BEN

    for player in (ANN, BEN):
        crew.does("box-person", type="JoinRail", player=player)
    expect(page.locator(".acts [aria-keyshortcuts='p']")).to_be_enabled()
    page.locator("h1").click()
    page.keyboard.press("p")
    due(page, "Choose the shooter first")
    expect(page.locator(".due .button-main")).to_contain_text("Dice to Ann")
    expect(page.locator(".due .button-main")).to_be_enabled()
    page.keyboard.press("Enter")
    expect(page.locator(".hand-shooter")).to_contain_text("Ann")
    assert staff_of(floor)["shooter"] == ANN


def staff_of(floor: Floor) -> dict[str, Any]:
    found: dict[str, Any] = floor.page(WORKS, "demo-box-person")["staff"]
    return found
