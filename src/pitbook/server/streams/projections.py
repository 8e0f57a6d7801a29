"""Who sees what of an entry: the public, a player of their own, the staff. Encoded once, as frames of a live stream.

One table here decides for every kind of event. A kind without a decision is private: only its number is sent, so that
no watcher's sequence has a gap.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from pitbook.journal.refusal_aggregation import REFUSALS, REFUSED
from pitbook.table.evolve import PLAYERS_OWN
from pitbook.table.people import PLAYER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.journal.entries import Entry

PRIVATE = "private"
"""The kind of a frame that tells no more than that there is an entry."""

SEALED = "sealed"
"""The field that goes to nobody: a seed, sealed, before its round is thrown."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who watches: staff see everything, a person their own and what is public, anybody else what is public."""

    person: str | None = None
    staff: bool = False
    works: bool = False
    """Whether they work in the house, for whom streams are kept; what they see does not depend on it."""


PUBLIC = Viewer()
"""Somebody who only looks on."""


class Shown(NamedTuple):
    """What the public sees of a kind of event; what is not named here it does not see."""

    plain: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    """Fields that hold persons, of whom only the roles are told."""
    lines: tuple[str, ...] = ()
    """Fields that hold settled bets, told without their players."""
    owner: str | None = None
    """The field that names the player whose event it is."""
    private: bool = False


def _shows(*plain: str, roles: tuple[str, ...] = (), lines: tuple[str, ...] = (), owner: str | None = None) -> Shown:
    return Shown(plain, roles, lines, owner)


_HIDDEN = Shown(private=True)
_OWN = Shown(private=True, owner="player")

SHOWN: Mapping[str, Shown] = {
    # the table and its equipment
    "TableOpened": _shows("setup"),
    "SetupChanged": _shows("setup"),
    "TableClosed": _shows(),
    "ShiftStarted": _shows("shift"),
    "DayStarted": _shows("day"),
    "DicePut": _shows("set", "at", SEALED),  # the shaker is sealed, not a seed
    "DiceTakenOut": _shows("set", "at"),
    "EquipmentChecked": _shows("equipment"),
    "Inspected": _shows("inspection", "passed"),
    "DealerTookOver": _shows(),
    "DealerLeft": _shows(),
    "ShakerPutAway": _shows("how"),
    "ShakerInUse": _shows("shaker"),
    "EquipmentFailed": _shows("equipment", "cease"),
    "EquipmentRepaired": _shows("equipment"),
    # money and wagers
    "BoughtIn": _OWN,
    "CashedOut": _OWN,
    "BetPlaced": _shows("bet", "wager", "amount", "kind", "confirmed", owner="player"),
    "BetsPlaced": _shows("bets", owner="player"),
    "BetTakenDown": _shows("bet", "amount"),
    "BetsConfirmed": _shows("bets"),
    "WagerFound": _shows("bet", "wager", "amount", "late", "kind", owner="player"),
    "PlayerWithdrew": _shows("bets", owner="player"),
    # a round
    "StepTaken": _shows("step", "dice", "shakes", "announced", "areas", "flat", roles=("directed_by", "confirmed_by")),
    "Illuminated": _shows("wagers"),
    "Rolled": _shows("dice", "call"),
    "LosersCollected": _shows(lines=("lines",)),
    "WinnersPaid": _shows(lines=("lines",)),
    "RoundEnded": _shows("round"),
    "ShooterNamed": _shows(owner="shooter"),
    "DicePassed": _shows(),
    "RollCancelled": _shows(),
    # what goes wrong, and how it is put right; people's own words stay with the staff
    "DiceCorrected": _shows("dice", "returned"),
    "IrregularityCalled": _shows("irregularity", "remedy", "announced", "bets", roles=("present",)),
    "RoundVoided": _shows("round", "returned", lines=("undone",)),
    "WagersReturned": _shows("round", "returned", lines=("undone",)),
    "BettingReopened": _shows(lines=("undone",)),
    "StepWaived": _shows("step"),
    "PowerFailed": _shows(),
    "PlayResumed": _shows(),
    "BetRuled": _shows("bet", "treat_as", lines=("undone", "settled")),
    "Ruled": _shows("void", lines=("undone", "settled")),
    "Disputed": _shows("round"),
    "DisputeSettled": _shows("round", "upheld"),
    "ResettlementProposed": _shows("round"),
    "Resettled": _shows("round", "dice", lines=("lines",)),
    # the house's chips
    "Counted": _HIDDEN,
    "Filled": _HIDDEN,
    "Credited": _HIDDEN,
    "DropCollected": _HIDDEN,
    "ClockCorrected": _shows(),
    # automatic tables
    "SeedCommitted": _shows("round", "commitment", "mapping", "day"),
    "CountdownStarted": _shows("round", "until"),
    "NonceGiven": _OWN,
    "BettingClosed": _shows("round", "reveal_by"),
    "SeedRevealed": _shows("round", "seed", "close", "nonces", "dice", "voided"),
    "TumblerFailed": _shows("lost"),
    "TumblerRepaired": _shows(),
    "Paused": _shows("left"),
    "Unpaused": _shows("until"),
    "VoidProposed": _shows("round"),
    # the journal's own
    REFUSED: _HIDDEN,
    REFUSALS: _HIDDEN,
}
"""The decision for every kind of entry."""

