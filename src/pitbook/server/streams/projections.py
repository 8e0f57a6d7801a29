"""Views of an entry for the public, a player and the staff, encoded once as frames of a live stream.

One table here decides for every kind of event. A kind that is not in it is private: only its number is sent, so that
no watcher's sequence has a gap.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from pitbook.journal.refusal_aggregation import REFUSALS, REFUSED
from pitbook.table.evolve import PLAYERS_OWN
from pitbook.table.people import PLAYER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.journal.entries import Entry

PRIVATE = "private"
"""The kind of a frame that reveals nothing but that there is an entry."""

SEALED = "sealed"
"""The field that nobody sees: a seed, sealed, before its round is thrown."""


class StreamEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of a table's record, as far as the viewer may see it."""

    sequence: int
    at: str
    role: str | UnsetType = UNSET
    kind: str
    actor: Annotated[str | UnsetType, Meta(description="For staff.")] = UNSET
    event: Annotated[dict[str, Any] | UnsetType, Meta(description="Left out of a private entry.")] = UNSET
    answer: Annotated[dict[str, Any] | UnsetType, Meta(description="Of a refused command, for staff.")] = UNSET
    mine: Annotated[bool | UnsetType, Meta(description="Whether it concerns the viewer.")] = UNSET
    own: Annotated[dict[str, Any] | UnsetType, Meta(description="What only the viewer sees of a public entry.")] = UNSET


@dataclass(frozen=True, slots=True)
class Viewer:
    """A viewer: staff see everything, players their own and what is public, anyone else what is public."""

    person: str | None = None
    staff: bool = False
    works: bool = False
    """Whether they work in the house and get reserved streams; what they see does not depend on it."""


PUBLIC = Viewer()
"""A viewer who is not signed in."""


class Visibility(NamedTuple):
    """The public fields of a kind of event; fields that are not named are hidden."""

    plain: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    """Fields with persons, of whom only the roles are shown."""
    lines: tuple[str, ...] = ()
    """Fields with settled bets, shown without their players."""
    owner: str | None = None
    """The field that names the player whose event it is."""
    private: bool = False


def _visible(
    *plain: str, roles: tuple[str, ...] = (), lines: tuple[str, ...] = (), owner: str | None = None
) -> Visibility:
    return Visibility(plain, roles, lines, owner)


_PRIVATE = Visibility(private=True)
_OWN = Visibility(private=True, owner="player")

VISIBILITY: Mapping[str, Visibility] = {
    # the table and its equipment
    "TableOpened": _visible("setup"),
    "SetupChanged": _visible("setup"),
    "TableClosed": _visible(),
    "ShiftStarted": _visible("shift"),
    "DayStarted": _visible("day"),
    "DicePut": _visible("set", "at", SEALED),  # the shaker is sealed, not a seed
    "DiceTakenOut": _visible("set", "at"),
    "EquipmentChecked": _visible("equipment"),
    "Inspected": _visible("inspection", "passed"),
    "DealerTookOver": _visible(),
    "DealerLeft": _visible(),
    "ShakerPutAway": _visible("how"),
    "ShakerInUse": _visible("shaker"),
    "EquipmentFailed": _visible("equipment", "cease"),
    "EquipmentRepaired": _visible("equipment"),
    # money and wagers
    "BoughtIn": _OWN,
    "CashedOut": _OWN,
    "BetPlaced": _visible("bet", "wager", "amount", "kind", "confirmed", "commission", owner="player"),
    "BetsPlaced": _visible("bets", owner="player"),
    "BetTakenDown": _visible("bet", "amount", "commission", "tied_to"),
    "BetsCalled": _visible("bets", "how", owner="player"),
    "BetsConfirmed": _visible("bets"),
    "WagerFound": _visible("bet", "wager", "amount", "late", "kind", owner="player"),
    "PlayerWithdrew": _visible("bets", "parts", owner="player"),
    # a round
    "StepTaken": _visible(
        "step", "dice", "shakes", "announced", "areas", "flat", roles=("directed_by", "confirmed_by")
    ),
    "Illuminated": _visible("wagers"),
    "Rolled": _visible("dice", "call", "bets"),
    "LosersCollected": _visible(lines=("lines",)),
    "WinnersPaid": _visible(lines=("lines",)),
    "RoundEnded": _visible("round"),
    "ShooterNamed": _visible(owner="shooter"),
    "DicePassed": _visible(),
    "RailJoined": _visible("place", owner="player"),
    "RailLeft": _visible(owner="player"),
    "DiceRefused": _visible(owner="player"),
    "RollCancelled": _visible(),
    # irregularities and their corrections; people's own words stay with the staff
    "DiceCorrected": _visible("dice", "returned", "bets", "parts", lines=("undone",)),
    "IrregularityCalled": _visible("irregularity", "remedy", "announced", "bets", roles=("present",)),
    "RoundVoided": _visible("round", "returned", "parts", lines=("undone",)),
    "WagersReturned": _visible("round", "returned", lines=("undone",)),
    "BettingReopened": _visible(lines=("undone",)),
    "StepWaived": _visible("step"),
    "PowerFailed": _visible(),
    "PlayResumed": _visible(),
    "BetRuled": _visible("bet", "treat_as", lines=("undone", "settled")),
    "Ruled": _visible("void", lines=("undone", "settled")),
    "Disputed": _visible("round"),
    "DisputeSettled": _visible("round", "upheld"),
    "ResettlementProposed": _visible("round"),
    "Resettled": _visible("round", "dice", lines=("lines",)),
    # the house's chips
    "Counted": _PRIVATE,
    "Filled": _PRIVATE,
    "Credited": _PRIVATE,
    "DropCollected": _PRIVATE,
    "ClockCorrected": _visible(),
    # automatic tables
    "SeedCommitted": _visible("round", "commitment", "mapping", "day"),
    "CountdownStarted": _visible("round", "until"),
    "NonceGiven": _OWN,
    "BettingClosed": _visible("round", "reveal_by"),
    "SeedRevealed": _visible("round", "seed", "close", "nonces", "dice", "voided"),
    "TumblerFailed": _visible("lost"),
    "TumblerRepaired": _visible(),
    "Paused": _visible("left"),
    "Unpaused": _visible("until"),
    "VoidProposed": _visible("round"),
    # the journal's own
    REFUSED: _PRIVATE,
    REFUSALS: _PRIVATE,
}
"""The decision for every kind of entry."""

