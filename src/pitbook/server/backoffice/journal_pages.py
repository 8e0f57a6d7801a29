"""Pages of the journal: entries, filters, and where the next page begins."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from pitbook.house.rounds import entries_of
from pitbook.house.statements import first_at
from pitbook.journal.errors import Broken
from pitbook.ledger.accounts import player_of
from pitbook.messages import Language
from pitbook.server.presenters.tables import build_recorded_rules
from pitbook.server.schemas.people import Names
from pitbook.server.schemas.tables import RecordedRules
from pitbook.server.streams.projections import SEALED
from pitbook.table.commands import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Store
    from pitbook.ledger.transfers import Transfer
    from pitbook.messages import Sentence
    from pitbook.server.backoffice.paging import JournalPager, PagePosition

SCAN_MAX = 2_000
"""The most entries that are read for one page, which may be empty and still have a next one."""


class LegInfo(msgspec.Struct, frozen=True):
    """One side of a transfer."""

    account: str
    amount: int
    """In minor units; negative for what goes out."""


class TransferInfo(msgspec.Struct, frozen=True):
    """Money that an entry moved; its legs sum to zero."""

    why: str
    legs: list[LegInfo]


class BetLying(msgspec.Struct, frozen=True):
    """A bet that an entry refers to, as it was before."""

    bet: int
    player: str
    wager: str
    amount: int
    """In minor units."""
    kind: Kind


class SentenceText(msgspec.Struct, frozen=True):
    """A sentence: its message with its text, and the clauses or the reading that it rests on."""

    id: str
    params: dict[str, Any]
    text: str
    """With the clauses or the reading in brackets."""
    clauses: tuple[str, ...] = ()
    reading: str | None = None


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
    """The answer to the command, on the first of its entries."""
    transfers: list[TransferInfo]
    key: str | None
    book: str
    """The digest of the rulebook in force."""
    before: str
    """The hash of the previous entry."""
    hash: str
    says: list[SentenceText]
    """A sentence about what happened, and its details, in the language that the request asks for."""
    bets: list[BetLying] = []
    """The bets that it refers to, as they were before."""


class JournalPage(msgspec.Struct, frozen=True):
    """Entries in order."""

    table: str
    entries: list[EntryInfo]
    head: int
    """The number of the last entry of the record."""
    next: int | None
    """The `after` of the next page; null at the end."""
    previous: int | None
    """The `before` of the previous page; null at the beginning."""
    broken: str | None = None
    """Where and why the hash chain is broken; the page ends there."""
    rules: RecordedRules = RecordedRules()
    """The setup after the last of these entries, with limits and pay tables; empty if there is none."""
    names: Names = msgspec.field(default_factory=dict)


class EntryFilter(msgspec.Struct, frozen=True):
    """A filter on entries."""

    after: int | None = None
    before: int | None = None
    limit: int = 100
    kind: str | None = None
    actor: str | None = None
    round: int | None = None
    person: str | None = None
    """A person who did it, is named in it, or had money moved."""
    text: str | None = None
    """A part of its sentences, its actor or its kind."""
    since: str | None = None
    until: str | None = None
    """Timestamps as in entries: from `since` until before `until`."""
    language: Language = "en"
    """The language of the sentences."""

    @property
    def skips_entries(self) -> bool:
        """Whether some entries are left out."""
        return self.kind is not None or self.actor is not None or self.person is not None

    def matches(self, entry: Entry) -> bool:
        """Return whether an entry matches, leaving aside its sentences."""
        return (
            self.kind in (None, entry.kind)
            and self.actor in (None, entry.actor)
            and (self.person is None or _concerns(entry, self.person))
        )

    def matches_text(self, position: PagePosition) -> bool:
        """Return whether an entry and its sentences match."""
        if not self.matches(position.entry):
            return False
        entry = position.entry
        if self.text is None:
            return True
        says = (one.text(self.language) for one in position.says)
        return self.text.casefold() in "\n".join((*says, entry.actor, entry.kind)).casefold()


def _concerns(entry: Entry, person: str) -> bool:
    """Return whether someone did it, is named in it, or had money moved by it."""
    return (
        entry.actor == person
        or msgspec.json.encode(person) in entry.body
        or any(player_of(leg.account) == person for moved in entry.transfers for leg in moved.legs)
    )


class EntryRange(NamedTuple):
    """The first and the last entry that a page may show."""

    first: int
    last: int


def read_page(store: Store, pager: JournalPager, table: str, entry_filter: EntryFilter, head: int) -> JournalPage:
    """Return a page of a record; reads the journal, so call it in a thread."""
    first = first_at(store, table, entry_filter.since, head) if entry_filter.since is not None else 1
    last = first_at(store, table, entry_filter.until, head) - 1 if entry_filter.until is not None else head
    if entry_filter.round is not None:
        return _round_page(store, pager, table, entry_filter, EntryRange(first, last), head)
    if entry_filter.before is not None and entry_filter.after is None:
        return _page_before(store, pager, table, entry_filter, EntryRange(first, last), head)
    if entry_filter.before is not None:
        last = min(last, entry_filter.before - 1)
    return _page_after(store, pager, table, entry_filter, EntryRange(first, last), head)


def _page_after(
    store: Store, pager: JournalPager, table: str, entry_filter: EntryFilter, within: EntryRange, head: int
) -> JournalPage:
    """Return the first entries after a number."""
    after = max(min(entry_filter.after or 0, within.last), within.first - 1)
    scan = SCAN_MAX if entry_filter.skips_entries or entry_filter.text is not None else entry_filter.limit
    until = max(after, min(within.last, after + scan))
    found, broken = _find_positions(store, pager, table, entry_filter, EntryRange(after + 1, until), entry_filter.limit)
    if len(found) == entry_filter.limit:
        until = found[-1].entry.sequence
    following = until if until < within.last else None
    previous = after + 1 if after >= within.first else None
    return _page(table, found, head, following, previous, broken, entry_filter.language)


def _page_before(
    store: Store, pager: JournalPager, table: str, entry_filter: EntryFilter, within: EntryRange, head: int
) -> JournalPage:
    """Return the last entries before a number."""
    assert entry_filter.before is not None
    until = max(min(within.last, entry_filter.before - 1), within.first - 1)
    scan = SCAN_MAX if entry_filter.skips_entries or entry_filter.text is not None else entry_filter.limit
    after = max(within.first - 1, until - scan)
    found, broken = _find_positions(store, pager, table, entry_filter, EntryRange(after + 1, until))
    if len(found) > entry_filter.limit:
        found = found[-entry_filter.limit :]
        after = found[0].entry.sequence - 1
    following = until if until < within.last else None
    previous = after + 1 if after >= within.first else None
    return _page(table, found, head, following, previous, broken, entry_filter.language)


def _page(
    table: str,
    found: Sequence[PagePosition],
    head: int,
    following: int | None,
    previous: int | None,
    broken: str | None,
    language: Language,
) -> JournalPage:
    state = found[-1].after if found else None
    entries = [entry_info(position, language) for position in found]
    return JournalPage(table, entries, head, following, previous, broken, build_recorded_rules(state))


def _find_positions(
    store: Store,
    pager: JournalPager,
    table: str,
    entry_filter: EntryFilter,
    within: EntryRange,
    limit: int | None = None,
) -> tuple[list[PagePosition], str | None]:
    """Return matching entries of a range, up to a limit, and why reading stopped if the chain is broken.

    Sentences are only written for matching entries, unless the filter searches them.
    """
    if entry_filter.text is None and entry_filter.skips_entries:
        entries = store.entries(table, within.first - 1, max(0, within.last - within.first + 1))
        chosen = list(islice((entry.sequence for entry in entries if entry_filter.matches(entry)), limit))
        return _collect_positions(pager, table, entry_filter, group_runs(chosen), limit)
    return _collect_positions(pager, table, entry_filter, [within] if within.first <= within.last else [], limit)


def _collect_positions(
    pager: JournalPager,
    table: str,
    entry_filter: EntryFilter,
    runs: Sequence[tuple[int, int]],
    limit: int | None = None,
) -> tuple[list[PagePosition], str | None]:
    found: list[PagePosition] = []
    try:
        for first, last in runs:
            for position in pager.read(table, first - 1, last):
                if entry_filter.matches_text(position):
                    found.append(position)
                    if len(found) == limit:
                        return found, None
    except Broken as broken:
        return found, str(broken)  # keep those before the broken one
    return found, None


def _round_page(
    store: Store, pager: JournalPager, table: str, entry_filter: EntryFilter, within: EntryRange, head: int
) -> JournalPage:
    """Return a round's own entries, and later ones about it."""
    least = max(entry_filter.after or 0, within.first - 1)
    most = min(entry_filter.before or head + 1, within.last + 1)
    chosen: list[int] = []
    last, following = least, None
    for seen, entry in enumerate(
        entry for entry in entries_of(store, table, entry_filter.round or 0) if least < entry.sequence < most
    ):
        if len(chosen) == entry_filter.limit or seen == SCAN_MAX:
            following = last
            break
        last = entry.sequence
        if entry_filter.matches(entry):
            chosen.append(last)
    found, broken = _collect_positions(pager, table, entry_filter, group_runs(chosen))
    return _page(table, found, head, following, None, broken, entry_filter.language)


