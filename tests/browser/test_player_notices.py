"""Notices for players at a table: readiness, calls and rulings, the end of a session."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from pitbook.server.demo import PASSWORD
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.floors import CHIPS, Floor
from tests.browser.people import signed_in

SINGAPORE, MASSACHUSETTS = "singapore", "massachusetts"
ANN, DEALER, PIT = "demo-ann", "demo-dealer", "demo-pit-supervisor"
Picture = Callable[[Page, str], None]

pytestmark = pytest.mark.own_house


@pytest.fixture(scope="module")
def floor(floor: Floor) -> Floor:
    """Singapore's table is dealt by hand."""
    floor.reopen(SINGAPORE, automatic=None)
    floor.command(PIT, "pit-supervisor", SINGAPORE, type="PutDice", set="set 1")
    floor.check_all(SINGAPORE, PIT, "pit-supervisor")
    floor.command(DEALER, "dealer", SINGAPORE, type="TakeOver")
    floor.command(DEALER, "dealer", SINGAPORE, type="BuyIn", amount=CHIPS, player=ANN)
    return floor


@pytest.mark.thorough
def test_a_table_that_lacks_something_asks_nobody_for_bets(visit: Visit, floor: Floor) -> None:
    setup = floor.page(MASSACHUSETTS, "demo-manager")["rules"]["setup"]
    floor.command("demo-manager", "manager", MASSACHUSETTS, type="CloseTable")
    floor.command("demo-manager", "manager", MASSACHUSETTS, type="OpenTable", setup=setup)
    player = signed_in(visit, ANN, f"/tables/{MASSACHUSETTS}")
    board = visit(f"/tables/{MASSACHUSETTS}/board")
    for page in (player, board):
        expect(page.locator(".announcement")).to_have_text("No bets yet")
        expect(page.locator(".announcement-why")).to_have_text("The table is being set up")
    lobby = visit("/")
    card = lobby.locator(".table-card").filter(has_text="Sic Bo (Massachusetts)")
    expect(card).to_contain_text("Between rounds")


def test_latecomers_read_what_was_called_and_how_their_bets_were_ruled_on(
    visit: Visit, floor: Floor, picture: Picture
) -> None:
    """Singapore 3.12: one wager stands elsewhere, one as it lies, and one goes back."""
    game = floor.table(SINGAPORE)
    game.take("open")
    floor.bet(SINGAPORE, ANN, small=1000, big=700, even=500)
    game.take_steps(until="announce-outcome")
    bets = {bet["wager"]: bet["id"] for bet in floor.page(SINGAPORE)["staff"]["bets"]}
    named = {"irregularity": "unclear-wagers", "bets": list(bets.values())}
    floor.command(DEALER, "dealer", SINGAPORE, type="Call", **named)
    for wager, stands in (("small", "odd"), ("big", "big"), ("even", None)):
        ruling = {"bet": bets[wager], "treat_as": stands, "words": "seen on camera"}
        floor.command(PIT, "pit-supervisor", SINGAPORE, type="RuleOnBet", **ruling)

    player = signed_in(visit, ANN, f"/tables/{SINGAPORE}")
    called = player.locator(".called")
    expect(called).to_contain_text("A wager lies unclear or was moved")
    expect(called).to_contain_text("3.12")
    own = player.locator(".own-bets")
    expect(own.locator("li").filter(has_text="Odd")).to_contain_text("moved here from Small")
    expect(own.locator("li").filter(has_text="Big")).to_contain_text("the bet stands here")
    expect(own).to_contain_text("Even S$5: supervisor's ruling: returned to you")
    expect(player.locator(".ruled-ring")).to_have_count(2)
    area = player.locator('.layout [data-wager="odd"]')
    assert "supervisor's ruling" in str(area.get_attribute("aria-label"))
    assert violations(player) == []
    picture(player, "play-ruled")

    console = signed_in(visit, DEALER, f"/tables/{SINGAPORE}/dealer")
    lines = console.locator(".bets .lines li")
    expect(lines.filter(has_text="Odd")).to_contain_text("ruling: moved from Small")
    expect(lines.filter(has_text="Big")).to_contain_text("ruling: stands as placed")
    expect(console.locator(".bets")).to_contain_text("S$5.00: returned by ruling")
    expect(console.locator(".others-ruled")).to_have_count(2)

    game.play_round()
    expect(called).to_have_count(0)
    expect(player.locator(".ruled-ring")).to_have_count(0)