HOUSE_VISIBILITY: Mapping[str, Visibility] = {
    "ApprovalAsked": _visible("table"),
    "ApprovalGiven": _visible(),
    "ApprovalRefused": _visible(),
    "ApprovalWithdrawn": _visible(),
    "ApprovalExpired": _visible(),
    "ApprovalUsed": _visible(),
}
"""The staff's view of the house's own record: that approvals have changed."""

WITHOUT_STEP = frozenset((*(event.__name__ for event in PLAYERS_OWN), REFUSED, REFUSALS))
"""Entries that do not change the table's step."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(StreamEntry).decode
_END = b"}\n\n"


@dataclass(frozen=True, slots=True)
class Projected:
    """An entry as frames for each kind of viewer."""

    sequence: int
    moves: bool
    """Whether the table's step, and with it the view, changed."""
    public: bytes | None
    """None if it is private."""
    staff: bytes
    gap: bytes
    """The replacement for a private frame."""
    own: dict[str, bytes] = field(default_factory=dict)
    """For each player concerned: the end of their public frame, or the whole frame if that is private."""

    def frame(self, viewer: Viewer) -> bytes:
        """Return what this viewer gets; there is a frame for everyone."""
        if viewer.staff:
            return self.staff
        own = self.own.get(viewer.person) if viewer.person is not None else None
        if own is None:
            return self.public or self.gap
        return self.public[: -len(_END)] + own if self.public else own


def project(entry: Entry) -> Projected:
    """Return what each viewer may see of an entry."""
    visibility = VISIBILITY.get(entry.kind) or HOUSE_VISIBILITY.get(entry.kind, _PRIVATE)
    event: dict[str, Any] = msgspec.json.decode(entry.body)
    event.pop("type", None)
    full = dict(event)
    if entry.kind == "SeedCommitted":
        del full[SEALED]
    base = StreamEntry(sequence=entry.sequence, at=entry.at, role=entry.role, kind=entry.kind)
    answer = msgspec.json.decode(entry.answer) if entry.kind == REFUSED and entry.answer else UNSET
    return Projected(
        entry.sequence,
        entry.kind not in WITHOUT_STEP,
        None
        if visibility.private
        else frame(entry.kind, replace(base, event=_public(visibility, event)), entry.sequence),
        frame(entry.kind, replace(base, actor=entry.actor, event=full, answer=answer), entry.sequence),
        frame(PRIVATE, StreamEntry(sequence=entry.sequence, at=entry.at, kind=PRIVATE), entry.sequence),
        _own_frames(entry, visibility, event, base),
    )


def _public(visibility: Visibility, event: Mapping[str, Any]) -> dict[str, Any]:
    """Return an event without what the public may not see."""
    seen = {name: event[name] for name in visibility.plain if name in event}
    for name in visibility.roles:
        seen[name] = _role(event.get(name))
    for name in visibility.lines:
        seen[name] = [{key: line[key] for key in line if key != "player"} for line in event.get(name, ())]
    return seen


def _role(persons: Any) -> Any:
    """Return the role of a person, or of each of several."""
    if isinstance(persons, dict):
        return persons["role"]
    return [person["role"] for person in persons] if persons else persons


def _own_frames(entry: Entry, visibility: Visibility, event: Mapping[str, Any], base: StreamEntry) -> dict[str, bytes]:
    """Return what players see of their own."""
    owned: dict[str, dict[str, Any]] = {}
    if entry.kind in (REFUSED, REFUSALS):
        name = event.get("actor", entry.actor) if entry.kind == REFUSALS else entry.actor
        answer = {"answer": msgspec.Raw(entry.answer)} if entry.kind == REFUSED and entry.answer else {}
        owned[name] = {**event, **answer}
    elif entry.role == PLAYER and not visibility.lines:
        owned[entry.actor] = dict(event)
    for name in visibility.lines:
        for line in event.get(name, ()):
            owned.setdefault(line["player"], {}).setdefault(name, []).append(line)
    if visibility.owner and event.get(visibility.owner):
        owned = {event[visibility.owner]: dict(event)}  # a bet belongs to its player, whoever placed it
    if visibility.private:
        return {
            name: frame(entry.kind, replace(base, event=seen, mine=True), entry.sequence)
            for name, seen in owned.items()
        }
    tails = {}
    for name, seen in owned.items():
        more = {key: value for key, value in seen.items() if key not in visibility.plain}
        tails[name] = b',"mine":true,"own":%b' % _encode(more) + _END
    return tails


def frame(kind: str, data: Any, sequence: int | None = None) -> bytes:
    """Return a frame of a stream; a watcher can resume from one that has a number."""
    number = b"" if sequence is None else b"id: %d\n" % sequence
    return b"%bevent: %b\ndata: %b\n\n" % (number, kind.encode(), data if isinstance(data, bytes) else _encode(data))


def parse_frame(framed: bytes) -> StreamEntry:
    """Return the entry in a frame."""
    return _decode(framed.partition(b"\ndata: ")[2])
