"""One irregularity of each remedy that the books know, called on the dealer's console; what it did to the bets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import pytest
from playwright.sync_api import Locator, Page, expect

from pitbook.messages.catalogue import page_areas
from pitbook.rulebooks.catalogue import PACKAGED, load
from pitbook.rulebooks.text import Remedy
from tests.browser.axe import violations
from tests.browser.floors import CHIPS, Console, Floor, open_dialog
from tests.http_table import HttpTable
from tests.waiting import until

pytestmark = pytest.mark.own_house

SINGAPORE, MASSACHUSETTS, CRAPS = "singapore", "massachusetts", "dice-works"
ANN = "demo-ann"


@pytest.fixture(scope="module")
def floor(floor: Floor) -> Floor:
    """Singapore's table is dealt by hand."""
    floor.reopen(SINGAPORE, automatic=None)
    floor.command("demo-pit-supervisor", "pit-supervisor", SINGAPORE, type="PutDice", set="set 1")
    floor.check_all(SINGAPORE, "demo-pit-supervisor", "pit-supervisor")
    floor.command("demo-dealer", "dealer", SINGAPORE, type="TakeOver")
    floor.command("demo-dealer", "dealer", SINGAPORE, type="BuyIn", amount=CHIPS, player=ANN)
    return floor


def call(floor: Floor, page: Page, table: str, irregularity: str, *ticked: str, words: str = "") -> Locator:
    """Calls an irregularity by touch, once the console shows the table as it is; the dialog that says what it did.

    Witnesses, or the wagers that it is about, are ticked by name.
    """
    rule = next(one for one in listed(floor, page, table) if one["id"] == irregularity)
    button = page.get_by_role("button", name=f"Call… {rule['name']['en']}", exact=True)
    dialog = open_dialog(page, button)
    expect(dialog).to_contain_text(rule["reading"] or ", ".join(rule["clause"]))
    for one in ticked:
        dialog.get_by_role("checkbox", name=one).check()
    if words:
        dialog.get_by_role("textbox").last.fill(words)
    dialog.get_by_role("button", name="Call it").tap()
    expect(dialog.get_by_role("heading", name="Result", exact=True)).to_be_visible()
    return dialog


def close(dialog: Locator) -> None:
    dialog.get_by_role("button", name="Close").last.tap()
    expect(dialog).to_be_hidden()


def listed(floor: Floor, page: Page, table: str) -> list[dict[str, Any]]:
    """Return the irregularities of a table, once the console lists them."""
    body = floor.page(table)
    known: list[dict[str, Any]] = body["staff"]["irregularities"]
    rules, failed = load(body["rules"]["setup"]["book"]).irregularities, body["staff"]["equipment"]["failed"]
    applicable = [one for one in known if rules[one["id"]].equipment not in failed]
    if len(applicable) > 6:
        applicable.sort(key=lambda one: not one["mine"])  # one's own bets come first
    expect(page.locator(".irregularities .rules strong")).to_have_text([one["name"]["en"] for one in applicable])
    return known


def bets_lie(page: Page, count: int) -> None:
    expect(page.locator(".bets .stake")).to_have_count(count)


def dealt(floor: Floor, table: str = SINGAPORE, until: str = "collect", **stakes: int) -> HttpTable:
    """Deal a round with these bets of Ann's up to a step, after finishing the round before it."""
    found = floor.table(table)
    if floor.page(table)["view"]["procedure"][0]["done"]:
        found.play_round()
    if found.due() == "open":
        found.take("open")
    floor.bet(table, ANN, **stakes)
    found.take_steps(until=until)
    return found


def test_every_remedy_that_a_book_knows_is_played_here_and_all_have_words() -> None:
    known: set[str] = {rule.remedy for book in PACKAGED for rule in load(book).irregularities.values()}
    known.add(load("massachusetts-sic-bo", readings={"no-roll-wagers": "stand"}).irregularities["no-roll"].remedy)
    assert set(get_args(Remedy)) - known == {"re-roll"}, "no book throws again automatically"
    worded = {entry.id.partition(".remedies.")[2] for entry in page_areas()["play"]} - {""}
    assert worded == set(get_args(Remedy))


