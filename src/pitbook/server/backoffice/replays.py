"""Replay a past round: its entries, with what the table showed after each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pitbook.dice import SEVEN, Roll, Total
from pitbook.engine.illuminate import illuminate
from pitbook.house.rounds import entries_of
from pitbook.journal.errors import Broken
from pitbook.server.backoffice.journal_pages import EntryInfo, entry_info, group_runs
from pitbook.server.presenters.tables import build_recorded_rules, lammers_by_area
from pitbook.server.schemas.people import Names
from pitbook.server.schemas.tables import Lammers, RecordedRules
from pitbook.table.state import phase
from pitbook.table.view import chances, cover
from pitbook.wager.hand import COME_OUT, Call
from pitbook.wager.hand import step as roll_of_hand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitbook.journal.port import Store
    from pitbook.messages import Language
    from pitbook.server.backoffice.paging import JournalPager, PagePosition
    from pitbook.table.state import Settled, Table

FRAMES_MAX = 400
"""The most entries in one response; the next begins after the last of them."""


class Shows(msgspec.Struct, frozen=True):
    """The changes that an entry made to the layout; missing fields did not change."""

    phase: str | msgspec.UnsetType = msgspec.UNSET
    cover: str | msgspec.UnsetType | None = msgspec.UNSET
    dice: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET
    lit: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    point: int | msgspec.UnsetType | None = msgspec.UNSET
    shooter: str | msgspec.UnsetType | None = msgspec.UNSET
    lammers: dict[str, Lammers] | msgspec.UnsetType = msgspec.UNSET
    chances: dict[str, str] | msgspec.UnsetType = msgspec.UNSET
    """Exact fractions by wager."""
    stakes: dict[str, int] | msgspec.UnsetType = msgspec.UNSET
    """The stake on each area where it changed; zero if it is gone."""


class Frame(msgspec.Struct, frozen=True):
    """An entry, and what it changed on the layout."""

    entry: EntryInfo
    shows: Shows
    later: bool = False
    """Whether it came after the end of the round: a dispute or a resettlement."""


class RoundReplay(msgspec.Struct, frozen=True):
    """A round to play back."""

    table: str
    round: int
    rules: RecordedRules
    """The setup under which it was played, with limits and pay tables; empty if the record is broken before."""
    hand: list[tuple[int, ...]]
    """At craps: the shooter's earlier rolls since the last seven-out."""
    before: Shows
    """The table's view before the first of these entries."""
    frames: list[Frame]
    next: int | None
    """The `after` of the rest of a long round; null if this is all."""
    previous_round: int | None
    next_round: int | None
    broken: str | None = None
    """Where and why the hash chain is broken; the round ends there."""
    names: Names = msgspec.field(default_factory=dict)


def build_replay(
    store: Store, pager: JournalPager, table: str, number: int, after: int, language: Language
) -> RoundReplay | None:
    """Return a round's replay, or None if there was no such round; call it in a thread."""
    chosen: list[int] = []
    begins: int | None = None
    following = None
    for entry in entries_of(store, table, number, after):
        begins = entry.sequence if begins is None else begins
        if entry.sequence <= after:
            continue
        if len(chosen) == FRAMES_MAX:
            following = chosen[-1]
            break
        chosen.append(entry.sequence)
    if begins is None:
        return None
    found, broken = _read_positions(pager, table, chosen)
    state = _state_after(pager, table, chosen[0] - 1 if chosen else begins - 1)
    seen = _LayoutDiff(state)
    first = seen.all()
    frames: list[Frame] = []
    own = _last_own_position(found, number)
    for place, position in enumerate(found):
        later = place > own
        shows = _resettlement(position, state) if later else seen.changes(position.after)
        frames.append(Frame(entry_info(position, language), shows, later))
        if not later and position.after is not None:
            state = position.after
    begun = state is not None and state.setup is not None
    over = state is not None and state.round.number > number
    return RoundReplay(
        table=table,
        round=number,
        rules=build_recorded_rules(state),
        hand=_rolls_of_hand(state.history, number) if state is not None and begun and state.craps else [],
        before=first,
        frames=frames,
        next=following,
        previous_round=number - 1 if number > 1 else None,
        next_round=number + 1 if over or store.next_tagged(table, number) is not None else None,
        broken=broken,
    )


