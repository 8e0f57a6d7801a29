"""Chips bought and cashed, at tables of people and at automatic ones: every refusal, and amounts at the very edge."""

from __future__ import annotations

from typing import Any

import pytest

from pitbook.messages import Message
from pitbook.table import commands as c
from pitbook.table.decide import Context, Decision, decide
from pitbook.table.decide.chips import COLOURS
from pitbook.table.decide.draft import Allowance
from pitbook.table.people import Consent
from pitbook.table.refusals import Reason, Refusal
from pitbook.testing import person
from tests.table.automatic import commit, open_automatic
from tests.table.driving import DrivenTable
from tests.table.sic_bo import ANN, BEN, DEALER, FLOOR, MASSACHUSETTS, SINGAPORE, packaged

HANDS = "Cash changes hands with staff, at the table or the cage."
OUT = Allowance(excluded=Message("refusals.rights.excluded-for-good", {"player": "ann"}))


def outcome(table: DrivenTable, who: str, command: c.Command, **more: Any) -> Decision | Refusal:
    """What results from a command, with what a server hands in besides."""
    return decide(table.table, command, Context(person(who), table.now.isoformat(), table.balances, **more))


def refusal(table: DrivenTable, who: str, command: c.Command, **more: Any) -> Refusal:
    found = outcome(table, who, command, **more)
    assert isinstance(found, Refusal), found
    return found


def test_chips_are_bought_and_cashed_for_more_than_nothing() -> None:
    table = packaged(MASSACHUSETTS)
    for amount in (0, -1):
        assert "Enter an amount above zero." in table.refused(ANN, c.BuyIn(amount), Reason.BAD_AMOUNT).says
        assert "Enter an amount above zero." in table.refused(ANN, c.CashOut(amount), Reason.BAD_AMOUNT).says
    table.does(ANN, c.BuyIn(1))
    assert table.holds("ann") == 1_000_01
    table.refused(ANN, c.CashOut(1_000_02), Reason.NO_FUNDS)
    table.does(ANN, c.CashOut(1))
    table.does(ANN, c.CashOut(1_000_00))
    assert table.holds("ann") == 0


@pytest.mark.parametrize("command", [c.BuyIn(10_00), c.CashOut(10_00)])
def test_a_player_on_a_device_of_their_own_hands_no_cash_over(command: c.Command) -> None:
    people, real = packaged(MASSACHUSETTS), open_automatic(SINGAPORE, real_money=True, approval="EGM 7")
    for table in (people, real):
        found = refusal(table, ANN, command, remote=True)
        assert (found.why, HANDS in found.says) == (Reason.WRONG_ROLE, True)
    assert isinstance(outcome(people, ANN, command), Decision)
    on_behalf = c.BuyIn(10_00, "ann") if isinstance(command, c.BuyIn) else c.CashOut(10_00, "ann")
    assert isinstance(outcome(people, DEALER, on_behalf, remote=True), Decision)
    play = open_automatic(SINGAPORE, play_stack=2_000_00)
    assert isinstance(outcome(play, ANN, command, remote=True), Decision), "play money is not handed over"


def test_play_money_is_filled_up_to_the_stack_with_colour_chips_counted() -> None:
    table = open_automatic(SINGAPORE, play_stack=2_000_00)
    table.does(ANN, c.BuyIn(600_00, colour_value=1))
    found = table.refused(ANN, c.BuyIn(400_01), Reason.OVER_MAXIMUM)
    assert "You have ◇1,600 in play money; the maximum is ◇2,000." in found.says
    table.does(ANN, c.BuyIn(400_00))


def test_an_excluded_player_buys_no_chips_and_moves_no_bet() -> None:
    table = open_automatic(SINGAPORE, play_stack=2_000_00)
    commit(table)
    table.does(ANN, c.PlaceBets((c.BetRequest("small", 5_00),)))
    for command in (c.BuyIn(1_00), c.MoveBet("small", "big", 5_00), c.PlaceBets((c.BetRequest("big", 5_00),))):
        assert refusal(table, ANN, command, allowance=lambda: OUT).why is Reason.EXCLUDED
        assert isinstance(outcome(table, ANN, command, allowance=Allowance), Decision)


@pytest.mark.parametrize(
    ("consent", "why"),
    [
        (None, Reason.NO_CONSENT),
        (Consent("device", person(BEN)), Reason.NO_CONSENT),
        (Consent("second person", person(DEALER)), Reason.OWN_ACT),
        (Consent("second person", person(BEN)), Reason.WRONG_ROLE),
        (Consent("second person", person(FLOOR)), None),
        (Consent("device", person(ANN)), None),
    ],
)
def test_staff_buy_in_an_account_holder_with_their_consent_or_a_second_person(
    consent: Consent | None, why: Reason | None
) -> None:
    found = outcome(packaged(MASSACHUSETTS), DEALER, c.BuyIn(10_00, "ann"), holder=True, consent=consent)
    assert getattr(found, "why", None) is why


def test_a_colour_chip_may_be_worth_the_smallest_coin_and_one_keeps_the_colour() -> None:
    table = packaged(SINGAPORE, limits={"*": c.Limit(1, 500_00)})
    table.refused(ANN, c.BuyIn(10, colour_value=0), Reason.COLOUR_CHIPS)
    table.does(ANN, c.BuyIn(1, colour_value=1))
    assert table.holds_in_colour("ann") == 1
    taken = table.refused(BEN, c.BuyIn(10, colour_value=1, colour=COLOURS[0]), Reason.COLOUR_CHIPS)
    assert "Another player has the blue chips at this table." in taken.says


def test_a_refusal_to_redeem_more_than_a_player_holds_names_the_colour() -> None:
    table = packaged(SINGAPORE)
    table.does(ANN, c.BuyIn(10_00, colour_value=1_00))
    found = table.refused(ANN, c.CashOut(11_00, kind="colour"), Reason.NO_FUNDS)
    assert found.says.startswith("Not enough chips: ann has S$10 in blue chips.")


def test_no_wager_of_an_excluded_player_is_recorded_as_found() -> None:
    table = packaged(SINGAPORE)
    table.go("close")
    command = c.RecordFound("ann", "small", 600_00, late=True)
    assert refusal(table, DEALER, command, allowance=lambda: OUT).why is Reason.EXCLUDED
    assert isinstance(outcome(table, DEALER, command, allowance=Allowance), Decision)


def test_only_colours_that_there_are_and_that_are_free_are_given_out() -> None:
    table = packaged(SINGAPORE)
    unknown = table.refused(ANN, c.BuyIn(10_00, colour_value=1_00, colour="tartan"), Reason.COLOUR_CHIPS)
    assert (
        "There are no tartan chips. Choose one of: blue, green, yellow, orange, pink, purple, brown, grey, turquoise,"
        in unknown.says
    )
    for place, colour in enumerate(COLOURS):
        table.does(f"guest{place} the player", c.BuyIn(10_00, colour_value=1_00))
        assert table.table.purses[f"guest{place}"].colour == colour
    full = table.refused(ANN, c.BuyIn(10_00, colour_value=1_00), Reason.COLOUR_CHIPS)
    assert "Every colour at this table is in use." in full.says
    assert full.reading == "colour-chips"
    table.does("guest3 the player", c.BuyIn(10_00, colour_value=1_00))
    table.does("guest3 the player", c.CashOut(20_00, kind="colour"))
    table.does(ANN, c.BuyIn(10_00, colour_value=1_00))
    assert table.table.purses["ann"].colour == COLOURS[3]