SCROLL_UNDER_A_FINGER = """
(list, rows) => ({
  labels: new Promise(done => {
    let aimed = "";
    const once = { capture: true, once: true };
    addEventListener("pointerdown", event => { aimed = event.target.ariaLabel; list.scrollBy(0, rows); }, once);
    addEventListener("click", event => done([aimed, event.target.ariaLabel]), once);
    addEventListener("contextmenu", () => done([]), once);
  }),
})
"""
"""Resolves to the buttons under the finger as it lands and lifts; to nothing after a long press."""


@pytest.mark.thorough
def test_a_tap_under_which_the_list_has_scrolled_calls_nothing(floor: Floor, console: Console) -> None:
    page = console(SINGAPORE)
    dealt(floor, SINGAPORE, "collect", big=500)
    bets_lie(page, 1)
    listed(floor, page, SINGAPORE)
    rules = page.locator(".rules-many")
    buttons = rules.locator("button")
    aimed, other = (buttons.nth(place).get_attribute("aria-label") for place in (0, 1))
    buttons.nth(0).tap(trial=True)
    first, second = buttons.nth(0).bounding_box(), buttons.nth(1).bounding_box()
    assert first is not None
    assert second is not None

    def tap() -> list[str | None]:
        rules.evaluate("list => list.scrollTo(0, 0)")
        found = rules.evaluate_handle(SCROLL_UNDER_A_FINGER, second["y"] - first["y"])
        page.touchscreen.tap(first["x"] + first["width"] / 2, first["y"] + first["height"] / 2)
        labels: list[str | None] = found.evaluate("one => one.labels")
        return labels

    assert until(tap, "a tap") == [aimed, other]
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert page.get_by_role("dialog").count() == 0


def test_return_wagers_gives_them_back_and_betting_is_open_again(
    floor: Floor, console: Console, picture: Callable[[Page, str], None]
) -> None:
    page = console(MASSACHUSETTS)
    before = floor.balance(MASSACHUSETTS, ANN)
    dealt(floor, MASSACHUSETTS, "announce-dice", small=1000, big=500)
    bets_lie(page, 2)
    dialog = call(floor, page, MASSACHUSETTS, "no-roll")
    expect(dialog).to_contain_text("2 bets were returned")
    expect(dialog).to_contain_text("Ann · Big · US$5.00")
    assert violations(page) == []
    picture(page, "dealer-1024-remedy")
    close(dialog)
    assert floor.bets_of(MASSACHUSETTS, ANN) == {}
    assert floor.balance(MASSACHUSETTS, ANN) == before
    assert floor.page(MASSACHUSETTS)["view"]["betting"]


@pytest.mark.thorough
def test_wagers_stand_for_the_next_shake_where_the_house_reads_it_so(floor: Floor, console: Console) -> None:
    setup = floor.page(MASSACHUSETTS)["rules"]["setup"]
    changed = {**setup, "readings": {"no-roll-wagers": "stand"}}
    floor.command("demo-manager", "manager", MASSACHUSETTS, type="ChangeSetup", setup=changed)
    page = console(MASSACHUSETTS)
    game = dealt(floor, MASSACHUSETTS, "announce-dice", small=1000)
    dialog = call(floor, page, MASSACHUSETTS, "no-roll")
    expect(dialog).to_contain_text("Betting has reopened")
    close(dialog)
    assert floor.bets_of(MASSACHUSETTS, ANN) == {"small": 1000}
    page.get_by_role("button", name="Change: Ann").tap()
    page.get_by_role("dialog").get_by_role("button", name="Remove it").tap()
    bets_lie(page, 0)
    assert floor.bets_of(MASSACHUSETTS, ANN) == {}
    game.take_steps(until="close")
    floor.command("demo-manager", "manager", MASSACHUSETTS, type="ChangeSetup", setup=setup)


