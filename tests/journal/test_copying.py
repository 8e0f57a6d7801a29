"""Copying a journal: the order in which the entries of several streams are written again."""

from __future__ import annotations

from pitbook.journal.copying import order_without_overdraft
from pitbook.journal.port import Store
from pitbook.journal.runner import Runner
from tests.journal import bank
from tests.waiting import HANG


def test_entries_are_ordered_so_that_nobody_is_overdrawn(store: Store) -> None:
    """The only chip is bought at one table and bet at another at the same time; by name, the bet would come first."""
    with Runner(store, bank.DOMAIN) as runner:
        runner.submit(bank.buy("zz", "ann", 1)).result(HANG)
        runner.submit(bank.bet("aa", "ann", 1)).result(HANG)
    streams = {name: store.entries(name) for name in store.names()}
    assert [entry.table for entry in order_without_overdraft(streams)] == ["zz", "aa"]