def group_runs(numbers: list[int]) -> list[tuple[int, int]]:
    """Return consecutive numbers as pairs of first and last."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return runs


def _sentence_text(sentence: Sentence, language: Language) -> SentenceText:
    message = sentence.message
    return SentenceText(message.id, dict(message.params), sentence.text(language), sentence.clauses, sentence.reading)


def entry_info(position: PagePosition, language: Language) -> EntryInfo:
    """Return an entry and its sentences for the API, never a sealed seed."""
    entry = position.entry
    event: dict[str, Any] = msgspec.json.decode(entry.body)
    event.pop("type", None)
    if entry.kind == "SeedCommitted":
        event.pop(SEALED, None)
    return EntryInfo(
        sequence=entry.sequence,
        round=position.round,
        at=entry.at,
        actor=entry.actor,
        role=entry.role,
        kind=entry.kind,
        event=event,
        answer=msgspec.json.decode(entry.answer) if entry.answer else None,
        transfers=[transfer_info(moved) for moved in entry.transfers],
        key=entry.key,
        book=entry.attachment,
        before=entry.before.hex(),
        hash=entry.hash.hex(),
        says=[_sentence_text(one, language) for one in position.says],
        bets=[BetLying(bet.id, bet.player, bet.wager, bet.amount, bet.kind) for bet in position.bets],
    )


def transfer_info(moved: Transfer) -> TransferInfo:
    """Return a transfer for the API."""
    return TransferInfo(moved.why, [LegInfo(leg.account, leg.amount) for leg in moved.legs])


def mentioned_people(entries: Iterable[EntryInfo]) -> set[str | None]:
    """Return the people whom entries name: who acted, whom it is about, whose money moved."""
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
