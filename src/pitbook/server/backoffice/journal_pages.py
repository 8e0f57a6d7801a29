"""A page of the journal: its entries, what is left out, and where the next page begins."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from pitbook.house.rounds import entries_of
from pitbook.house.statements import first_at
from pitbook.journal.errors import Broken
from pitbook.ledger.accounts import player_of
from pitbook.server.presenters.tables import build_recorded_rules
from pitbook.server.schemas.people import Names
from pitbook.server.schemas.tables import RecordedRules
from pitbook.server.streams.projections import SEALED
from pitbook.table.commands import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Store
    from pitbook.server.backoffice.paging import JournalPager, PagePosition

SCAN_MAX = 2_000
"""So many entries are looked through for one page; a page may hold none, and still say where the next begins."""


class LegInfo(msgspec.Struct, frozen=True):
    """One side of a transfer."""

    account: str
    amount: int
    """In minor units; below nothing where it goes out."""


class TransferInfo(msgspec.Struct, frozen=True):
    """Money that an entry moved; its legs sum to nothing."""

    why: str
    legs: list[LegInfo]


class BetLying(msgspec.Struct, frozen=True):
    """A bet that an entry names by its number, as it lay before."""

    bet: int
    player: str
    wager: str
    amount: int
    """In minor units."""
    kind: Kind


class EntryInfo(msgspec.Struct, frozen=True):
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
    transfers: list[TransferInfo]
    key: str | None
    book: str
    """The digest of the rulebook in force."""
    before: str
    """The hash of the entry before it."""
    hash: str
    says: list[str]
    """What happened: a sentence, and what belongs below it."""
    bets: list[BetLying] = []
    """The bets that it names by their numbers, as they lay before it."""


class JournalPage(msgspec.Struct, frozen=True):
    """Entries in their order."""

    table: str
    entries: list[EntryInfo]
    head: int
    """The number of the last entry that there is."""
    next: int | None
    """What `after` is for the following page; null at the end for now."""
    previous: int | None
    """What `before` is for the page before this one; null at the beginning."""
    broken: str | None = None
    """Where the record is not a chain any more, and why: the page ends there."""
    rules: RecordedRules = RecordedRules()
    """The set-up after the last of these entries, with limits and pay tables; empty where there is none."""
    names: Names = msgspec.field(default_factory=dict)


class Wanted(msgspec.Struct, frozen=True):
    """Which entries."""

    after: int | None = None
    before: int | None = None
    limit: int = 100
    kind: str | None = None
    actor: str | None = None
    round: int | None = None
    person: str | None = None
    """Who did it, or whom it names or moves money of."""
    text: str | None = None
    """What its sentences, its actor or its kind contain."""
    since: str | None = None
    until: str | None = None
    """Times as entries carry them: from the one on, and before the other."""

    @property
    def filtered(self) -> bool:
        """Whether some in between are left out."""
        return self.kind is not None or self.actor is not None or self.person is not None

    def has(self, entry: Entry) -> bool:
        """Whether an entry is wanted, as far as it can be seen without its sentences."""
        return (
            self.kind in (None, entry.kind)
            and self.actor in (None, entry.actor)
            and (self.person is None or _concerns(entry, self.person))
        )

    def reads(self, leaf: PagePosition) -> bool:
        """Whether an entry is wanted, sentences and all."""
        if not self.has(leaf.entry):
            return False
        entry = leaf.entry
        return self.text is None or self.text.casefold() in "\n".join((*leaf.says, entry.actor, entry.kind)).casefold()


def _concerns(entry: Entry, person: str) -> bool:
    """Whether somebody did it, is named in it, or has money moved by it."""
    return (
        entry.actor == person
        or msgspec.json.encode(person) in entry.body
        or any(player_of(leg.account) == person for moved in entry.transfers for leg in moved.legs)
    )


class Stretch(NamedTuple):
    """The part of a record that a page may show: from the first number to the last."""

    first: int
    last: int


def read_page(store: Store, leaves: JournalPager, table: str, wanted: Wanted, head: int) -> JournalPage:
    """A page of a record of this length. It reads, so it is called in a thread."""
    first = first_at(store, table, wanted.since, head) if wanted.since is not None else 1
    last = first_at(store, table, wanted.until, head) - 1 if wanted.until is not None else head
    if wanted.round is not None:
        return _of_round(store, leaves, table, wanted, Stretch(first, last), head)
    if wanted.before is not None and wanted.after is None:
        return _backwards(store, leaves, table, wanted, Stretch(first, last), head)
    if wanted.before is not None:
        last = min(last, wanted.before - 1)
    return _forwards(store, leaves, table, wanted, Stretch(first, last), head)


def _forwards(
    store: Store, leaves: JournalPager, table: str, wanted: Wanted, within: Stretch, head: int
) -> JournalPage:
    """The first entries after a number."""
    after = max(min(wanted.after or 0, within.last), within.first - 1)
    scan = SCAN_MAX if wanted.filtered or wanted.text is not None else wanted.limit
    until = max(after, min(within.last, after + scan))
    found, broken = _found(store, leaves, table, wanted, Stretch(after + 1, until), wanted.limit)
    if len(found) == wanted.limit:
        until = found[-1].entry.sequence
    following = until if until < within.last else None
    previous = after + 1 if after >= within.first else None
    return _page(table, found, head, following, previous, broken)


def _backwards(
    store: Store, leaves: JournalPager, table: str, wanted: Wanted, within: Stretch, head: int
) -> JournalPage:
    """The last entries before a number."""
    assert wanted.before is not None
    until = max(min(within.last, wanted.before - 1), within.first - 1)
    scan = SCAN_MAX if wanted.filtered or wanted.text is not None else wanted.limit
    after = max(within.first - 1, until - scan)
    found, broken = _found(store, leaves, table, wanted, Stretch(after + 1, until))
    if len(found) > wanted.limit:
        found = found[-wanted.limit :]
        after = found[0].entry.sequence - 1
    following = until if until < within.last else None
    previous = after + 1 if after >= within.first else None
    return _page(table, found, head, following, previous, broken)


def _page(
    table: str,
    found: Sequence[PagePosition],
    head: int,
    following: int | None,
    previous: int | None,
    broken: str | None,
) -> JournalPage:
    state = found[-1].after if found else None
    entries = [told_of(leaf) for leaf in found]
    return JournalPage(table, entries, head, following, previous, broken, build_recorded_rules(state))


def _found(
    store: Store, leaves: JournalPager, table: str, wanted: Wanted, within: Stretch, limit: int | None = None
) -> tuple[list[PagePosition], str | None]:
    """The entries wanted of a stretch in words, so many at most; and why it breaks off, where it is no chain.

    Without a text to look for, only what is wanted is put into words: what lies between is folded and not told.
    """
    if wanted.text is None and wanted.filtered:
        entries = store.entries(table, within.first - 1, max(0, within.last - within.first + 1))
        chosen = list(islice((entry.sequence for entry in entries if wanted.has(entry)), limit))
        return _collected(leaves, table, wanted, runs_of(chosen), limit)
    return _collected(leaves, table, wanted, [within] if within.first <= within.last else [], limit)


def _collected(
    leaves: JournalPager, table: str, wanted: Wanted, runs: Sequence[tuple[int, int]], limit: int | None = None
) -> tuple[list[PagePosition], str | None]:
    found: list[PagePosition] = []
    try:
        for first, last in runs:
            for leaf in leaves.told(table, first - 1, last):
                if wanted.reads(leaf):
                    found.append(leaf)
                    if len(found) == limit:
                        return found, None
    except Broken as broken:
        return found, str(broken)  # those before the broken one are kept
    return found, None


def _of_round(
    store: Store, leaves: JournalPager, table: str, wanted: Wanted, within: Stretch, head: int
) -> JournalPage:
    """A round's own entries, and what came of it later."""
    least = max(wanted.after or 0, within.first - 1)
    most = min(wanted.before or head + 1, within.last + 1)
    chosen: list[int] = []
    last, following = least, None
    for seen, entry in enumerate(
        entry for entry in entries_of(store, table, wanted.round or 0) if least < entry.sequence < most
    ):
        if len(chosen) == wanted.limit or seen == SCAN_MAX:
            following = last
            break
        last = entry.sequence
        if wanted.has(entry):
            chosen.append(last)
    found, broken = _collected(leaves, table, wanted, runs_of(chosen))
    return _page(table, found, head, following, None, broken)


