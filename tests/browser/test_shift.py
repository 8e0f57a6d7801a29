"""A shift at the dealer's console, on a touch screen of 1024 by 768: what is done beside the steps of a round."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import violations
from tests.browser.floors import CHIPS, Console, Floor
from tests.browser.test_layout import SMALL
from tests.browser.test_lobby import fits
from tests.browser.windows import SETTLED, resize
from tests.waiting import until

pytestmark = pytest.mark.own_house

SINGAPORE, MASSACHUSETTS, MARYLAND = "singapore", "massachusetts", "maryland"
WORKS, OLOGY, CRAPS = "dice-works", "dice-ology", "craps"
ANN, BEN = "demo-ann", "demo-ben"
Picture = Callable[[Page, str], None]


@pytest.fixture(scope="module")
def floor(floor: Floor) -> Floor:
    """Every table is dealt by hand."""
    floor.reopen(SINGAPORE, automatic=None)
    floor.reopen(OLOGY, automatic=None)
    return floor


def act(page: Page, key: str) -> Locator:
    """Open the dialog of a key."""
    expect(page.locator(f".acts [aria-keyshortcuts='{key}']")).to_be_enabled()
    page.locator("h1").click()
    page.keyboard.press(key)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    return dialog


def due(page: Page, words: str) -> None:
    """Wait until this step is due and can be taken."""
    expect(page.locator(".due:not(.due-fresh) .due-says")).to_contain_text(words)


def type_dice(where: Locator, *faces: int) -> None:
    for face in faces:
        where.get_by_role("button", name=f"Die {face}").tap()


def ready(page: Page) -> None:
    """Nothing is in progress."""
    expect(page.locator("[aria-busy=true]")).to_have_count(0)


def check_dice(page: Page, *, met: bool) -> None:
    """Check the dice against the book and wait for the result."""
    page.get_by_role("button", name="Check Dice").tap()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("each is numbered from one to six by dots")
    if met:
        dialog.get_by_role("checkbox").check()
    dialog.get_by_role("button", name="Record").tap()
    expect(dialog).to_be_hidden()
    result = "All inspected and checked" if met else "2.2: failed"
    expect(page.locator(".due-checks")).to_contain_text(result)


@pytest.mark.thorough
def test_dice_entered_wrong_are_corrected_before_anything_is_paid(
    floor: Floor, console: Console, picture: Picture
) -> None:
    floor.bet(MASSACHUSETTS, ANN, small=1000, big=500)
    floor.table(MASSACHUSETTS).take_steps(until="announce-dice")
    page, above = console(MASSACHUSETTS), console(MASSACHUSETTS, "demo-floorperson")
    due(page, "Call the value")
    type_dice(page.locator(".due"), 1, 2, 3)
    page.locator(".due .button-main").tap()
    due(page, "collect every losing wager")
    expect(page.locator(".side-of").nth(1)).to_contain_text("Small")
    expect(page.get_by_text("Wrong dice? Call a supervisor before settling.")).to_be_visible()
    expect(page.get_by_role("button", name="Correct dice")).to_have_count(0)
    before = floor.balance(MASSACHUSETTS, ANN)

    due(above, "collect every losing wager")
    dialog = act(above, "x")
    above.keyboard.press("4")
    type_dice(dialog, 5, 6)
    picture(above, "dealer-1024-put-right")
    assert violations(above) == []
    go = dialog.get_by_role("button", name="Save these dice")
    expect(go).to_be_disabled()
    dialog.get_by_label("Reason").fill("misread under the lamp")
    go.tap()
    expect(dialog).to_be_hidden()
    expect(page.locator(".side-of").nth(1)).to_contain_text("Big")
    expect(page.locator(".side-of").nth(0)).to_contain_text("Small")
    picture(page, "dealer-1024-settling")
    page.locator(".due .button-main").tap()
    due(page, "pay every winning wager")
    page.locator(".due .button-main").tap()
    due(page, "Close betting")
    assert floor.balance(MASSACHUSETTS, ANN) == before + 1000, "Big was paid, and not Small"


def test_a_fill_waits_for_a_second_person_who_sees_it_at_once(floor: Floor, console: Console, picture: Picture) -> None:
    asks, answers = console(MARYLAND, "demo-floorperson"), console(MARYLAND, "demo-dealer")
    before = floor.page(MARYLAND)["staff"]["inventory"]["fills"]
    for way, fills in (("Reject", 0), ("Approve", 250_000)):
        dialog = act(asks, "m")
        dialog.get_by_label("Amount").fill("2500")
        dialog.get_by_label("Second person").select_option(label="Dealer 1 · Dealer")
        dialog.get_by_role("button", name="Request approval").tap()
        expect(dialog).to_be_hidden()
        expect(asks.locator(".approvals")).to_contain_text("Your request; waiting for")
        waiting = answers.locator(".approvals")
        expect(waiting).to_contain_text("Fill · US$2,500.00")
        expect(waiting).to_contain_text("Floorperson 1")
        picture(answers, "dealer-1024-approval")
        waiting.get_by_role("button", name=way, exact=True).tap()
        expect(waiting).to_have_count(0)
        expect(asks.locator(".approvals")).to_have_count(0)
        assert floor.page(MARYLAND)["staff"]["inventory"]["fills"] == before + fills


def test_a_flood_of_bets_asks_the_server_four_times_a_second_at_most(floor: Floor, console: Console) -> None:
    page = console(MARYLAND)
    requested: list[float] = []
    page.on("request", lambda one: requested.append(1.0) if one.url.endswith(f"/api/v1/tables/{MARYLAND}") else None)
    started = page.evaluate("performance.now()")
    for _ in range(60):
        floor.bet(MARYLAND, ANN, small=100)
    expect(page.locator(".bets .lines li")).to_contain_text("US$60.00")
    seconds = (page.evaluate("performance.now()") - started) / 1000
    assert 1 <= len(requested) <= 4 * seconds + 2
    page.get_by_role("button", name="Change: Ann").tap()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Move it to").select_option("big")
    dialog.get_by_role("button", name="Move it", exact=True).tap()
    expect(dialog).to_be_hidden()
    assert floor.bets_of(MARYLAND, ANN) == {"big": 6000}


def test_every_key_is_in_the_legend(console: Console, picture: Picture) -> None:
    page = console(MARYLAND, "demo-floorperson")
    legend = act(page, "?")
    for name in ("Chips for a player", "Correct dice", "Table inventory", "take the next step"):
        expect(legend).to_contain_text(name)
    expect(legend).not_to_contain_text("Bet for a player")  # the book gives that to the dealers
    assert violations(page) == []
    picture(page, "dealer-1024-keys")
    page.keyboard.press("Escape")
    expect(legend).to_be_hidden()


def test_a_table_is_made_ready_and_chips_change_hands_at_the_console(
    floor: Floor, console: Console, picture: Picture
) -> None:
    above, page = console(SINGAPORE, "demo-pit-supervisor"), console(SINGAPORE)
    missing = page.locator(".due-missing")  # and no step that would be refused
    wanted = ("Dice are in the shaker", "Dice: checked against the book", "A dealer has taken")
    expect(missing.locator("li")).to_have_text([re.compile(one) for one in wanted])
    expect(missing.get_by_role("button")).to_have_count(0)
    assert violations(page) == []
    picture(page, "dealer-1024-missing")
    above.get_by_role("button", name="New dice").tap()
    dialog = above.get_by_role("dialog")
    dialog.get_by_label("Name or number of the set").fill("A-17")
    dialog.get_by_role("button", name="Put in dice").tap()
    expect(above.get_by_text("Dice: A-17")).to_be_visible()
    check_dice(above, met=False)
    expect(missing).to_contain_text("Dice: check failed")
    check_dice(above, met=True)
    missing.get_by_role("button", name="Take over the table").tap()
    expect(missing).to_have_count(0)

    dialog = act(page, "c")
    dialog.get_by_label("Chips for a player").select_option("colour")
    dialog.get_by_label("Player", exact=True).first.fill(BEN)
    dialog.get_by_label("Amount").fill("100")
    dialog.get_by_label("Value of one colour chip").fill("5")
    dialog.get_by_role("button", name="Buy in").tap()
    expect(dialog.get_by_role("alert")).to_be_visible()  # a value above the minimum is shown by a marker
    assert violations(page) == []
    picture(page, "dealer-1024-colour-chips")
    dialog.get_by_role("checkbox").check()
    dialog.get_by_role("button", name="Buy in").tap()
    expect(dialog).to_be_hidden()
    expect(page.locator(".approvals")).to_contain_text("Ben's consent, or a second person's approval")
    assert floor.who(BEN).consent().status_code == 200
    assert floor.page(SINGAPORE, BEN)["mine"]["colour_value"] == 500

    due(page, "Play commences")
    page.locator(".due .button-main").tap()
    due(page, "tumble")
    dialog = act(page, "b")
    dialog.get_by_role("button", name="Ben", exact=True).tap()
    dialog.get_by_label("Area").select_option("small")
    dialog.get_by_label("Amount").fill("10")
    dialog.get_by_label("Bet with", exact=True).select_option("colour")
    dialog.get_by_role("checkbox").check()
    dialog.get_by_role("button", name="Place bet").tap()
    expect(dialog.get_by_role("alert")).to_contain_text("Verbal bets with cash aren't taken here")
    dialog.get_by_role("checkbox").uncheck()
    dialog.get_by_role("button", name="Place bet").tap()
    expect(dialog).to_be_hidden()
    assert floor.bets_of(SINGAPORE, BEN) == {"small": 1000}
    picture(page, "dealer-1024-singapore")
    floor.table(SINGAPORE).play_round()
    dialog = act(page, "c")
    dialog.get_by_label("Chips for a player").select_option("redeem")
    dialog.get_by_label("Player", exact=True).first.fill(BEN)
    expect(dialog.get_by_text("S$110.00 in blue chips at S$5.00")).to_be_visible()
    dialog.get_by_label("Amount").fill("110")
    dialog.get_by_role("button", name="Redeem colour chips").tap()
    expect(dialog).to_be_hidden()
    assert floor.who(BEN).consent().status_code == 200
    assert floor.page(SINGAPORE, BEN)["mine"]["purse"] is None
    assert floor.balance(SINGAPORE, BEN) == 0


def test_a_round_that_was_misread_is_settled_again_by_two_persons(floor: Floor, console: Console) -> None:
    game = floor.table(MARYLAND)
    before = floor.balance(MARYLAND, ANN)
    lies = sum(floor.bets_of(MARYLAND, ANN).values())
    game.play_round(4, 5, 6)
    assert floor.balance(MARYLAND, ANN) == before + 2 * lies
    page, above = console(MARYLAND), console(MARYLAND, "demo-floorperson")
    expect(page.get_by_role("button", name="Past rounds")).to_be_enabled()
    dialog = act(page, "d")
    dialog.get_by_role("button", name="Misread dice").tap()
    type_dice(dialog, 1, 1, 2)
    dialog.get_by_label("Reason").fill("the camera shows 1-1-2")
    dialog.get_by_role("button", name="Propose these dice").tap()
    expect(dialog).to_be_hidden()
    expect(page.get_by_text("Another supervisor must approve it")).to_be_visible()
    above.get_by_role("button", name="Approve and resettle").tap()
    expect(above.get_by_text("Proposal: resettle round")).to_have_count(0)
    assert floor.balance(MARYLAND, ANN) == before, "Big loses on 1-1-2"

    dialog = act(page, "d")
    dialog.get_by_label("Reason").fill("the player says it was 6-6-6")
    dialog.get_by_role("button", name="Record dispute").tap()
    expect(dialog).to_be_hidden()
    question = above.locator(".question", has_text="is disputed")
    question.get_by_label("Reason").fill("the camera decides")
    question.get_by_role("button", name="Uphold the claim").tap()
    expect(question).to_have_count(0)
    assert floor.page(MARYLAND)["view"]["disputed"] == []


@pytest.mark.thorough
def test_a_hand_of_craps_from_the_new_shooter_to_the_seven_out(
    floor: Floor, console: Console, picture: Picture
) -> None:
    page, above = console(WORKS), console(WORKS, "demo-box-person")
    page.get_by_label("Give the dice to").fill(ANN)
    page.get_by_role("button", name="Change shooter").tap()
    due(page, "The shooter rolls")
    floor.bet(WORKS, ANN, all_lows=500)
    dialog = act(page, "n")
    dialog.get_by_role("button", name="A die left the table").tap()
    dialog.get_by_role("button", name="Call “No roll”").tap()
    expect(dialog).to_be_hidden()
    assert floor.bets_of(WORKS, ANN) == {"all-lows": 500}

    roll(page, 3, 2)
    expect(page.get_by_role("img", name="ON: the point is 5")).to_be_visible()
    dialog = act(above, "x")
    type_dice(dialog, 3, 1)
    dialog.get_by_label("Reason").fill("it was a four")
    dialog.get_by_role("button", name="Save these dice").tap()
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("img", name="ON: the point is 4")).to_be_visible()
    due(page, "with a lammer")  # it is a new roll now
    page.locator(".due .button-main").tap()
    due(page, "The shooter rolls")
    expect(page.locator(".roll-orders")).to_contain_text("Lammer on 4: All Lows, The Works")
    expect(page.locator(".bets .lines li")).to_contain_text("marked 4")
    expect(page.get_by_role("button", name="Change: Ann")).to_have_count(0)
    roll(page, 1, 1)
    expect(page.locator(".roll-orders")).to_contain_text("Lammer on 2")
    due(page, "The shooter rolls")
    assert violations(page) == []
    picture(page, "dealer-1024-craps")
    roll(page, 3, 4)
    expect(page.locator(".called-roll").last).to_contain_text("seven-out")
    due(page, "collect every side bet that has lost")
    expect(page.locator(".in-hand")).to_contain_text("US$5.00")
    picture(page, "dealer-1024-seven-out")
    expect(page.locator(".stick-call")).to_have_text("Seven out: take down all.")
    page.locator(".due .button-main").tap()
    expect(page.get_by_text("Nobody has the dice")).to_be_visible()
    expect(page.locator(".roll-orders")).to_contain_text("Take down the lammers")
    assert floor.bets_of(WORKS, ANN) == {}


def roll(page: Page, *faces: int) -> None:
    due(page, "The shooter rolls")
    ready(page)
    type_dice(page.locator(".due"), *faces)
    page.locator(".due .button-main").tap()


@pytest.mark.thorough
def test_booked_bets_and_tips_are_confirmed_and_winners_paid_as_the_stick_directs(
    floor: Floor, console: Console, picture: Picture
) -> None:
    box, base = "demo-box-person", "demo-base-dealer"
    above, page = console(OLOGY, box), console(OLOGY, base)
    expect(above.locator(".due-checks button").first).to_be_visible()
    for button in above.locator(".due-checks button").all():
        button.tap()
        dialog = above.get_by_role("dialog")
        expect(dialog.get_by_role("status")).to_contain_text("not met")
        for point in dialog.get_by_role("checkbox").all():
            point.check()
        dialog.get_by_role("button", name="Record").tap()
        expect(dialog).to_be_hidden()
        expect(button.locator("xpath=ancestor::li[1]")).to_contain_text("checked (")  # the next row moves
        ready(above)
    expect(above.get_by_text("All inspected and checked")).to_be_visible()
    floor.command(base, "base-dealer", OLOGY, type="BuyIn", amount=CHIPS, player=ANN)
    floor.command(base, "base-dealer", OLOGY, type="NewShooter", shooter=ANN)
    wager = winner(floor)
    floor.bet(OLOGY, ANN, **{wager["id"].replace("-", "_"): wager["stake"]})
    confirm = page.get_by_role("button", name="Confirm 1 booked bet")
    confirm.tap()
    expect(confirm).to_have_count(0)
    dialog = act(page, "b")
    dialog.get_by_label("Player", exact=True).first.fill(ANN)
    dialog.get_by_label("Area").select_option(wager["id"])
    dialog.get_by_label("Amount").fill(str(wager["stake"] // 100))
    dialog.get_by_label("Bet with", exact=True).select_option("tip on top")
    dialog.get_by_role("button", name="Place bet").tap()
    expect(dialog).to_be_hidden()
    confirm.tap()  # what staff enter is repeated aloud, too
    expect(confirm).to_have_count(0)
    for dice in wager["rolls"]:
        roll(page, *dice)
        expect(page.locator(".roll-orders")).to_contain_text(f"Lammer on {sum(dice)}")
    due(page, "Pay as the stick person directs")
    expect(page.locator(".in-hand")).to_contain_text("Ann")
    page.get_by_label("Directed by").select_option(label="Stick person 1 · Stick person")
    page.get_by_label("Confirmed by").select_option(label="Box person 1 · Box person")
    picture(page, "dealer-1024-paying")
    before = floor.balance(OLOGY, ANN)
    page.locator(".due .button-main").tap()
    above.locator(".approvals").get_by_role("button", name="Approve", exact=True).tap()
    expect(above.locator(".approvals")).to_have_count(0)
    assert floor.balance(OLOGY, ANN) > before


def winner(floor: Floor) -> dict[str, Any]:
    """Return a wager and the rolls that win it."""
    limits = floor.page(OLOGY)["rules"]["limits"]
    lammers = floor.page(OLOGY)["view"]["lammers"]
    name = next(one for one, found in lammers.items() if found.get("missing") == [2, 3, 4, 5, 6])
    rolls = [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5)]
    return {"id": name, "stake": limits[name]["stake_min"], "rolls": rolls}


PINNED = """() => {
  const box = name => document.querySelector(name).getBoundingClientRect();
  const seen = one => one.height > 0 && one.top >= 0 && one.left >= 0 && one.bottom <= innerHeight &&
    one.right <= innerWidth;
  if (document.querySelector(".fitted-shown .area") === null) return { drawn: false };
  const [due, felt, rest] = [".due", ".desk-felt .layout", ".desk-rest"].map(box);
  const acts = [...document.querySelectorAll(".due button:not(.due-body *)")].map(one => one.getBoundingClientRect());
  const foot = acts.length === 0 ? innerHeight : Math.min(...acts.map(one => one.top));
  const keys = [...document.querySelectorAll(".due .entry-keys button")].map(one => one.getBoundingClientRect());
  const hit = (one, x, y) => one.contains(document.elementFromPoint(x, y));
  const whole = one => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return one.scrollWidth <= one.clientWidth && hit(one, left + 4, top + 4) && hit(one, right - 4, bottom - 4);
  };
  const further = [...document.querySelectorAll(".acts > button")];
  return {
    reached: keys.every(one => one.bottom <= foot),
    whole: further.length > 1 && further.every(one => seen(one.getBoundingClientRect()) && whole(one)),
    seen: [due, felt, ...acts].every(seen),
    apart: due.bottom <= felt.top && rest.bottom <= felt.top && due.right <= rest.left,
    still: document.documentElement.scrollHeight <= innerHeight,
  };
}"""
"""Whether due step, dice, action buttons and felt are on the screen, cover nothing, and cannot be scrolled away."""
SIZES = [(1440, 900), (1280, 800), (1024, 768)]


DESKS = [
    *((table, "demo-dealer") for table in (MASSACHUSETTS, MARYLAND, SINGAPORE, WORKS)),
    (MASSACHUSETTS, "demo-floorperson"),
    (WORKS, "demo-box-person"),
    (OLOGY, "demo-base-dealer"),
    (CRAPS, "demo-stick-person"),
    (CRAPS, "demo-box-person"),
]
"""Every book, and the supervisors who have more actions than a dealer."""


def in_place(page: Page) -> bool:
    """Return whether the page has settled with everything in its place."""
    page.evaluate(SETTLED)
    return all(page.evaluate(PINNED).values()) and page.evaluate(SMALL) == 0 and fits(page)


@pytest.mark.thorough
@pytest.mark.parametrize(("table", "name"), DESKS)
def test_on_every_desk_the_due_step_the_actions_and_the_felt_keep_their_places(
    console: Console, picture: Picture, table: str, name: str
) -> None:
    page = console(table, name)
    for width, height in SIZES:
        resize(page, width, height)
        until(lambda: in_place(page), "everything in its place")
        picture(page, f"dealer-{width}-{table}-{name}")
    assert violations(page) == []
    before = page.locator(".due").bounding_box()
    page.locator(".steps").scroll_into_view_if_needed()
    assert page.locator(".due").bounding_box() == before
