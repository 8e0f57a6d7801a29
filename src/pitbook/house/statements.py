"""A player's statement: their own bets and results, and nothing of anyone else."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from pitbook.house.flat_tables import rounding_of
from pitbook.house.records import read_outcome
from pitbook.house.rounds import ENDS, KINDS
from pitbook.table import events as e

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pitbook.house.flat_tables import Row
    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Reader

COLUMNS = (
    *("table", "sequence", "at", "round", "what", "bet", "wager", "kind", "amount", "row", "pays", "net"),
    *("exact", "favour"),
)
"""`exact` is the net before rounding, a fraction of minor units; `favour` is for whom it was rounded."""
NUMBERS = frozenset({"sequence", "round", "bet", "amount", "net"})

LINES = {"LosersCollected": "collected", "WinnersPaid": "paid", "Resettled": "resettled", "RoundVoided": "undone"}

_KINDS = frozenset(
    kind.__name__
    for kind in (
        *(e.BoughtIn, e.CashedOut, e.BetPlaced, e.BetsPlaced, e.BetTakenDown, e.WagerFound, e.PlayerWithdrew),
        *(e.BetRuled, e.Ruled, e.RoundVoided, e.WagersReturned, e.BettingReopened, e.DiceCorrected),
        *(e.LosersCollected, e.WinnersPaid, e.Resettled),
    )
)


class _Own(NamedTuple):
    wager: str
    kind: str
    amount: int
    commission: int = 0


class Statement:
    """The statement of one player at one table, fed with entries in order."""

    def __init__(self, player: str) -> None:
        self._player = player
        self._bets: dict[int, _Own] = {}

    def rows(self, entry: Entry, number: int) -> list[Row]:
        """Return the rows of an entry about this player's money."""
        if entry.kind not in _KINDS:
            return []
        event = read_outcome(entry)
        head = (entry.table, entry.sequence, entry.at)
        match event:
            case e.BoughtIn() | e.CashedOut() if event.player == self._player:
                what = "bought in" if isinstance(event, e.BoughtIn) else "cashed out"
                return [(*head, number, what, None, "", _chips(event), event.amount, "", "", None, "", "")]
            case e.BetPlaced() | e.WagerFound() if event.player == self._player:
                commission = event.commission if isinstance(event, e.BetPlaced) else 0
                own = _Own(event.wager, event.kind, event.amount, commission)
                return self._placed(head, number, event.bet, own)
            case e.BetsPlaced() if event.player == self._player:
                rows = []
                for one in event.bets:
                    rows += self._placed(head, number, one.bet, _Own(one.wager, one.kind, one.amount, one.commission))
                return rows
            case e.BetTakenDown():
                part = e.Part(event.bet, event.amount, event.commission)
                return self._reduced(head, number, "taken down", (part,))
            case e.PlayerWithdrew() if event.player == self._player:
                reduced = self._reduced(head, number, "given back", event.parts)
                return [*self._returned(head, number, event.bets), *reduced]
            case e.BetRuled() | e.Ruled() if event.settled:
                undone = self._lines(head, number, "undone", event.undone)
                return [*undone, *self._lines(head, number, "ruled", event.settled)]
            case e.BetRuled() if event.treat_as is None:
                return self._returned(head, number, (event.bet,))
            case e.DiceCorrected():
                back = self._returned(head, number, event.returned)
                back += self._reduced(head, number, "given back", event.parts)
                return [*back, *self._returned_rows(head, number, event.undone)]
            case e.BettingReopened():
                return self._returned_rows(head, number, event.undone)
            case e.RoundVoided() | e.WagersReturned():
                undone = self._lines(head, event.round, "undone", event.undone)
                parts = event.parts if isinstance(event, e.RoundVoided) else ()
                reduced = self._reduced(head, event.round, "given back", parts)
                return [*undone, *self._returned(head, event.round, event.returned), *reduced]
            case e.LosersCollected() | e.WinnersPaid() | e.Resettled():
                about = getattr(event, "round", number)
                return self._lines(head, about, LINES[entry.kind], event.lines)
            case _:
                return []

    def _placed(self, head: Row, number: int, bet: int, own: _Own) -> list[Row]:
        before = self._bets.get(bet, own._replace(amount=0, commission=0))
        self._bets[bet] = own._replace(amount=own.amount + before.amount, commission=own.commission + before.commission)
        return _moved(head, number, "bet", bet, own, "commission")

    def _reduced(self, head: Row, number: int, what: str, parts: Iterable[e.Part]) -> list[Row]:
        rows: list[Row] = []
        for part in parts:
            own = self._bets.get(part.bet)
            if own is None:
                continue
            if own.amount <= part.amount:
                del self._bets[part.bet]
            else:
                left = own.amount - part.amount, own.commission - part.commission
                self._bets[part.bet] = own._replace(amount=left[0], commission=left[1])
            taken = own._replace(amount=part.amount, commission=part.commission)
            rows += _moved(head, number, what, part.bet, taken, "commission given back")
        return rows

    def _returned(self, head: Row, number: int, bets: Iterable[int]) -> list[Row]:
        rows: list[Row] = []
        for bet in bets:
            if bet in self._bets:
                rows += _moved(head, number, "given back", bet, self._bets.pop(bet), "commission given back")
        return rows

    def _returned_rows(self, head: Row, number: int, lines: Iterable[e.Line]) -> list[Row]:
        """Return the rows of wagers whose settlement was undone and which lie on the layout again."""
        mine = [line for line in lines if line.player == self._player]
        rows = self._lines(head, number, "undone", mine)
        self._bets |= {line.bet: _Own(line.wager, line.kind, line.honoured, line.commission) for line in mine}
        return rows

    def _lines(self, head: Row, number: int, what: str, lines: Iterable[e.Line]) -> list[Row]:
        rows: list[Row] = []
        for line in lines:
            if line.player == self._player:
                if not line.stays:
                    self._bets.pop(line.bet, None)
                net = -line.net if what == "undone" else line.net
                about = (line.bet, line.wager, line.kind, line.stake, line.row or "", line.pays)
                rows.append((*head, number, what, *about, net, *rounding_of(line)))
        return rows


