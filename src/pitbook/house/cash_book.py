"""The last movements of chips and cash at a table, and its disputes and corrections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from pitbook.house.records import read_outcome
from pitbook.table import events as e

if TYPE_CHECKING:
    from pitbook.journal.entries import Entry

KEPT = 200
"""How many movements of each kind, disputes and corrections are kept."""

MovementKind = Literal["fill", "credit", "count", "drop", "buy-in", "cash-out"]

_KINDS = frozenset(
    kind.__name__
    for kind in (
        *(e.Filled, e.Credited, e.Counted, e.DropCollected, e.BoughtIn, e.CashedOut),
        *(e.Disputed, e.DisputeSettled, e.ResettlementProposed, e.Resettled),
    )
)


class Movement(msgspec.Struct, frozen=True):
    """Chips or cash that were moved, bought, cashed or counted, in minor units."""

    sequence: int
    at: str
    kind: MovementKind
    amount: int
    by: str
    role: str
    second: str | None = None
    """The second person."""
    player: str | None = None
    colour: str | None = None
    """The colour of colour chips that were bought or cashed."""
    when: str | None = None
    """For a count: at the opening or at the closing."""
    ledger: int | None = None
    """For a count: the balance in the ledger. The amount less this is the variance."""


class DisputeInfo(msgspec.Struct, frozen=True):
    """A disputed round, and the ruling."""

    round: int
    sequence: int
    at: str
    by: str
    role: str
    words: str
    ruled_at: str | None = None
    ruled_by: str | None = None
    ruled_role: str | None = None
    ruling: str | None = None
    upheld: bool | None = None
    """Whether the claim was upheld; None before the ruling."""


class Correction(msgspec.Struct, frozen=True):
    """A proposed correction of a round's dice, and whether it was resettled."""

    round: int
    sequence: int
    at: str
    by: str
    dice: tuple[int, ...]
    words: str
    done_at: str | None = None
    done_by: str | None = None


class CashBook:
    """A table's movements, disputes and corrections, the oldest first."""

    def __init__(self) -> None:
        self._moved: dict[MovementKind, list[Movement]] = {}
        self.disputes: list[DisputeInfo] = []
        self.corrections: list[Correction] = []

    @property
    def movements(self) -> list[Movement]:
        """The movements, the latest first."""
        found = [one for kind in self._moved.values() for one in kind]
        return sorted(found, key=lambda one: one.sequence, reverse=True)

    def apply(self, entry: Entry) -> None:
        """Apply the next entry of the table."""
        if entry.kind not in _KINDS:
            return
        event = read_outcome(entry)
        match event:
            case e.Filled() | e.Credited() | e.DropCollected():
                kind: MovementKind = "fill" if isinstance(event, e.Filled) else "credit"
                kind = "drop" if isinstance(event, e.DropCollected) else kind
                self._move(entry, kind, event.amount, second=event.second.name)
            case e.Counted():
                counted = {"when": event.when, "ledger": event.ledger}
                self._move(entry, "count", event.amount, second=event.second.name, **counted)
            case e.BoughtIn() | e.CashedOut():
                bought = isinstance(event, e.BoughtIn)
                whose = {"player": event.player, "colour": event.colour}
                self._move(entry, "buy-in" if bought else "cash-out", event.amount, **whose)
            case e.Disputed():
                dispute = DisputeInfo(event.round, entry.sequence, entry.at, entry.actor, entry.role, event.words)
                self.disputes = [*self.disputes, dispute][-KEPT:]
            case e.DisputeSettled():
                self._ruled(entry, event)
            case e.ResettlementProposed():
                given = event.dice, event.words
                self.corrections.append(Correction(event.round, entry.sequence, entry.at, event.by, *given))
                self.corrections = self.corrections[-KEPT:]
            case e.Resettled():
                self._resettled(entry, event)
            case _:
                pass

    def _move(self, entry: Entry, kind: MovementKind, amount: int, **more: object) -> None:
        made = Movement(entry.sequence, entry.at, kind, amount, entry.actor, entry.role, **more)  # type: ignore[arg-type]
        self._moved[kind] = [*self._moved.get(kind, []), made][-KEPT:]

    def _ruled(self, entry: Entry, event: e.DisputeSettled) -> None:
        for place, one in enumerate(self.disputes):
            if one.round == event.round and one.ruled_at is None:
                ruled = {"ruled_at": entry.at, "ruled_by": entry.actor, "ruled_role": entry.role}
                self.disputes[place] = msgspec.structs.replace(one, **ruled, ruling=event.words, upheld=event.upheld)

    def _resettled(self, entry: Entry, event: e.Resettled) -> None:
        for place, one in reversed(list(enumerate(self.corrections))):
            if one.round == event.round and one.done_at is None:
                self.corrections[place] = msgspec.structs.replace(one, done_at=entry.at, done_by=entry.actor)
                return