HOUSE_SHOWN: Mapping[str, Shown] = {
    "ApprovalAsked": _shows("table"),
    "ApprovalGiven": _shows(),
    "ApprovalRefused": _shows(),
    "ApprovalWithdrawn": _shows(),
    "ApprovalExpired": _shows(),
    "ApprovalUsed": _shows(),
}
"""What whoever works at a table sees of the house's own record: that it is worth while to ask for approvals again."""

WITHOUT_STEP = frozenset((*(event.__name__ for event in PLAYERS_OWN), REFUSED, REFUSALS))
"""Entries that do not move the table's step."""

_encode = msgspec.json.Encoder().encode
_END = b"}\n\n"


@dataclass(frozen=True, slots=True)
class Projected:
    """An entry as frames, one for each who may watch."""

    sequence: int
    moves: bool
    """Whether the table's step moved, and with it what the table shows."""
    public: bytes | None
    """None where it is private."""
    staff: bytes
    gap: bytes
    """What is sent instead of a private frame."""
    own: dict[str, bytes] = field(default_factory=dict)
    """For each player whose entry it is: what follows their public frame, or where that is private the whole frame."""

    def frame(self, viewer: Viewer) -> bytes:
        """What this viewer gets; everybody gets something."""
        if viewer.staff:
            return self.staff
        own = self.own.get(viewer.person) if viewer.person is not None else None
        if own is None:
            return self.public or self.gap
        return self.public[: -len(_END)] + own if self.public else own


def project(entry: Entry) -> Projected:
    """What each may see of an entry."""
    shown = SHOWN.get(entry.kind) or HOUSE_SHOWN.get(entry.kind, _HIDDEN)
    event: dict[str, Any] = msgspec.json.decode(entry.body)
    event.pop("type", None)
    full = dict(event)
    if entry.kind == "SeedCommitted":
        del full[SEALED]
    told = {"sequence": entry.sequence, "at": entry.at, "role": entry.role, "kind": entry.kind}
    everything: dict[str, Any] = {**told, "actor": entry.actor, "event": full}
    if entry.kind == REFUSED and entry.answer:
        everything["answer"] = msgspec.Raw(entry.answer)
    gap = {"sequence": entry.sequence, "at": entry.at, "kind": PRIVATE}
    return Projected(
        entry.sequence,
        entry.kind not in WITHOUT_STEP,
        None if shown.private else frame(entry.kind, {**told, "event": _public(shown, event)}, entry.sequence),
        frame(entry.kind, everything, entry.sequence),
        frame(PRIVATE, gap, entry.sequence),
        _owned(entry, shown, event, told),
    )


def _public(shown: Shown, event: Mapping[str, Any]) -> dict[str, Any]:
    """An event without what the public may not see."""
    seen = {name: event[name] for name in shown.plain if name in event}
    for name in shown.roles:
        seen[name] = _role(event.get(name))
    for name in shown.lines:
        seen[name] = [{key: line[key] for key in line if key != "player"} for line in event.get(name, ())]
    return seen


def _role(persons: Any) -> Any:
    """The role of a person, or of each of several."""
    if isinstance(persons, dict):
        return persons["role"]
    return [person["role"] for person in persons] if persons else persons


def _owned(entry: Entry, shown: Shown, event: Mapping[str, Any], told: Mapping[str, Any]) -> dict[str, bytes]:
    """What players see of their own."""
    owned: dict[str, dict[str, Any]] = {}
    if entry.kind in (REFUSED, REFUSALS):
        name = event.get("actor", entry.actor) if entry.kind == REFUSALS else entry.actor
        answer = {"answer": msgspec.Raw(entry.answer)} if entry.kind == REFUSED and entry.answer else {}
        owned[name] = {**event, **answer}
    elif entry.role == PLAYER and not shown.lines:
        owned[entry.actor] = dict(event)
    for name in shown.lines:
        for line in event.get(name, ()):
            owned.setdefault(line["player"], {}).setdefault(name, []).append(line)
    if shown.owner and event.get(shown.owner):
        owned = {event[shown.owner]: dict(event)}  # a bet of another's is none of one's own, whoever laid it
    if shown.private:
        return {
            name: frame(entry.kind, {**told, "event": seen, "mine": True}, entry.sequence)
            for name, seen in owned.items()
        }
    tails = {}
    for name, seen in owned.items():
        more = {key: value for key, value in seen.items() if key not in shown.plain}
        tails[name] = b',"mine":true,"own":%b' % _encode(more) + _END
    return tails


def frame(kind: str, data: Any, sequence: int | None = None) -> bytes:
    """A frame of a stream; with a number it is one that a watcher resumes from."""
    number = b"" if sequence is None else b"id: %d\n" % sequence
    return b"%bevent: %b\ndata: %b\n\n" % (number, kind.encode(), data if isinstance(data, bytes) else _encode(data))


def data_of(framed: bytes) -> dict[str, Any]:
    """What a frame tells."""
    data: dict[str, Any] = msgspec.json.decode(framed.partition(b"\ndata: ")[2])
    return data