def _moved(head: Row, number: int, what: str, bet: int, own: _Own, charged: str) -> list[Row]:
    """Return the row of a stake that moved, and one of the commission that moved with it."""
    moved = [(what, own.amount), *([(charged, own.commission)] if own.commission else [])]
    return [(*head, number, kind, bet, own.wager, own.kind, amount, "", "", None, "", "") for kind, amount in moved]


def _chips(event: e.BoughtIn | e.CashedOut) -> str:
    """Return "colour" for colour chips that were bought or redeemed, and nothing for cash chips."""
    colour = event.colour_value if isinstance(event, e.BoughtIn) else event.kind == "colour"
    return "colour" if colour else ""


def first_at(reader: Reader, table: str, at: str, head: int) -> int:
    """Return the number of the first entry at or after a time, or one more than the head."""
    low, high = 1, head + 1
    while low < high:
        middle = (low + high) // 2
        if next(reader.entries(table, middle - 1, 1)).at < at:
            low = middle + 1
        else:
            high = middle
    return low


def round_at(reader: Reader, table: str, sequence: int) -> int:
    """Return the round that a table was in after an entry."""
    number, after = 1, 0
    latest = reader.read_tags(table, None, 1)
    low, high = 0, latest[0][0] if latest else 0
    while low < high:  # throws and their entries are in the same order
        middle = (low + high + 1) // 2
        found = reader.read_tags(table, middle + 1, 1)
        if found and found[0][1] > sequence:
            high = found[0][0] - 1
        else:
            number, after = found[0] if found else (number, after)
            low = middle
    for _, kind, body in reader.events_of_kinds(table, KINDS, after, sequence, 5_000):
        if kind in ENDS:
            number = _round(body) + 1
        elif kind == "BettingReopened":
            number += 1
    return number


def _round(body: bytes) -> int:
    number: int = msgspec.json.decode(body)["round"]
    return number
