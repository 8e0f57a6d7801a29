"""Entries and their rows: what was taken apart is put together again, and rows that cannot be ours are found."""

from __future__ import annotations

from typing import Any

import pytest

from pitbook.journal.entries import GENESIS, Entry, assemble, posting_rows, to_row, transfer_rows
from pitbook.journal.errors import Broken
from pitbook.ledger.accounts import Account
from pitbook.ledger.transfers import Leg, Transfer

A, B, C = Account("cage:SGD"), Account("player:SGD:ann"), Account("escrow:t1")
MOVED = (Transfer("bought", (Leg(A, -5), Leg(B, 5))), Transfer("split", (Leg(B, -3), Leg(C, 2), Leg(A, 1))))


def entry(sequence: int, *transfers: Transfer) -> Entry:
    words = ("ann", "player", "2026-03-01T12:00:00.000000+00:00", "k", b"request", b"answer", "digest")
    return Entry("t1", sequence, "bought", b"{}", *words, 7, transfers, GENESIS, bytes([sequence]) * 32)


ENTRIES = [entry(4, *MOVED), entry(5), entry(6, MOVED[0])]
REASONS: list[tuple[int, int, str]] = [row[1:] for one in ENTRIES for row in transfer_rows(one)]
LEGS: list[tuple[int, int, int, str, int]] = [row[1:] for one in ENTRIES for row in posting_rows(one)]


def test_an_entry_is_a_row_with_rows_for_its_transfers_and_their_legs() -> None:
    assert to_row(ENTRIES[0])[:4] == ("t1", 4, "bought", b"{}")
    assert to_row(ENTRIES[0])[-3:] == (7, GENESIS, bytes([4]) * 32)
    assert REASONS == [(4, 1, "bought"), (4, 2, "split"), (6, 1, "bought")]
    bought = [(1, 1, A, -5), (1, 2, B, 5)]
    split = [(2, 1, B, -3), (2, 2, C, 2), (2, 3, A, 1)]
    wanted = [(4, *row) for row in (*bought, *split)] + [(6, *row) for row in bought]
    assert wanted == LEGS
    assert list(assemble([to_row(one) for one in ENTRIES], REASONS, LEGS)) == ENTRIES
    assert list(assemble([], [], [])) == []


def broken(reasons: list[Any], legs: list[Any]) -> tuple[int, str]:
    with pytest.raises(Broken) as caught:
        list(assemble([to_row(one) for one in ENTRIES], reasons, legs))
    assert caught.value.table == "t1"
    return caught.value.sequence, str(caught.value)


@pytest.mark.parametrize(
    ("reasons", "legs", "sequence", "says"),
    [
        (REASONS[1:], LEGS, 4, "its transfers are not numbered consecutively"),
        ([REASONS[0], *REASONS], LEGS, 4, "its transfers are not numbered consecutively"),
        (REASONS, LEGS[1:], 4, "its postings are not numbered consecutively"),
        (REASONS, [LEGS[0], *LEGS], 4, "its postings are not numbered consecutively"),
        (REASONS, [(4, 0, 1, A, 5), *LEGS], 4, "its postings are not numbered consecutively"),
        (REASONS, [*LEGS, (4, 3, 1, A, 5)], 4, "its postings are not numbered consecutively"),
        (REASONS, [*LEGS, (5, 1, 1, A, 5)], 5, "its postings are not numbered consecutively"),
        (REASONS, LEGS[:-1], 6, "needs two legs or more"),
        ([*REASONS, (9, 1, "x"), (8, 1, "x")], LEGS, 8, "it has transfers, but there is no such entry"),
    ],
)
def test_rows_that_skip_a_number_or_do_not_sum_to_nothing_are_broken(
    reasons: list[Any], legs: list[Any], sequence: int, says: str
) -> None:
    found, words = broken(reasons, legs)
    assert found == sequence
    assert says in words
