"""Copy a whole journal to another database, entry by entry: same bytes, same hashes."""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby, islice
from operator import attrgetter
from typing import TYPE_CHECKING

from pitbook.errors import InputError
from pitbook.journal.errors import Broken
from pitbook.ledger.accounts import may_be_negative

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Head, Store
    from pitbook.ledger.accounts import Account

BATCH = 1_000
"""Entries in one transaction of the target."""


def move_journal(source: Store, target: Store, progress: Callable[[int, int], None]) -> dict[str, Head]:
    """Copy every attachment and entry to an empty journal, and return where its streams end.

    Snapshots are left out, because a house makes them again. `progress` gets the entries copied so far and their total.
    """
    if target.names():
        raise InputError("the target has entries already; move a journal into an empty file or database only")
    heads = source.heads()
    for digest in source.attachments():
        content = source.attachment(digest)
        if content is not None:
            with target.transaction() as unit:
                unit.attach(digest, content)
    done, total = 0, sum(head.sequence for head in heads.values())
    ordered = in_possible_order({name: source.entries(name, limit=head.sequence) for name, head in heads.items()})
    while batch := list(islice(ordered, BATCH)):
        with target.transaction() as unit:
            for name in sorted({entry.table for entry in batch}):
                unit.lock(name)
            for _, run in groupby(batch, attrgetter("table")):
                unit.append(list(run))
        done += len(batch)
        progress(done, total)
    if source.heads() != heads:
        raise InputError(
            "the source was written to while it was copied, so the copy is not whole: stop every server on it, empty "
            "the target, and move again"
        )
    assert target.heads() == heads, "every entry was copied"
    return heads


def in_possible_order(streams: dict[str, Iterator[Entry]]) -> Iterator[Entry]:
    """Yield the entries of several streams in an order in which no account is overdrawn, by time where that allows it.

    A database does not record in which order its streams were written. Any order is right that keeps the order of each
    stream and lets no account fall below zero; the original one is such an order.
    """
    heads = {name: first for name, entries in streams.items() if (first := next(entries, None)) is not None}
    balances: dict[Account, int] = defaultdict(int)
    while heads:
        for entry in sorted(heads.values(), key=attrgetter("at", "table")):
            moved: dict[Account, int] = defaultdict(int)
            for transfer in entry.transfers:
                for leg in transfer.legs:
                    moved[leg.account] += leg.amount
            if all(balances[account] + amount >= 0 or may_be_negative(account) for account, amount in moved.items()):
                break
        else:
            stuck = min(heads.values(), key=attrgetter("at", "table"))
            raise Broken(stuck.table, stuck.sequence, "its money overdraws an account, whatever comes before it")
        for account, amount in moved.items():
            balances[account] += amount
        yield entry
        following = next(streams[entry.table], None)
        if following is None:
            del heads[entry.table]
        else:
            heads[entry.table] = following