def test_betting_resumes_when_the_power_fails_before_the_throw(floor: Floor, console: Console) -> None:
    page = console(MASSACHUSETTS)
    dealt(floor, MASSACHUSETTS, "shake-manual", small=1000)
    dialog = call(floor, page, MASSACHUSETTS, "power-failure")
    expect(dialog).to_contain_text("Betting has reopened")
    close(dialog)
    assert floor.page(MASSACHUSETTS)["view"]["betting"]
    assert floor.bets_of(MASSACHUSETTS, ANN) == {"small": 1000}


@pytest.mark.thorough
def test_settle_by_the_dice_before_a_supervisor_then_cease(floor: Floor, console: Console) -> None:
    page = console(MASSACHUSETTS)
    game = dealt(floor, MASSACHUSETTS, "enter-dice", small=1000)
    before = floor.balance(MASSACHUSETTS, ANN)
    lies = floor.bets_of(MASSACHUSETTS, ANN)["small"]
    dialog = call(floor, page, MASSACHUSETTS, "device-malfunction", "Casino supervisor 1")
    expect(dialog).to_contain_text("Play stops after this round")
    close(dialog)
    game.play_round()
    assert floor.balance(MASSACHUSETTS, ANN) == before + 2 * lies
    late = floor.who(ANN).bets("small", 1000, MASSACHUSETTS)
    assert late.status_code == 409
    assert "Play has stopped." in late.json()["detail"]
    above = console(MASSACHUSETTS, "demo-floorperson")
    above.get_by_role("button", name="Mark as repaired").tap()
    expect(above.get_by_text("Out of order:")).to_have_count(0)
    expect(above.locator(".due-checks")).to_contain_text("Inspection due")
    above.get_by_role("button", name="Inspect: enter three values").tap()
    look = above.get_by_role("dialog")
    for face in (1, 2, 3):
        look.get_by_role("button", name=f"Die {face}").tap()
    look.get_by_role("button", name="Exactly these lit up").tap()
    expect(look).to_be_hidden()
    expect(above.get_by_text("All inspected and checked")).to_be_visible()
    assert floor.who(ANN).bets("small", 1000, MASSACHUSETTS).status_code == 200
    game.play_round()


def test_replace_equipment_puts_the_automated_shaker_away_first(floor: Floor, console: Console) -> None:
    floor.table(MASSACHUSETTS).play_round()  # which the test before may have left open
    floor.reopen(MASSACHUSETTS, shaker="automated")
    page = console(MASSACHUSETTS)
    dialog = call(floor, page, MASSACHUSETTS, "shaker-exchange")
    expect(dialog).to_contain_text("Continue under “Equipment”")
    close(dialog)
    expect(page.get_by_role("button", name="Use the manual shaker")).to_have_count(
        0
    )  # only when the other is out of use
    page.get_by_role("button", name="Put away the automated shaker").tap()
    expect(page.get_by_role("button", name="Use the manual shaker")).to_be_enabled()
    expect(page.get_by_text("No dice in the shaker")).to_be_visible()
    page.get_by_role("button", name="Staff").tap()  # a manual shaker is used only with a dealer at the table
    page.get_by_role("dialog").get_by_role("button", name="Take over the table").tap()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_role("button", name="Use the manual shaker")).to_be_enabled()
    page.get_by_label("Shaker number or tag").fill("M2")
    page.get_by_role("button", name="Use the manual shaker").tap()
    expect(page.get_by_text("In use: manual shaker M2")).to_be_visible()
    assert floor.page(MASSACHUSETTS)["staff"]["equipment"]["shaker"] == "manual"


