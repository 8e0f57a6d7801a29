"""A journal as flat tables: entries, postings, and the settlement of every wager."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pitbook.house.records import read_outcome
from pitbook.house.transcript import describe_entry
from pitbook.journal.entries import HOUSE
from pitbook.table import events as e

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pitbook.journal.entries import Entry

Row = tuple[Any, ...]


class Sheet(NamedTuple):
    """A flat table: its name, its columns, and the rows of an entry in a round."""

    name: str
    columns: tuple[str, ...]
    rows: Callable[[Entry, int], list[Row]]


FORMULA = ("=", "+", "-", "@", "\t", "\r")


def escape_formulas(row: Sequence[object]) -> list[object]:
    """Return a row for a spreadsheet in which no text is taken for a formula.

    >>> escape_formulas(["=1+1", -5, "ann", "-"])
    ["'=1+1", -5, 'ann', '-']
    """
    return [f"'{cell}" if isinstance(cell, str) and len(cell) > 1 and cell[0] in FORMULA else cell for cell in row]


def _entries(entry: Entry, _number: int) -> list[Row]:
    body = entry.body.decode()
    says = "; ".join(line.text() for line in describe_entry(entry)) if entry.table == HOUSE else ""
    return [(entry.table, entry.sequence, entry.kind, entry.actor, entry.role, entry.at, body, entry.hash.hex(), says)]


def _postings(entry: Entry, _number: int) -> list[Row]:
    return [
        (entry.table, entry.sequence, number, place, moved.why, leg.account, leg.amount)
        for number, moved in enumerate(entry.transfers, 1)
        for place, leg in enumerate(moved.legs, 1)
    ]


def _settlements(entry: Entry, number: int) -> list[Row]:
    if entry.kind not in SETTLING:
        return []
    event = read_outcome(entry)
    undoing = isinstance(event, e.RoundVoided | e.DiceCorrected)
    lines = event.undone if undoing else event.lines  # type: ignore[union-attr]
    about = getattr(event, "round", number)
    return [
        (
            *(entry.table, entry.sequence, entry.kind, about, entry.at),
            *(line.bet, line.player, line.wager, line.kind, line.stake, line.honoured, line.row),
            *(line.pays, line.net, line.envy, line.capped, " ".join(line.clauses), *rounding_of(line)),
        )
        for line in lines
    ]


def rounding_of(line: e.Line) -> tuple[str, str]:
    """Return the exact net of a line that was rounded, and in whose favour; empty if it is exact."""
    return line.exact or "", line.favour or ""


SETTLING = ("LosersCollected", "WinnersPaid", "Resettled", "RoundVoided", "DiceCorrected")
"""Events that settle wagers, resettle them, or undo that."""

_SETTLEMENT = (
    *("table", "sequence", "event", "round", "at", "bet", "player", "wager", "kind"),
    *("stake", "honoured", "row", "pays", "net", "envy", "capped", "clauses", "exact", "favour"),
)

SHEETS = (
    Sheet("entries", ("table", "sequence", "kind", "actor", "role", "at", "body", "hash", "says"), _entries),
    Sheet("postings", ("table", "sequence", "transfer", "leg", "why", "account", "amount"), _postings),
    Sheet("settlements", _SETTLEMENT, _settlements),
)

NUMBERS = frozenset(
    {
        *("sequence", "transfer", "leg", "amount", "round", "bet"),
        *("stake", "honoured", "net", "envy", "capped"),
    }
)
"""Columns of whole numbers, money in minor units; the others are text."""


class Rounds:
    """The round of each entry, derived without the book from events that end rounds."""

    def __init__(self, number: int = 1) -> None:
        self._number = number
        self._rolled: int | None = None

    def of(self, entry: Entry) -> int:
        """Return the round of a table's next entry."""
        if entry.kind not in _MOVING:
            return self._number
        event = read_outcome(entry)
        if isinstance(event, e.DiceCorrected) and self._rolled is not None:
            self._number = self._rolled  # at craps the table may be waiting for the next roll already
        here = self._number
        match event:
            case e.Rolled():
                self._rolled = here
            case e.TableOpened():
                self._rolled = None
            case e.RoundEnded() | e.RoundVoided() | e.WagersReturned():
                self._number = event.round + 1
            case e.BettingReopened():
                self._number += 1
            case _:
                pass
        return here


_MOVING = frozenset(
    kind.__name__
    for kind in (
        *(e.TableOpened, e.Rolled, e.DiceCorrected),
        *(e.RoundEnded, e.RoundVoided, e.WagersReturned, e.BettingReopened),
    )
)
