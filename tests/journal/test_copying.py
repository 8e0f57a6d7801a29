"""Copying a journal: the order in which the entries of several streams are written again."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from pitbook.journal import copying
from pitbook.journal.copying import copy_new_entries, order_without_overdraft
from pitbook.journal.port import Store
from pitbook.journal.runner import Runner
from pitbook.journal.sqlite import SqliteStore
from tests.journal import bank
from tests.waiting import HANG


def test_entries_are_ordered_so_that_nobody_is_overdrawn(store: Store) -> None:
    """The only chip is bought at one table and bet at another at the same time; by name, the bet would come first."""
    with Runner(store, bank.DOMAIN) as runner:
        runner.submit(bank.buy("zz", "ann", 1)).result(HANG)
        runner.submit(bank.bet("aa", "ann", 1)).result(HANG)
    streams = {name: store.entries(name) for name in store.names()}
    assert [entry.table for entry in order_without_overdraft(streams)] == ["zz", "aa"]


def test_a_copy_is_continued_up_to_the_moment_at_which_it_began(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "BATCH", 2)
    progress: list[tuple[int, int]] = []

    def copy() -> None:
        copy_new_entries(store, target, lambda done, total: progress.append((done, total)))

    with Runner(store, bank.DOMAIN) as runner, closing(SqliteStore(tmp_path / "copy.db")) as target:
        for _ in range(3):
            runner.submit(bank.buy("t1", "ann", 1)).result(HANG)
        copy()
        assert progress == [(2, 3), (3, 3)]
        runner.submit(bank.buy("t1", "ann", 1)).result(HANG)
        heads = store.heads()
        runner.submit(bank.buy("t1", "ann", 1)).result(HANG)
        with monkeypatch.context() as earlier:
            earlier.setattr(store, "heads", lambda: heads)
            copy()
        assert target.heads() == heads
        assert progress[2:] == [(1, 1)]
