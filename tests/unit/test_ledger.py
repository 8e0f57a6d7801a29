"""Accounts and transfers: what cannot be made, what adds up, and which accounts never fall below nothing."""

from __future__ import annotations

import pytest

from pitbook.ledger.accounts import (
    Account,
    cage,
    dealers,
    disputes,
    drop,
    escrow,
    float_of,
    may_be_negative,
    money_of,
    player,
    purse,
)
from pitbook.ledger.transfers import Leg, Transfer, changes, move, overdrawn

ANN, BEN, CAGE, STAKES = player("ann", "USD"), player("ben", "USD"), cage("USD"), escrow("t1")


def test_play_money_is_another_money() -> None:
    assert money_of("USD") == money_of("USD", play=False) == "USD"
    assert money_of("USD", play=True) == "play-USD"


@pytest.mark.parametrize(
    ("account", "name", "negative"),
    [
        (cage("USD"), "cage:USD", True),
        (float_of("t1"), "float:t1", True),
        (disputes("t1"), "disputes:t1", True),
        (player("ann", "USD"), "player:ann:USD", False),
        (purse("ann", "USD", "t1", "blue"), "player:ann:USD:t1:blue", False),
        (escrow("t1"), "escrow:t1", False),
        (dealers("t1"), "dealers:t1", False),
        (drop("t1"), "drop:t1", False),
    ],
)
def test_every_account_has_its_name_and_may_or_may_not_be_negative(
    account: Account, name: str, *, negative: bool
) -> None:
    assert (account, may_be_negative(account)) == (name, negative)


@pytest.mark.parametrize(
    ("legs", "words"),
    [
        ([], "needs two legs or more"),
        ([(ANN, 5)], "needs two legs or more"),
        ([(ANN, 5), (BEN, -5), (CAGE, 0)], "needs two legs or more"),
        ([(ANN, 0), (BEN, 0)], "needs two legs or more"),
        ([(ANN, 5), (BEN, -4)], "do not sum to zero"),
        ([(ANN, 5), (BEN, -6)], "do not sum to zero"),
        ([(ANN, 5), (ANN, -5)], "an account is named twice"),
        ([(ANN, 5), (BEN, -3), (ANN, -2)], "an account is named twice"),
    ],
)
def test_a_transfer_that_does_not_balance_cannot_be_made(legs: list[tuple[Account, int]], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Transfer("x", tuple(Leg(account, amount) for account, amount in legs))


def test_a_move_is_of_a_positive_amount_from_one_account_to_another() -> None:
    for amount in (0, -1):
        with pytest.raises(ValueError, match=f"bet: the amount must be positive, not {amount}"):
            move("bet", ANN, STAKES, amount)
    assert move("bet", ANN, STAKES, 1).legs == (Leg(ANN, -1), Leg(STAKES, 1))


def test_changes_add_up_by_account_in_sorted_order_without_those_that_cancel_out() -> None:
    found = changes([move("a", CAGE, ANN, 7), move("b", ANN, STAKES, 3), move("c", STAKES, BEN, 3)])
    assert list(found.items()) == [(CAGE, -7), (ANN, 4), (BEN, 3)]


def test_an_account_is_overdrawn_below_nothing_and_not_at_nothing() -> None:
    bet = move("bet", ANN, STAKES, 5)
    assert overdrawn({ANN: 5}, [bet]) is None
    assert overdrawn({ANN: 4}, [bet]) == ANN
    assert overdrawn({}, [bet]) == ANN
    assert overdrawn({}, [move("smallest", ANN, STAKES, 1)]) == ANN
    assert overdrawn({ANN: 4}, [move("chips", CAGE, ANN, 1), bet]) is None
    assert overdrawn({}, [move("chips", CAGE, ANN, 5)]) is None, "the cage may owe"
    assert overdrawn({ANN: -9}, [move("chips", CAGE, ANN, 5)]) is None, "a payment does not overdraw its receiver"
    assert overdrawn({ANN: 0, BEN: 0}, [move("x", BEN, STAKES, 1), move("y", ANN, STAKES, 1)]) == ANN
