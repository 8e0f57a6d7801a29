"""A table is looked at without its lock, while others write to it."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread

import pytest

from pitbook.journal.port import Head, Store
from pitbook.journal.runner import Runner, Settings
from pitbook.ledger.accounts import player
from tests.journal import bank
from tests.journal.bank import bet, buy

ANN = player("ann", "USD")
Run = Callable[..., Runner[bank.Table]]


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("snapshots", [10_000, 2])
def test_what_is_written_between_head_and_entries_breaks_no_view(
    run: Run, store: Store, monkeypatch: pytest.MonkeyPatch, snapshots: int, *, known: bool
) -> None:
    writer, viewer = run(Settings(snapshot_every=snapshots)), run()
    for _ in range(3):
        writer.run(buy("t1", "ann", 100), 20)
    if known:
        viewer.view("t1")
        writer.run(buy("t1", "ann", 100), 20)
    heads = store.head

    def head_then_more(table: str) -> Head:
        found = heads(table)
        monkeypatch.undo()
        for _ in range(3):
            writer.run(buy("t1", "ann", 100), 20)
        return found

    monkeypatch.setattr(store, "head", head_then_more)
    seen = viewer.view("t1")
    assert seen.state.events == seen.head.sequence in (3 + known, 6 + known)
    assert viewer.view("t1").state.events == 6 + known


def test_views_keep_up_with_constant_writes(run: Run) -> None:
    writer = run(Settings(snapshot_every=7))
    writing = Thread(target=lambda: [writer.run(buy("t1", "ann", 100), 20) for _ in range(200)])
    writing.start()
    last = 0
    while writing.is_alive():
        seen = run().view("t1")  # one that knows nothing yet
        assert last <= seen.state.events == seen.head.sequence
        last = seen.head.sequence
    writing.join()
    assert run().view("t1").state.events == 200


def test_states_and_balances_of_a_moment_fit_together_while_others_write(run: Run, store: Store) -> None:
    writer, viewer = run(), run()
    writer.run(buy("t1", "ann", 100), 20)
    viewer.view("t1")
    with viewer.consistent_view() as view:
        first = view.view("t1")
        writer.run(bet("t1", "ann", 30), 20)
        writer.run(buy("t2", "ann", 5), 20)
        assert view.balances([ANN]) == {ANN: 100}
        assert view.view("t1") == first
        assert view.view("t2").head.sequence == 0
    assert store.balances([ANN]) == {ANN: 75}
    assert (viewer.view("t1").state.staked, viewer.view("t2").head.sequence) == (30, 1)


def test_a_moment_can_begin_behind_what_is_known_by_its_end(run: Run, store: Store) -> None:
    writer = run(Settings(snapshot_every=2))
    for _ in range(5):
        writer.run(buy("t1", "ann", 100), 20)
    with writer.consistent_view() as view:
        assert view.balances([ANN]) == {ANN: 500}
        writer.run(buy("t1", "ann", 100), 20)
        assert view.view("t1").head.sequence == 5
    assert writer.sequence("t1") == 6, "what was known is not forgotten"
