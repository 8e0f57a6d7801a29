"""Balances within one group of commands: read once, and moved by every entry that the group has decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pitbook.journal.decisions import Outcome
from pitbook.journal.group_commit import Balances, Recent
from pitbook.ledger.accounts import Account
from tests.journal.test_entries import ENTRIES, A, B, C


class Reads:
    """A transaction that only reads balances, and notes which."""

    def __init__(self) -> None:
        self.read: list[Sequence[Account]] = []

    def balances(self, accounts: Sequence[Account]) -> dict[Account, int]:
        self.read.append(accounts)
        return dict.fromkeys(accounts, 100)


def test_the_entries_of_a_group_move_the_balances_that_its_next_command_sees() -> None:
    unit: Any = Reads()
    balances = Balances(unit)
    assert balances[A] == 100
    balances.read((A, B))
    balances.apply(ENTRIES)
    assert (balances[A], balances[B]) == (100 - 5 + 1 - 5, 100 + 5 - 3 + 5)
    assert unit.read == [[A], [B]]
    assert balances[C] == 100, "read only now, with what the group has written"
    balances.add({A: 0, Account("float:t1"): 7})
    assert (balances[A], balances[Account("float:t1")]) == (91, 7)
    assert len(list(balances)) == len(balances) == 4


def test_the_latest_counted_refusals_are_answered_again_and_older_ones_are_not() -> None:
    recent = Recent(length_max=2)
    for number in range(3):
        recent.update({("t1", f"k{number}"): (b"request", Outcome(b"refused", number))})
    assert [recent.get(("t1", f"k{number}")) is not None for number in range(3)] == [False, True, True]
