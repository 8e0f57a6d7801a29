"""After the round at Sic Bo: disputes about any round, resettlement only by the rules that held."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pitbook.ledger.accounts import Account, disputes, drop, float_of, player
from pitbook.ledger.transfers import changes
from pitbook.table import commands as c
from pitbook.table.decide import Context, Decision, decide
from pitbook.table.people import Person
from pitbook.table.refusals import Reason
from pitbook.testing import person
from tests.table.sic_bo import (
    ANN,
    BEN,
    BOSS,
    DEALER,
    FLOOR,
    JUNIOR,
    MARYLAND,
    MASSACHUSETTS,
    PIT_SUPERVISOR,
    SENIOR,
    SINGAPORE,
    SUPERVISOR,
    packaged,
)

BOOKS = (MASSACHUSETTS, MARYLAND, SINGAPORE)


@pytest.mark.parametrize("book", BOOKS)
def test_a_round_that_was_void_can_be_disputed_and_not_resettled(book: str) -> None:
    table = packaged(book)
    table.bet(ANN, "small=10")
    table.go("uncover")
    table.does(DEALER, c.Call("not-flat" if book == SINGAPORE else "no-roll"))
    table.refused(ANN, c.Dispute(2, "not played yet"), Reason.NO_SUCH_ROUND)
    table.refused(DEALER, c.ProposeResettlement(1, (1, 2, 3), "they were flat"), Reason.NOTHING_TO_DO)
    table.does(ANN, c.Dispute(1, "they were flat"))
    table.does(JUNIOR[book], c.SettleDispute(1, "the camera shows one leaning"))


@pytest.mark.parametrize("book", [MASSACHUSETTS, MARYLAND])
def test_a_round_is_resettled_by_the_rules_in_force_at_the_time(book: str) -> None:
    table = packaged(book)
    table.bet(ANN, "two-of-a-kind/2=10")
    table.finish((2, 2, 3))
    table.does(BOSS, c.ChangeSetup(table.setup(limits={"*": c.Limit(1_00, 100_00)})))
    table.does(DEALER, c.ProposeResettlement(1, (2, 2, 2), "a triple"))
    table.does(BOSS, c.ChangeSetup(table.setup(readings={"double-with-triple": "exactly-two"})))
    table.refused(SENIOR[book], c.ApproveResettlement(1), Reason.CONFIGURATION)
    table.refused(DEALER, c.ProposeResettlement(1, (2, 2, 2), "a triple"), Reason.CONFIGURATION)


@pytest.mark.parametrize("book", BOOKS)
def test_a_resettlement_never_leaves_a_player_below_nothing(book: str) -> None:
    table = packaged(book)
    table.bet(ANN, "small=100", "total/6=10")
    table.bet(BEN, "big=100")
    table.finish((1, 2, 3))
    won = 100_00 + 10_00 * (18 if book == SINGAPORE else 14)
    assert table.holds("ann") == 1_000_00 + won
    table.does(ANN, c.CashOut(1_000_00 + won))
    table.does(DEALER, c.ProposeResettlement(1, (5, 6, 6), "misread"))
    table.refused(DEALER, c.ApproveResettlement(1), Reason.WRONG_ROLE)
    table.does(JUNIOR[book], c.ApproveResettlement(1))
    assert (table.holds("ann"), table.holds("ben")) == (0, 1_100_00)
    assert table.balances[disputes("t1")] == -(won + 110_00)
    assert table.table.history[-1].dice == (5, 6, 6)
    assert table.table.inventory.won == 110_00 - 100_00
    table.refused(JUNIOR[book], c.ApproveResettlement(1), Reason.NO_SUCH_PROPOSAL)


def test_a_disputed_round_is_frozen_until_a_supervisor_rules() -> None:
    table = packaged(SINGAPORE)
    table.bet(ANN, "small=10")
    table.finish()
    table.does(DEALER, c.ProposeResettlement(1, (5, 6, 6), "misread"))
    table.does(ANN, c.Dispute(1, "it was 1-2-3"))
    table.refused(PIT_SUPERVISOR, c.ApproveResettlement(1), Reason.FROZEN)
    table.refused(ANN, c.SettleDispute(1, "I was right"), Reason.WRONG_ROLE)
    table.does(PIT_SUPERVISOR, c.SettleDispute(1, "the camera shows 5-6-6"))
    table.does(PIT_SUPERVISOR, c.ApproveResettlement(1))


def test_a_credit_takes_what_the_float_holds_and_no_more() -> None:
    table = packaged(MASSACHUSETTS)
    held = table.balances[float_of("t1")]
    second = person(SENIOR[MASSACHUSETTS])
    for amount in (held + 1, 0, -1):
        says = table.refused(FLOOR, c.Credit(amount, second), Reason.BAD_AMOUNT).says
        assert says.startswith("Enter an amount above zero, up to the US$")
    table.does(FLOOR, c.Credit(1, second))
    table.does(FLOOR, c.Credit(held - 1, second))
    assert table.balances[float_of("t1")] == 0


@pytest.mark.parametrize("book", BOOKS)
def test_what_is_disputed_and_why_a_claim_is_refused_is_said(book: str) -> None:
    table = packaged(book)
    table.bet(ANN, "small=10")
    table.finish()
    assert "Enter what is disputed." in table.refused(ANN, c.Dispute(1, " "), Reason.NOTHING_TO_DO).says
    none = table.refused(JUNIOR[book], c.SettleDispute(1, "as seen"), Reason.NO_SUCH_ROUND)
    assert "Round 1 is not disputed." in none.says
    table.does(ANN, c.Dispute(1, "it was 4-5-6"))
    assert "already disputed" in table.refused(ANN, c.Dispute(1, "it was 4-5-6"), Reason.NOTHING_TO_DO).says
    unsaid = table.refused(JUNIOR[book], c.SettleDispute(1, " ", upheld=False), Reason.NOTHING_TO_DO)
    assert "Enter why the claim is rejected." in unsaid.says
    table.does(JUNIOR[book], c.SettleDispute(1, "the camera shows 1-2-3", upheld=False))


def test_a_resettlement_is_of_a_finished_round_and_by_other_dice() -> None:
    table = packaged(MASSACHUSETTS)
    table.bet(ANN, "small=10")
    table.go("pay")
    early = table.refused(DEALER, c.ProposeResettlement(1, (4, 5, 6), "misread"), Reason.NOT_NOW)
    assert "The round is still being settled." in early.says
    table.finish()
    same = table.refused(DEALER, c.ProposeResettlement(1, (1, 2, 3), "misread"), Reason.NOTHING_TO_DO)
    assert "The round was already settled with these dice." in same.says


def test_a_resettlement_leaves_what_was_given_back_or_ruled_and_settles_the_rest() -> None:
    table = packaged(SINGAPORE)
    table.bet(ANN, "total/6=10")
    table.go("close")
    table.does(DEALER, c.RecordFound("ben", "small", 20_00, late=True))
    table.finish((1, 2, 3))
    before = table.table.history[-1].lines
    assert [(line.wager, line.row) for line in before] == [("small", None), ("total/6", "win")]
    assert (table.holds("ann"), table.holds("ben")) == (1_180_00, 1_000_00)
    table.does(DEALER, c.ProposeResettlement(1, (5, 6, 6), "misread"))
    table.does(PIT_SUPERVISOR, c.ApproveResettlement(1))
    after = table.table.history[-1].lines
    assert after[0] == before[0]
    assert (after[1].wager, after[1].net) == ("total/6", -10_00)
    assert (table.holds("ann"), table.holds("ben")) == (990_00, 1_000_00)


def test_a_cash_bet_that_is_resettled_is_taken_back_in_cash_chips() -> None:
    table = packaged(SINGAPORE)
    table.does(ANN, c.BuyIn(50_00, colour_value=5_00))
    table.bet(ANN, "small=10")
    table.finish((1, 2, 3))
    table.does(DEALER, c.ProposeResettlement(1, (5, 6, 6), "misread"))
    table.does(PIT_SUPERVISOR, c.ApproveResettlement(1))
    assert (table.holds("ann"), table.holds_in_colour("ann")) == (990_00, 50_00)


@pytest.mark.parametrize("held", [{}, {player("ann", "SGD"): -5}])
def test_a_resettlement_takes_nothing_from_a_player_who_holds_nothing(held: dict[Account, int]) -> None:
    table = packaged(SINGAPORE)
    table.bet(ANN, "small=10")
    table.finish((1, 2, 3))
    table.does(DEALER, c.ProposeResettlement(1, (5, 6, 6), "misread"))
    context = Context(person(PIT_SUPERVISOR), table.now.isoformat(), held)
    approved = decide(table.table, c.ApproveResettlement(1), context)
    assert isinstance(approved, Decision)
    legs = {leg.account: leg.amount for transfer in approved.transfers for leg in transfer.legs}
    assert legs == {float_of("t1"): 20_00, disputes("t1"): -20_00}


def test_what_a_resettlement_has_just_paid_can_be_taken_back_by_its_next_line() -> None:
    table = packaged(SINGAPORE)
    table.bet(ANN, "small=10", "big=10")
    table.finish((1, 2, 3))
    assert [line.wager for line in table.table.history[-1].lines] == ["big", "small"]
    table.does(DEALER, c.ProposeResettlement(1, (5, 6, 6), "misread"))
    approved = decide(table.table, c.ApproveResettlement(1), Context(person(PIT_SUPERVISOR), table.now.isoformat()))
    assert isinstance(approved, Decision)
    assert changes(approved.transfers) == {}, "20 are paid and 20 taken back; nothing is owed"


def test_chips_are_counted_between_rounds_and_never_below_nothing() -> None:
    table = packaged(MASSACHUSETTS)
    second = person(SENIOR[MASSACHUSETTS])
    assert "Enter zero or more." in table.refused(FLOOR, c.Count("opening", -1, second), Reason.BAD_AMOUNT).says
    table.does(FLOOR, c.Count("opening", 0, second))
    table.bet(ANN, "small=10")
    table.go("close")
    during = table.refused(FLOOR, c.Count("opening", 10, second), Reason.NOT_NOW)
    assert "Count the chips between rounds." in during.says


def test_a_fill_is_more_than_nothing_and_the_drop_box_is_emptied_to_the_last_coin() -> None:
    table = packaged(MASSACHUSETTS)
    second = person(SENIOR[MASSACHUSETTS])
    for amount in (0, -1):
        assert "Enter an amount above zero." in table.refused(FLOOR, c.Fill(amount, second), Reason.BAD_AMOUNT).says
    before = table.balances[float_of("t1")]
    table.does(FLOOR, c.Fill(1, second))
    assert table.balances[float_of("t1")] == before + 1
    table.does(FLOOR, c.CollectDrop(second))
    assert "The drop box is empty." in table.refused(FLOOR, c.CollectDrop(second), Reason.NOTHING_TO_DO).says
    table.does(ANN, c.BuyIn(1))
    table.does(FLOOR, c.CollectDrop(second))
    assert table.balances[drop("t1")] == 0


@pytest.mark.parametrize(
    "shared",
    [
        lambda second: c.Count("opening", 10, second),
        lambda second: c.Fill(10, second),
        lambda second: c.Credit(10, second),
        c.CollectDrop,
    ],
)
def test_nobody_counts_fills_credits_or_empties_the_drop_box_alone(shared: Callable[[Person], c.Command]) -> None:
    table = packaged(MASSACHUSETTS)
    alone = table.refused(FLOOR, shared(person(FLOOR)), Reason.OWN_ACT)
    assert "You can't approve your own act. A second person must do it." in alone.says
    for other in (ANN, "kim the auditor"):
        table.refused(FLOOR, shared(person(other)), Reason.WRONG_ROLE)
    table.does(FLOOR, shared(person(SUPERVISOR)))


def test_a_manager_may_be_the_second_person() -> None:
    table = packaged(MASSACHUSETTS)
    table.does(FLOOR, c.CollectDrop(person(BOSS)))