@pytest.mark.thorough
def test_a_dealer_whose_session_ends_in_a_round_comes_in_again_and_has_lost_nothing(
    visit: Visit, floor: Floor, picture: Picture
) -> None:
    game = floor.table(SINGAPORE)
    if game.due() == "open":
        game.take("open")
    game.take_steps(until="announce-outcome")
    console = signed_in(visit, DEALER, f"/tables/{SINGAPORE}/dealer")
    expect(console.locator(".due:not(.due-fresh) .due-says")).to_contain_text("Call the outcome")
    console.keyboard.type("123")
    typed = console.locator(".due .typed")
    expect(typed).to_have_attribute("aria-label", "Dice 1, 2, 3")
    console.context.clear_cookies()
    console.keyboard.press("Enter")
    data = console.get_by_role("alert").filter(has_text="Your session has ended")
    expect(data).to_be_visible()
    expect(typed).to_have_attribute("aria-label", "Dice 1, 2, 3")
    picture(console, "dealer-session-ended")
    data.get_by_role("button", name="Sign in again").click()
    dialog = console.get_by_role("dialog")
    expect(dialog.get_by_label("Name", exact=True)).to_have_value(DEALER)
    dialog.locator("input[type=password]").fill(PASSWORD)
    dialog.locator("input[type=password]").press("Enter")
    expect(data).to_have_count(0)
    expect(dialog).to_be_hidden()
    expect(typed).to_have_attribute("aria-label", "Dice 1, 2, 3")
    console.locator(".due button.button-main").click()
    expect(console.locator(".due-says")).to_contain_text("ollect the losing wagers")
    assert floor.page(SINGAPORE)["view"]["due"] == "collect"


def sign_in_again(console: Page) -> None:
    """Sign in again in the dialog that opens when the session has ended."""
    dialog = console.get_by_role("dialog", name="Sign in again")
    expect(dialog).to_be_visible()
    dialog.locator("input[type=password]").fill(PASSWORD)
    dialog.locator("input[type=password]").press("Enter")
    expect(dialog).to_have_count(0)


def test_a_session_that_ends_behind_a_dialog_asks_in_front_of_it(visit: Visit) -> None:
    console = signed_in(visit, DEALER, f"/tables/{MASSACHUSETTS}/dealer")
    console.get_by_role("button", name="Chips for a player").click()
    panel = console.locator("dialog").filter(has=console.get_by_label("Player", exact=True))
    panel.get_by_label("Player", exact=True).fill("demo-ben")
    panel.get_by_label("Amount").fill("25")
    console.context.clear_cookies()
    # No mouse: the page may have noticed on its own, and then a dialog is in front.
    panel.locator("button", has_text="Buy in").last.evaluate("button => button.click()")
    sign_in_again(console)
    expect(panel.get_by_label("Amount")).to_have_value("25")
    panel.get_by_role("button", name="Buy in").last.click()
    expect(panel).to_be_hidden()


@pytest.mark.thorough
def test_an_answer_to_the_ended_session_does_not_end_the_new_one(visit: Visit) -> None:
    console = signed_in(visit, DEALER, f"/tables/{MASSACHUSETTS}/dealer")
    late: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        """Hold the response to the first command; let the others through."""
        if late:
            route.continue_()
        else:
            late.append((route, route.fetch()))

    step = console.locator(".due button.button-main")
    expect(step).to_be_enabled()
    console.get_by_role("button", name="Chips for a player").click()
    panel = console.locator("dialog").filter(has=console.get_by_label("Player", exact=True))
    panel.get_by_label("Player", exact=True).fill("demo-ben")
    panel.get_by_label("Amount").fill("25")
    console.route("**/commands", hold)
    console.context.clear_cookies()
    step.evaluate("button => button.click()")
    expect(step).to_have_attribute("aria-busy", "true")
    panel.locator("button", has_text="Buy in").last.evaluate("button => button.click()")
    sign_in_again(console)
    [(route, answer)] = late
    assert answer.status == 401
    route.fulfill(response=answer)
    expect(step).to_have_attribute("aria-busy", "false")
    expect(console.get_by_role("dialog", name="Sign in again")).to_have_count(0)
    panel.get_by_role("button", name="Buy in").last.click()
    expect(panel).to_be_hidden()


def test_a_player_disputes_a_round_and_everyone_reads_it_until_it_is_decided(
    visit: Visit, floor: Floor, picture: Picture
) -> None:
    game = floor.table(SINGAPORE)
    if floor.page(SINGAPORE)["view"]["procedure"][0]["done"]:
        game.play_round()
    game.take("open")
    floor.bet(SINGAPORE, ANN, small=1000)
    number = floor.page(SINGAPORE)["view"]["round"]
    game.play_round()
    player = signed_in(visit, ANN, f"/tables/{SINGAPORE}")
    player.get_by_role("button", name=f"Round {number}").click()
    dialog = player.get_by_role("dialog")
    dialog.get_by_text("Dispute this round").click()
    dialog.get_by_label("What went wrong?").fill("the second die was a four")
    picture(player, "play-dispute")
    dialog.get_by_role("button", name="Submit dispute").click()
    expect(dialog).to_contain_text(f"Under dispute: round {number}")
    player.keyboard.press("Escape")
    expect(player.locator(".history")).to_contain_text(f"Under dispute: round {number}")

    above = signed_in(visit, PIT, f"/tables/{SINGAPORE}/dealer")
    expect(above.get_by_text(f"Round {number} is disputed")).to_be_visible()
    floor.command(
        PIT, "pit-supervisor", SINGAPORE, type="SettleDispute", round=number, words="the recording shows a two"
    )
    expect(player.locator(".history")).not_to_contain_text("Under dispute")
