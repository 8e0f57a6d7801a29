"""A page of a journal: which entries it holds, what it leaves out, and where the next one begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pitbook.house.rounds import entries_of
from pitbook.journal.troubles import Broken
from pitbook.server.streams.projections import SEALED

if TYPE_CHECKING:
    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Store
    from pitbook.server.oversight.leaves import Leaf, Leaves

SCAN_MAX = 2_000
"""So many entries are looked through for one page; a page may hold none, and still say where the next begins."""


class LegTold(msgspec.Struct, frozen=True):
    """One side of a transfer."""

    account: str
    amount: int
    """In minor units; below nothing where it goes out."""


class TransferTold(msgspec.Struct, frozen=True):
    """Money that an entry moved; its legs sum to nothing."""

    why: str
    legs: list[LegTold]


class EntryTold(msgspec.Struct, frozen=True):
    """An entry of the journal, as it is stored and in words."""

    sequence: int
    round: int | None
    """The round that it belongs to; null in the house's own record."""
    at: str
    actor: str
    role: str
    kind: str
    event: dict[str, Any]
    answer: dict[str, Any] | None
    """What the command was answered, on the first of its entries."""
    transfers: list[TransferTold]
    key: str | None
    book: str
    """The digest of the rulebook in force."""
    before: str
    """The hash of the entry before it."""
    hash: str
    says: list[str]
    """What happened: a sentence, and what belongs below it."""


class JournalPage(msgspec.Struct, frozen=True):
    """Entries in their order."""

    table: str
    entries: list[EntryTold]
    head: int
    """The number of the last entry that there is."""
    next: int | None
    """What `after` is for the following page; null at the end for now."""
    previous: int | None
    """What `before` is for the page before this one; null at the beginning."""
    broken: str | None = None
    """Where the record is not a chain any more, and why: the page ends there."""


class Wanted(msgspec.Struct, frozen=True):
    """Which entries."""

    after: int | None = None
    before: int | None = None
    limit: int = 100
    kind: str | None = None
    actor: str | None = None
    round: int | None = None

    @property
    def filtered(self) -> bool:
        """Whether some in between are left out."""
        return self.kind is not None or self.actor is not None

    def has(self, entry: Entry) -> bool:
        """Whether an entry is wanted."""
        return self.kind in (None, entry.kind) and self.actor in (None, entry.actor)


def read_page(store: Store, leaves: Leaves, table: str, wanted: Wanted, head: int) -> JournalPage:
    """A page of a record of this length. It reads, so it is called in a thread."""
    if wanted.round is not None:
        return _of_round(store, leaves, table, wanted, head)
    if wanted.before is not None and wanted.after is None:
        return _backwards(store, leaves, table, wanted, head)
    after = min(wanted.after or 0, head)
    until = min(head, (wanted.before or head + 1) - 1, after + (SCAN_MAX if wanted.filtered else wanted.limit))
    chosen, last = _forwards(store, table, wanted, after, until)
    return _page(leaves, table, chosen, head, (after, last))


def _forwards(store: Store, table: str, wanted: Wanted, after: int, until: int) -> tuple[list[int], int]:
    """The numbers of the entries wanted, and of the last that was looked at."""
    if not wanted.filtered:
        return list(range(after + 1, until + 1)), max(after, until)
    chosen: list[int] = []
    for entry in store.entries(table, after, max(0, until - after)):
        if wanted.has(entry):
            chosen.append(entry.sequence)
            if len(chosen) == wanted.limit:
                return chosen, entry.sequence
    return chosen, max(after, until)


def _backwards(store: Store, leaves: Leaves, table: str, wanted: Wanted, head: int) -> JournalPage:
    """The last entries before a number."""
    assert wanted.before is not None
    until = min(head, wanted.before - 1)
    if not wanted.filtered:
        after = max(0, until - wanted.limit)
        return _page(leaves, table, list(range(after + 1, until + 1)), head, (after, until))
    after = max(0, until - SCAN_MAX)
    found = [entry.sequence for entry in store.entries(table, after, max(0, until - after)) if wanted.has(entry)]
    chosen = found[-wanted.limit :]
    return _page(leaves, table, chosen, head, (chosen[0] - 1 if len(found) > len(chosen) else after, until))


def _of_round(store: Store, leaves: Leaves, table: str, wanted: Wanted, head: int) -> JournalPage:
    """A round's own entries, and what came of it later."""
    least, most = wanted.after or 0, wanted.before or head + 1
    chosen: list[int] = []
    seen, last, following = 0, least, None
    for entry in entries_of(store, table, wanted.round or 0):
        if not least < entry.sequence < most:
            continue
        if len(chosen) == wanted.limit or seen == SCAN_MAX:
            following = last
            break
        seen, last = seen + 1, entry.sequence
        if wanted.has(entry):
            chosen.append(last)
    page = _page(leaves, table, chosen, head, (0, head))
    return msgspec.structs.replace(page, next=following, previous=None)


def _page(leaves: Leaves, table: str, chosen: list[int], head: int, looked: tuple[int, int]) -> JournalPage:
    """The chosen entries in words, with what lies between them folded and not told."""
    entries: list[EntryTold] = []
    broken = None
    try:
        for first, last in _runs(chosen):
            for leaf in leaves.told(table, first - 1, last):
                entries.append(_told(leaf))  # noqa: PERF401 # those before a broken one are kept
    except Broken as found:
        broken = str(found)
    following = looked[1] if looked[1] < head else None
    return JournalPage(table, entries, head, following, looked[0] + 1 if looked[0] > 0 else None, broken)


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """Numbers that follow one another, as (first, last)."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return runs


def _told(leaf: Leaf) -> EntryTold:
    entry = leaf.entry
    event: dict[str, Any] = msgspec.json.decode(entry.body)
    event.pop("type", None)
    if entry.kind == "SeedCommitted":
        event.pop(SEALED, None)
    return EntryTold(
        sequence=entry.sequence,
        round=leaf.round,
        at=entry.at,
        actor=entry.actor,
        role=entry.role,
        kind=entry.kind,
        event=event,
        answer=msgspec.json.decode(entry.answer) if entry.answer else None,
        transfers=[
            TransferTold(moved.why, [LegTold(leg.account, leg.amount) for leg in moved.legs])
            for moved in entry.transfers
        ],
        key=entry.key,
        book=entry.book,
        before=entry.before.hex(),
        hash=entry.hash.hex(),
        says=leaf.says,
    )