@pytest.mark.thorough
def test_void_and_return_gives_every_wager_back(floor: Floor, console: Console) -> None:
    page = console(SINGAPORE)
    before = floor.balance(SINGAPORE, ANN)
    dealt(floor, SINGAPORE, "check-flat", small=1000, big=500)
    number = floor.page(SINGAPORE)["view"]["round"]
    dialog = call(floor, page, SINGAPORE, "not-flat")
    expect(dialog).to_contain_text(f"Round {number} is void")
    expect(dialog).to_contain_text("2 bets were returned")
    close(dialog)
    assert floor.bets_of(SINGAPORE, ANN) == {}
    assert floor.balance(SINGAPORE, ANN) == before
    assert floor.page(SINGAPORE)["view"]["round"] == number + 1


def test_damaged_dice_are_taken_out_and_replaced_not_repaired(floor: Floor, console: Console) -> None:
    page, above = console(SINGAPORE), console(SINGAPORE, "demo-pit-supervisor")
    dealt(floor, SINGAPORE, "tumble", small=1000)
    close(call(floor, page, SINGAPORE, "damaged-dice"))
    expect(above.get_by_text("Out of order: Dice")).to_be_visible()
    expect(above.get_by_role("button", name="Mark as repaired")).to_have_count(0)
    page.get_by_role("button", name="Remove the dice").tap()
    out = page.get_by_role("dialog")
    out.get_by_label("Reason (recorded)").fill("a chipped corner")
    out.get_by_role("button", name="Remove the dice").tap()
    expect(page.get_by_text("No dice in the shaker")).to_be_visible()
    above.get_by_role("button", name="New dice").tap()
    put = above.get_by_role("dialog")
    put.get_by_label("Name or number of the set").fill("set 2")
    put.get_by_role("button", name="Put in dice").tap()
    expect(above.get_by_text("Dice: set 2")).to_be_visible()
    expect(above.get_by_text("Out of order:")).to_have_count(0)
    floor.check_all(SINGAPORE, "demo-pit-supervisor", "pit-supervisor")


@pytest.mark.thorough
def test_settle_by_the_dice_whatever_the_lights_show(floor: Floor, console: Console) -> None:
    page = console(SINGAPORE)
    game = dealt(floor, SINGAPORE, "enter-dice", small=1000)
    before = floor.balance(SINGAPORE, ANN)
    dialog = call(floor, page, SINGAPORE, "wrong-lights")
    expect(dialog).to_contain_text("Out of order")
    close(dialog)
    game.play_round()
    assert floor.balance(SINGAPORE, ANN) == before + 2000
    above = console(SINGAPORE, "demo-pit-supervisor")
    above.get_by_role("button", name="Mark as repaired").tap()
    expect(above.get_by_text("Out of order:")).to_have_count(0)


def test_the_outcome_stands_where_the_deal_button_was_not_pressed(floor: Floor, console: Console) -> None:
    page = console(SINGAPORE)
    game = dealt(floor, SINGAPORE, "press-deal", small=1000)
    before = floor.balance(SINGAPORE, ANN)
    dialog = call(floor, page, SINGAPORE, "deal-not-pressed")
    expect(dialog).to_contain_text("Skipped: press the deal button")
    close(dialog)
    assert game.due() == "uncover"
    game.play_round()
    assert floor.balance(SINGAPORE, ANN) == before + 2000


@pytest.mark.thorough
def test_a_late_wager_is_refused_and_given_back(floor: Floor, console: Console) -> None:
    page = console(SINGAPORE)
    game = dealt(floor, SINGAPORE, "uncover", big=500)
    before = floor.balance(SINGAPORE, ANN)
    dialog = call(floor, page, SINGAPORE, "late-wager")
    expect(dialog).to_contain_text("No bets were moved")
    close(dialog)
    bets_lie(page, 1)
    found(floor, page, "small", "10", late=True)
    assert floor.bets_of(SINGAPORE, ANN) == {"big": 500, "small": 1000}
    game.play_round()
    assert floor.balance(SINGAPORE, ANN) == before, "Big lost, and the late one came back"


