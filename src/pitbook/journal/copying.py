"""Copy a journal to another database, entry by entry: same bytes, same hashes."""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby, islice
from operator import attrgetter
from typing import TYPE_CHECKING

import msgspec

from pitbook.errors import InputError, quoted
from pitbook.journal import chain
from pitbook.journal.entries import GENESIS
from pitbook.journal.errors import Broken
from pitbook.journal.port import Head
from pitbook.ledger.accounts import Account, may_be_negative

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from pitbook.journal.entries import Entry
    from pitbook.journal.port import DetachedTable, Store

BATCH = 1_000
"""Entries in one transaction of the target."""


def move_journal(source: Store, target: Store, progress: Callable[[int, int], None]) -> dict[str, Head]:
    """Copy a journal that nobody writes to into an empty one, and return the heads of its tables."""
    if target.names():
        raise InputError("journal.target-not-empty")
    heads = copy_new_entries(source, target, progress)
    if source.heads() != heads:
        raise InputError("journal.moved-while-written")
    return heads


def copy_new_entries(
    source: Store,
    target: Store,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
    *,
    only: Collection[str] | None = None,
    detached: Iterable[DetachedTable] | None = None,
) -> dict[str, Head]:
    """Add what an earlier copy lacks, as of one moment, and return the heads of the tables copied.

    Hashes are verified on the way. Snapshots are left out, because a house makes them again. `progress` gets the
    entries copied so far and their total. `only` limits the tables; `detached` lists those whose record is in other
    files, by default those of the source. Raise an `InputError` if the target has entries that the source lacks.
    """
    heads, copied = source.heads(), target.heads()
    if only is not None:
        heads = {table: head for table, head in heads.items() if table in only}
    absent = list(source.detached().values() if detached is None else detached)
    _check_copied(source, copied, {one.table: one for one in absent})
    _copy_attachments(source, target)
    ends = {table: copied.get(table, Head(0, GENESIS)) for table in heads}
    streams = {
        table: _verified(source.entries(table, end.sequence, heads[table].sequence - end.sequence), table, end)
        for table, end in ends.items()
        if end != heads[table]
    }
    first, last = ({}, {}) if copied else _detached_balances(absent)
    with target.transaction() as unit:
        unit.add_to_balances(first)
    done, total = 0, sum(heads[table].sequence - end.sequence for table, end in ends.items())
    ordered = order_without_overdraft(streams, target.all_balances())
    while batch := list(islice(ordered, BATCH)):
        with target.transaction() as unit:
            for name in sorted({entry.table for entry in batch}):
                unit.lock(name)
            for _, run in groupby(batch, attrgetter("table")):
                unit.append(list(run))
        done += len(batch)
        progress(done, total)
    if not copied:
        with target.transaction() as unit:
            unit.add_to_balances(last)
            for one in absent:
                unit.note_detached(one)
    assert all(target.head(table) == head for table, head in heads.items()), "every entry was copied"
    return heads


def _check_copied(source: Store, copied: Mapping[str, Head], absent: Mapping[str, DetachedTable]) -> None:
    """Refuse a copy that the source does not continue. It keeps what was archived after it was made."""
    for table, head in copied.items():
        if table in absent and (absent[table].count, absent[table].head) == head:
            continue
        if table in absent or not _has(source, table, head):
            raise InputError("journal.copy-ahead", table=quoted(table))


def _detached_balances(absent: Iterable[DetachedTable]) -> tuple[dict[Account, int], dict[Account, int]]:
    """Return what detached tables moved at most on each account, and what is left to move once all else is copied."""
    first: dict[Account, int] = defaultdict(int)
    last: dict[Account, int] = defaultdict(int)
    for one in absent:
        for account, (high, total) in msgspec.json.decode(one.moved, type=dict[str, tuple[int, int]]).items():
            first[Account(account)] += high
            last[Account(account)] += total - high
    return first, last


def _has(store: Store, table: str, head: Head) -> bool:
    """Return whether a journal has the entry at which a copy of a table ends."""
    found = next(iter(store.entries(table, head.sequence - 1, 1)), None)
    return found is not None and found.hash == head.hash


def _copy_attachments(source: Store, target: Store) -> None:
    present = set(target.attachments())
    for digest in source.attachments():
        content = None if digest in present else source.attachment(digest)
        if content is not None:
            with target.transaction() as unit:
                unit.attach(digest, content)


def _verified(entries: Iterator[Entry], table: str, head: Head) -> Iterator[Entry]:
    for entry in entries:
        head = chain.verify((entry,), table, head)
        yield entry


def order_without_overdraft(
    streams: dict[str, Iterator[Entry]], before: Mapping[Account, int] | None = None
) -> Iterator[Entry]:
    """Yield the entries of several streams in an order in which no account is overdrawn, by time where that allows it.

    A database does not record in which order its streams were written. Any order is right that keeps the order of each
    stream and lets no account fall below zero; the original one is such an order. `before`: the balances at
    the start.
    """
    heads = {name: first for name, entries in streams.items() if (first := next(entries, None)) is not None}
    balances: dict[Account, int] = defaultdict(int, before or {})
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
            raise Broken(stuck.table, stuck.sequence, "overdraws")
        for account, amount in moved.items():
            balances[account] += amount
        yield entry
        following = next(streams[entry.table], None)
        if following is None:
            del heads[entry.table]
        else:
            heads[entry.table] = following