def _read_positions(pager: JournalPager, table: str, chosen: list[int]) -> tuple[list[PagePosition], str | None]:
    found: list[PagePosition] = []
    try:
        for first, last in group_runs(chosen):
            for position in pager.read(table, first - 1, last):
                found.append(position)  # noqa: PERF402 # those before a broken one are kept
    except Broken as broken:
        return found, str(broken)
    return found, None


def _state_after(pager: JournalPager, table: str, sequence: int) -> Table | None:
    """Return the table after an entry; None before the first, and if the chain is broken before it."""
    if sequence == 0:
        return None
    try:
        return next((position.after for position in pager.read(table, sequence - 1, sequence)), None)
    except Broken:
        return None


def _last_own_position(found: Sequence[PagePosition], number: int) -> int:
    """Return the position of the round's own last entry; later ones are about another layout."""
    return max((place for place, position in enumerate(found) if position.round == number), default=-1)


class _LayoutDiff:
    """The last layout; each part is computed again only where the table has changed."""

    def __init__(self, table: Table | None) -> None:
        self._table = table if table is not None and table.setup is not None else None

    def all(self) -> Shows:
        """Return the whole layout."""
        table = self._table
        return Shows() if table is None else _layout_changes(table, None)

    def changes(self, table: Table | None) -> Shows:
        """Return what has changed since the last call."""
        if table is None or table.setup is None:
            return Shows()
        shows = _layout_changes(table, self._table)
        self._table = table
        return shows


def _layout_changes(table: Table, before: Table | None) -> Shows:
    """Return what a table shows, without what it showed before."""
    found = _simple_fields(table)
    if before is not None:
        known = _simple_fields(before)
        found = {name: value for name, value in found.items() if known[name] != value}
    if before is None or before.areas != table.areas:
        found["lammers"] = lammers_by_area(table)
        found["chances"] = {wager: str(value) for wager, value in chances(table).items()}
    if before is None or before.bets is not table.bets:
        now, earlier = _stakes(table), _stakes(before) if before is not None else {}
        changed = {wager: now.get(wager, 0) for wager in now | earlier if now.get(wager) != earlier.get(wager)}
        if changed:
            found["stakes"] = changed
    return Shows(**found)


def _simple_fields(table: Table) -> dict[str, Any]:
    """Return the parts of a layout that are taken from the table unchanged."""
    return {
        "phase": phase(table) if table.open else "not open",
        "cover": cover(table),
        "dice": table.round.entered,
        "lit": table.round.lit,
        "point": table.point,
        "shooter": table.shooter,
    }


def _stakes(table: Table) -> dict[str, int]:
    stakes: dict[str, int] = {}
    for bet in table.bets.values():
        stakes[bet.wager] = stakes.get(bet.wager, 0) + bet.amount
    return stakes


def _resettlement(position: PagePosition, table: Table | None) -> Shows:
    """Return the dice of a resettlement, and what they light."""
    if position.entry.kind != "Resettled" or table is None or table.setup is None:
        return Shows()
    dice = tuple(msgspec.json.decode(position.entry.body)["dice"])
    lit = () if table.craps else tuple(illuminate(table.rules, Roll.of(*dice)))
    return Shows(dice=dice, lit=lit)


def _rolls_of_hand(history: Sequence[Settled], number: int) -> list[tuple[int, ...]]:
    """Return the rolls since the last seven-out before a round, as far as the table's history reaches.

    A history that begins in the middle of a hand is used from its first seven on, after which a come-out follows.
    """
    thrown = [record for record in history if record.number < number and record.dice]
    if thrown and thrown[0].number > 1:
        sevens = (place for place, record in enumerate(thrown) if sum(record.dice) == SEVEN)
        thrown = thrown[next(sevens, -1) + 1 :]
    rolls: list[tuple[int, ...]] = []
    hand = COME_OUT
    for record in thrown:
        rolls.append(record.dice)
        hand, call = roll_of_hand(hand, Total(sum(record.dice)))
        if call is Call.SEVEN_OUT:
            rolls = []
    return rolls