def found(floor: Floor, page: Page, wager: str, amount: str, *, late: bool = False) -> None:
    """Record a wager found on the layout, with its player's consent."""
    lay = page.locator(".bets .stake").count()
    page.get_by_role("button", name="Found bet").tap()
    form = page.get_by_role("dialog")
    form.get_by_label("Player").first.fill(ANN)
    form.get_by_label("Area").select_option(wager)
    form.get_by_label("Amount").fill(amount)
    if late:
        form.get_by_role("checkbox").check()
    form.get_by_role("button", name="Record").tap()
    expect(form).to_be_hidden()
    assert floor.who(ANN).consent().status_code == 200
    bets_lie(page, lay + 1)


@pytest.mark.thorough
def test_a_wager_withdrawn_too_late_stays_live(floor: Floor, console: Console) -> None:
    page = console(SINGAPORE)
    game = dealt(floor, SINGAPORE, "uncover", big=500)
    before = floor.balance(SINGAPORE, ANN)
    dialog = call(floor, page, SINGAPORE, "late-withdrawal")
    expect(dialog).to_contain_text("stays and is settled by the result")
    close(dialog)
    assert floor.bets_of(SINGAPORE, ANN) == {"big": 500}
    game.play_round()
    assert floor.balance(SINGAPORE, ANN) == before


@pytest.mark.thorough
def test_a_wager_under_the_minimum_is_settled_once_and_then_returned(floor: Floor, console: Console) -> None:
    page = console(SINGAPORE)
    for gains in (50, 0):
        game = dealt(floor, SINGAPORE, "collect", big=500)
        before = floor.balance(SINGAPORE, ANN)
        if gains:
            dialog = call(floor, page, SINGAPORE, "under-minimum")
            expect(dialog).to_contain_text("Record it under “Found bet”")
            close(dialog)
        bets_lie(page, 1)
        found(floor, page, "small", "0.50")
        game.play_round()
        assert floor.balance(SINGAPORE, ANN) == before + gains


