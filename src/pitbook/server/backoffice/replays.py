"""A past round played back: its entries one by one, with what the table showed after each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pitbook.dice import SEVEN, Roll, Total
from pitbook.engine.illuminate import illuminate
from pitbook.house.rounds import entries_of
from pitbook.journal.errors import Broken
from pitbook.server.backoffice.journal_pages import EntryInfo, runs_of, told_of
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
    from pitbook.server.backoffice.paging import JournalPager, PagePosition
    from pitbook.table.state import Settled, Table

FRAMES_MAX = 400
"""So many entries are played back in one answer; the next begins after the last of them."""


class Shows(msgspec.Struct, frozen=True):
    """What changed on the layout with an entry; what is left out stays as it was."""

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
    """What lies on each area now, for the areas where that changed; nothing where it is gone."""


class Frame(msgspec.Struct, frozen=True):
    """An entry, and what it did to the layout."""

    entry: EntryInfo
    shows: Shows
    later: bool = False
    """Whether it came after the round was over: a dispute, or a resettlement."""


class RoundReplay(msgspec.Struct, frozen=True):
    """A round to play back."""

    table: str
    round: int
    rules: RecordedRules
    """The set-up under which it was played, with limits and pay tables; empty where the record breaks off before."""
    hand: list[tuple[int, ...]]
    """At craps: what the shooter has rolled before, since the last seven-out."""
    before: Shows
    """What the table showed before the first of these entries."""
    frames: list[Frame]
    next: int | None
    """What `after` is for the rest of a long round; null where this is all."""
    previous_round: int | None
    next_round: int | None
    broken: str | None = None
    """Where the record is not a chain any more, and why: the round ends there."""
    names: Names = msgspec.field(default_factory=dict)


def replay_of(store: Store, leaves: JournalPager, table: str, number: int, after: int) -> RoundReplay | None:
    """A round again, or None where there was none; after an entry of it, where it is long. Called in a thread."""
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
    found, broken = _told(leaves, table, chosen)
    state = _before(leaves, table, chosen[0] - 1 if chosen else begins - 1)
    seen = _Seen(state)
    first = seen.all()
    frames: list[Frame] = []
    own = _ends(found, number)
    for place, leaf in enumerate(found):
        later = place > own
        shows = _resettled(leaf, state) if later else seen.changes(leaf.after)
        frames.append(Frame(told_of(leaf), shows, later))
        if not later and leaf.after is not None:
            state = leaf.after
    begun = state is not None and state.setup is not None
    over = state is not None and state.round.number > number
    return RoundReplay(
        table=table,
        round=number,
        rules=build_recorded_rules(state),
        hand=_hand(state.history, number) if state is not None and begun and state.craps else [],
        before=first,
        frames=frames,
        next=following,
        previous_round=number - 1 if number > 1 else None,
        next_round=number + 1 if over or store.tagged_after(table, number) is not None else None,
        broken=broken,
    )


def _told(leaves: JournalPager, table: str, chosen: list[int]) -> tuple[list[PagePosition], str | None]:
    found: list[PagePosition] = []
    try:
        for first, last in runs_of(chosen):
            for leaf in leaves.told(table, first - 1, last):
                found.append(leaf)  # noqa: PERF402 # those before a broken one are kept
    except Broken as broken:
        return found, str(broken)
    return found, None


def _before(leaves: JournalPager, table: str, sequence: int) -> Table | None:
    """The table after an entry; None before the first, and where the record is no chain up to there."""
    if sequence == 0:
        return None
    try:
        return next((leaf.after for leaf in leaves.told(table, sequence - 1, sequence)), None)
    except Broken:
        return None


def _ends(found: Sequence[PagePosition], number: int) -> int:
    """The place of the round's own last entry: those that follow it concern it, and are about another layout."""
    return max((place for place, leaf in enumerate(found) if leaf.round == number), default=-1)


class _Seen:
    """What was shown last; each part is made again only where the table has changed in it."""

    def __init__(self, table: Table | None) -> None:
        self._table = table if table is not None and table.setup is not None else None

    def all(self) -> Shows:
        """Everything."""
        table = self._table
        return Shows() if table is None else _shown(table, None)

    def changes(self, table: Table | None) -> Shows:
        """What is different now."""
        if table is None or table.setup is None:
            return Shows()
        shows = _shown(table, self._table)
        self._table = table
        return shows


def _shown(table: Table, before: Table | None) -> Shows:
    """What a table shows, without what it showed before."""
    found = _plain(table)
    if before is not None:
        known = _plain(before)
        found = {name: value for name, value in found.items() if known[name] != value}
    if before is None or before.areas != table.areas:
        found["lammers"] = lammers_by_area(table)
        found["chances"] = {wager: str(value) for wager, value in chances(table).items()}
    if before is None or before.bets is not table.bets:
        lie, lay = _stakes(table), _stakes(before) if before is not None else {}
        changed = {wager: lie.get(wager, 0) for wager in lie | lay if lie.get(wager) != lay.get(wager)}
        if changed:
            found["stakes"] = changed
    return Shows(**found)


def _plain(table: Table) -> dict[str, Any]:
    """The parts of a table that are shown as they are."""
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


def _resettled(leaf: PagePosition, table: Table | None) -> Shows:
    """A resettlement shows the dice that count now, and what they light."""
    if leaf.entry.kind != "Resettled" or table is None or table.setup is None:
        return Shows()
    dice = tuple(msgspec.json.decode(leaf.entry.body)["dice"])
    lit = () if table.craps else tuple(illuminate(table.rules, Roll.of(*dice)))
    return Shows(dice=dice, lit=lit)


def _hand(history: Sequence[Settled], number: int) -> list[tuple[int, ...]]:
    """The rolls since the last seven-out before a round, as far back as the table remembers.

    A memory that does not reach the first roll begins in the middle of a hand; after a seven it is a come-out again.
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