def runs_of(numbers: list[int]) -> list[tuple[int, int]]:
    """Numbers that follow one another, as (first, last)."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return runs


def told_of(leaf: PagePosition) -> EntryInfo:
    """An entry and its sentences as they go over the wire; a seed that is sealed goes to nobody."""
    entry = leaf.entry
    event: dict[str, Any] = msgspec.json.decode(entry.body)
    event.pop("type", None)
    if entry.kind == "SeedCommitted":
        event.pop(SEALED, None)
    return EntryInfo(
        sequence=entry.sequence,
        round=leaf.round,
        at=entry.at,
        actor=entry.actor,
        role=entry.role,
        kind=entry.kind,
        event=event,
        answer=msgspec.json.decode(entry.answer) if entry.answer else None,
        transfers=[
            TransferInfo(moved.why, [LegInfo(leg.account, leg.amount) for leg in moved.legs])
            for moved in entry.transfers
        ],
        key=entry.key,
        book=entry.attachment,
        before=entry.before.hex(),
        hash=entry.hash.hex(),
        says=leaf.says,
        bets=[BetLying(bet.id, bet.player, bet.wager, bet.amount, bet.kind) for bet in leaf.bets],
    )


def concerned(entries: Iterable[EntryInfo]) -> set[str | None]:
    """Whom entries name: who did it, whom it is about, and whose money it moved."""
    found: set[str | None] = set()
    for entry in entries:
        event = entry.event
        lines = (*event.get("lines", ()), *event.get("undone", ()))
        about = (event.get(name) for name in ("player", "shooter", "person", "by"))
        beside = (event.get("second"), event.get("directed_by"), event.get("confirmed_by"), *event.get("present", ()))
        accounts = (leg.account for moved in entry.transfers for leg in moved.legs)
        found |= {entry.actor, *(name for name in about if isinstance(name, str))}
        found |= {line.get("player") for line in lines} | {bet.player for bet in entry.bets}
        found |= {person["name"] for person in beside if person is not None}
        found |= {player_of(account) for account in accounts}
    return found