def test_a_wager_over_the_maximum_is_settled_to_the_maximum(floor: Floor, console: Console) -> None:
    page = console(SINGAPORE)
    game = dealt(floor, SINGAPORE, "collect", big=500)
    before = floor.balance(SINGAPORE, ANN)
    most = floor.page(SINGAPORE)["rules"]["limits"]["small"]["stake_max"]
    close(call(floor, page, SINGAPORE, "over-maximum"))
    bets_lie(page, 1)
    found(floor, page, "small", str(most // 100 + 10))
    game.play_round()
    assert floor.balance(SINGAPORE, ANN) == before + most


@pytest.mark.thorough
def test_what_was_settled_in_earlier_rounds_stays_settled(floor: Floor, console: Console) -> None:
    page = console(SINGAPORE)
    dealt(floor, SINGAPORE, "uncover", small=1000)
    before = floor.balance(SINGAPORE, ANN)
    dialog = call(floor, page, SINGAPORE, "earlier-limits")
    expect(dialog).to_contain_text("No bets were moved")
    close(dialog)
    assert floor.balance(SINGAPORE, ANN) == before
    assert floor.bets_of(SINGAPORE, ANN) == {"small": 1000}


@pytest.mark.thorough
def test_when_the_power_fails_a_player_withdraws_all_or_stays(floor: Floor, console: Console) -> None:
    page = console(SINGAPORE)
    game = dealt(floor, SINGAPORE, "close", small=1000, big=500)
    bets_lie(page, 2)
    before = floor.balance(SINGAPORE, ANN)
    close(call(floor, page, SINGAPORE, "power-failure-before"))
    page.get_by_role("button", name="Ann withdraws all bets").tap()
    bets_lie(page, 0)
    assert floor.balance(SINGAPORE, ANN) == before + 1500
    page.get_by_role("button", name="Resume play").tap()
    expect(page.get_by_role("button", name="Resume play")).to_have_count(0)
    game.play_round()
    assert floor.balance(SINGAPORE, ANN) == before + 1500


@pytest.mark.thorough
def test_a_round_is_finished_when_equipment_fails_after_the_outcome(floor: Floor, console: Console) -> None:
    page = console(SINGAPORE)
    game = dealt(floor, SINGAPORE, "collect", small=1000)
    before = floor.balance(SINGAPORE, ANN)
    dialog = call(floor, page, SINGAPORE, "power-failure-after")
    expect(dialog).to_contain_text("The round is finished and settled")
    close(dialog)
    game.play_round()
    assert floor.balance(SINGAPORE, ANN) == before + 2000


def test_a_supervisor_decides_on_wagers_that_were_not_clear(floor: Floor, console: Console) -> None:
    page = console(SINGAPORE)
    game = dealt(floor, SINGAPORE, "collect", big=500, small=1000)
    before = floor.balance(SINGAPORE, ANN)
    close(call(floor, page, SINGAPORE, "unclear-wagers", "Big", "Small"))
    expect(page.locator(".rulings")).to_contain_text("waiting for the Pit Supervisor", ignore_case=True)
    expect(page.locator(".rulings button")).to_have_count(0)
    above = console(SINGAPORE, "demo-pit-supervisor")
    rule_on(above, "Big", "small", "the chip leaned on Small")
    rule_on(above, "S$10.00", "", "it lay on the line")
    game.play_round()
    assert floor.balance(SINGAPORE, ANN) == before + 2 * 500 + 1000


def rule_on(page: Page, bet: str, stands: str, words: str) -> None:
    page.locator(f".rulings button[aria-label*='{bet}']").tap()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Treat it as a bet on").select_option(stands)
    dialog.get_by_label("Reason").fill(words)
    dialog.get_by_role("button", name="Record ruling").tap()
    expect(dialog).to_be_hidden()


def test_what_the_book_does_not_cover_is_referred_and_decided_in_words(floor: Floor, console: Console) -> None:
    page = console(SINGAPORE)
    dealt(floor, SINGAPORE, "collect", big=500)
    before = floor.balance(SINGAPORE, ANN)
    dialog = call(floor, page, SINGAPORE, "not-covered", words="a guest fell onto the layout")
    expect(dialog).to_contain_text("The round waits for the decision")
    close(dialog)
    above = console(SINGAPORE, "demo-gaming-shift-manager")
    form = above.locator(".rulings form")
    form.get_by_label("Reason").fill("a guest fell onto the layout")
    form.get_by_role("checkbox").check()
    form.get_by_role("button", name="Record ruling").tap()
    expect(above.locator(".rulings")).to_have_count(0)
    assert floor.bets_of(SINGAPORE, ANN) == {}
    assert floor.balance(SINGAPORE, ANN) == before + 500


@pytest.mark.thorough
def test_at_craps_running_wagers_stay_when_the_power_fails(floor: Floor, console: Console) -> None:
    page = console(CRAPS)
    floor.command("demo-dealer", "dealer", CRAPS, type="NewShooter", shooter=ANN)
    floor.bet(CRAPS, ANN, all_lows=500)
    floor.command("demo-dealer", "dealer", CRAPS, type="TakeStep", step="roll", dice=[1, 1])
    floor.command("demo-dealer", "dealer", CRAPS, type="TakeStep", step="mark")
    floor.bet(CRAPS, ANN, high_roller=500)
    before = floor.balance(CRAPS, ANN)
    dialog = call(floor, page, CRAPS, "power-failure")
    expect(dialog).to_contain_text("Everything waits until play resumes")
    close(dialog)
    page.get_by_role("button", name="Ann withdraws all bets").tap()
    expect(page.get_by_role("button", name="Ann withdraws all bets")).to_have_count(0)
    page.get_by_role("button", name="Resume play").tap()
    expect(page.get_by_role("button", name="Resume play")).to_have_count(0)
    assert floor.bets_of(CRAPS, ANN) == {"all-lows": 500}
    assert floor.balance(CRAPS, ANN) == before + 500
