"""After the round at Sic Bo: disputes about any round, resettlement only by the rules that held."""

from __future__ import annotations

import pytest

from pitbook.ledger.accounts import disputes, float_of
from pitbook.table import commands as c
from pitbook.table.refusals import Why
from tests.table.pits import person
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
    packaged,
)

BOOKS = (MASSACHUSETTS, MARYLAND, SINGAPORE)


@pytest.mark.parametrize("book", BOOKS)
def test_a_round_that_was_void_can_be_disputed_and_not_resettled(book: str) -> None:
    table = packaged(book)
    table.bet(ANN, "small=10")
    table.go("uncover")
    table.does(DEALER, c.Call("not-flat" if book == SINGAPORE else "no-roll"))
    table.refused(ANN, c.Dispute(2, "not played yet"), Why.NO_SUCH_ROUND)
    table.refused(DEALER, c.ProposeResettlement(1, (1, 2, 3), "they were flat"), Why.NOTHING_TO_DO)
    table.does(ANN, c.Dispute(1, "they were flat"))
    table.does(JUNIOR[book], c.SettleDispute(1, "the camera shows one leaning"))


@pytest.mark.parametrize("book", [MASSACHUSETTS, MARYLAND])
def test_a_round_is_settled_anew_by_the_rules_that_held(book: str) -> None:
    table = packaged(book)
    table.bet(ANN, "two-of-a-kind/2=10")
    table.finish((2, 2, 3))
    table.does(BOSS, c.ChangeSetup(table.setup(limits={"*": c.Limit(1_00, 100_00)})))
    table.does(DEALER, c.ProposeResettlement(1, (2, 2, 2), "a triple"))
    table.does(BOSS, c.ChangeSetup(table.setup(readings={"double-with-triple": "exactly-two"})))
    table.refused(SENIOR[book], c.ApproveResettlement(1), Why.CONFIGURATION)
    table.refused(DEALER, c.ProposeResettlement(1, (2, 2, 2), "a triple"), Why.CONFIGURATION)


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
    table.refused(DEALER, c.ApproveResettlement(1), Why.WRONG_ROLE)
    table.does(JUNIOR[book], c.ApproveResettlement(1))
    assert (table.holds("ann"), table.holds("ben")) == (0, 1_100_00)
    assert table.balances[disputes("t1")] == -(won + 110_00)
    assert table.table.history[-1].dice == (5, 6, 6)
    assert table.table.inventory.won == 110_00 - 100_00
    table.refused(JUNIOR[book], c.ApproveResettlement(1), Why.NO_SUCH_PROPOSAL)


def test_a_disputed_round_is_frozen_until_somebody_above_the_dealers_rules() -> None:
    table = packaged(SINGAPORE)
    table.bet(ANN, "small=10")
    table.finish()
    table.does(DEALER, c.ProposeResettlement(1, (5, 6, 6), "misread"))
    table.does(ANN, c.Dispute(1, "it was 1-2-3"))
    table.refused(PIT_SUPERVISOR, c.ApproveResettlement(1), Why.FROZEN)
    table.refused(ANN, c.SettleDispute(1, "I was right"), Why.WRONG_ROLE)
    table.does(PIT_SUPERVISOR, c.SettleDispute(1, "the camera shows 5-6-6"))
    table.does(PIT_SUPERVISOR, c.ApproveResettlement(1))


def test_a_credit_takes_what_the_float_holds_and_no_more() -> None:
    table = packaged(MASSACHUSETTS)
    held = table.balances[float_of("t1")]
    second = person(SENIOR[MASSACHUSETTS])
    for amount in (held + 1, 0, -1):
        says = table.refused(FLOOR, c.Credit(amount, second), Why.BAD_AMOUNT).says
        assert says == "the table holds 98,000.00"
    table.does(FLOOR, c.Credit(1, second))
    table.does(FLOOR, c.Credit(held - 1, second))
    assert table.balances[float_of("t1")] == 0
