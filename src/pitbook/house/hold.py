"""A table's hold compared with theory, folded from its record entry by entry.

If every wager is decided by one throw, the settled lines of a round are enough: a round counts when it has ended. Craps
wagers run over several rolls, and counting only those that have ended would mislead: most lose quickly and win slowly.
There the band is about what every roll does to the value of all stakes on the layout: a wager that ends is worth its
result, one that continues its expected result from the new state. Money and theory count when a wager ends.

A void round counts neither in the money nor in the band. A resettlement changes both on the day on which it is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.dice import Roll, roll_index
from pitbook.engine.standing import spec_of
from pitbook.house.codec import evolve_entry
from pitbook.house.daily_results import DAYS_MAX, DayBook, Tally, Thrown
from pitbook.house.payoff_distribution import chances, law_of
from pitbook.house.records import NO_EVENTS, read_outcome
from pitbook.table import events as e
from pitbook.table.commands import OWN
from pitbook.table.evolve import undo_roll
from pitbook.table.limits import honoured
from pitbook.table.standing import standing_of
from pitbook.table.state import HISTORY, Table, paytable_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pitbook.house.books import HouseBooks
    from pitbook.journal.entries import Entry

_PLAIN = frozenset(
    kind.__name__
    for kind in (
        *(e.TableOpened, e.SetupChanged, e.DayStarted, e.SeedCommitted, e.BoughtIn, e.LosersCollected, e.WinnersPaid),
        *(e.RoundEnded, e.RoundVoided, e.WagersReturned, e.Resettled),
    )
)
"""The events that a table of one-throw wagers needs; its bets need not be followed."""
ROUNDS_MAX = HISTORY + 2
"""Rounds that may still be resettled."""


class HoldBook:
    """A table's days, and the whole record."""

    def __init__(self, table: str, books: HouseBooks) -> None:
        self.whole = DayBook("")
        self.days: dict[str, DayBook] = {}
        self._day = ""
        self._table = books.new_table(table)
        self._lines: list[e.Line] = []
        """Of a round that has not ended."""
        self._settled: dict[int, dict[str, int]] = {}
        """The house's win on each of the last rounds, by family."""
        self._thrown: Thrown | None = None
        """The last roll of craps, as long as it may be corrected."""
        self._expected: dict[int, tuple[int, float]] = {}
        """By running wager: its stake, and its expected result when it was made."""
        self._again: set[int] = set()
        """Wagers that stayed up after a win: the next roll is the first on the same stake made again."""

    def apply(self, entry: Entry) -> None:
        """Apply the next entry of the table."""
        if entry.kind in NO_EVENTS:
            return
        running = self._table.setup is not None and self._table.craps
        if not running and entry.kind not in _PLAIN:
            return
        event = read_outcome(entry)
        assert isinstance(event, e.Event)
        match event:
            case e.DayStarted():
                self._day = event.day
            case e.SeedCommitted():
                self._day = event.day
            case e.BoughtIn():
                for book in self._books(entry):
                    book.drop += event.amount
            case _:
                pass
        if running:
            self._craps(entry, event)
        else:
            self._one_throw(entry, event)

    def tally_at(self, at: str) -> Tally:
        """Return the wagers that have ended in the gaming day of a time."""
        book = self.days.get(self._day or at[:10])
        return book.whole if book else Tally()

    def _books(self, entry: Entry) -> tuple[DayBook, DayBook]:
        """Return the books of the entry's gaming day (or its date) and of the whole record."""
        day = self._day or entry.at[:10]
        if day not in self.days:
            self.days[day] = DayBook(day)
            while len(self.days) > DAYS_MAX:
                del self.days[next(iter(self.days))]
        return self.days[day], self.whole

    # -- wagers of one throw

    def _one_throw(self, entry: Entry, event: e.Event) -> None:
        match event:
            case e.TableOpened() | e.SetupChanged():
                self._table = evolve_entry(self._table, entry, event)
            case e.LosersCollected() | e.WinnersPaid():
                self._lines += event.lines
            case e.BetRuled() | e.Ruled():
                numbers = {line.bet for line in event.settled}
                self._lines = [*(line for line in self._lines if line.bet not in numbers), *event.settled]
            case e.RoundVoided() | e.WagersReturned() | e.BettingReopened():
                self._lines = []
            case e.RoundEnded():
                self._round(entry, event.round)
            case e.Resettled():
                self._resettled(entry, event)
            case _:
                pass

    def _round(self, entry: Entry, number: int) -> None:
        lines, self._lines = [line for line in self._lines if line.honoured], []
        if not lines:
            return
        rules, books = self._table.rules, self._books(entry)
        thrown = Thrown(chances(rules.dice))
        for line in lines:
            paytable = paytable_of(self._table, line.wager)
            law = law_of(rules, line.wager, paytable, line.honoured, line.kind in OWN, None)
            won, family = -(line.net + line.envy), rules.wagers[line.wager].family
            thrown.stake(family, law.after - law.expected, won - law.expected)
            _count(books, family, line.honoured, won, law.expected)
        thrown.count(*books)
        self._remember(number, lines)

    # -- wagers that run

    def _craps(self, entry: Entry, event: e.Event) -> None:
        before = self._table
        self._table = after = evolve_entry(before, entry, event)
        match event:
            case e.Rolled():
                self._rolled(entry, before, event.dice)
            case e.DiceCorrected():
                if self._thrown is not None and before.before_roll is not None:
                    self._thrown.take_back()
                    self._undo_lines(entry, before, event.undone)
                    self._rolled(entry, undo_roll(before, event, before.before_roll), event.dice)
            case e.LosersCollected() | e.WinnersPaid():
                self._ended(entry, before, event.lines)
            case e.RoundVoided():
                self._void(entry, before, event)
            case e.WagersReturned() if self._thrown is not None and before.round.entered:
                self._thrown.take_back()
                self._thrown = None
            case e.Resettled():
                self._resettled(entry, event)
            case _:
                pass
        if self._expected and len(self._expected) > 2 * len(after.bets) + 64:
            self._expected = {bet: value for bet, value in self._expected.items() if bet in after.bets}

    def _rolled(self, entry: Entry, table: Table, dice: tuple[int, ...]) -> None:
        """Count the effect of a roll on every stake on the layout."""
        rules = table.rules
        place = roll_index(rules.dice)[Roll.of(*dice)]
        thrown = self._thrown = Thrown(chances(rules.dice))
        for bet in table.bets.values():
            stake = honoured(table, bet)
            if not stake:
                continue
            standing = standing_of(table, bet)
            if standing.called == "off":
                continue
            called = spec_of(rules, standing) if standing.called else None
            law = law_of(rules, bet.wager, standing.paytable, stake, bet.kind in OWN, standing.state, called)
            self._expect(bet.id, stake, law.expected)
            moved = law.after - law.expected
            thrown.stake(rules.wagers[bet.wager].family, moved, float(moved[place]))
        thrown.count(*self._books(entry))

    def _expect(self, bet: int, stake: int, expected: float) -> None:
        """Update the expected result of a bet; a raise counts from now on, a part that is taken off no longer."""
        before, theory = (0, 0.0) if bet in self._again else self._expected.get(bet, (0, 0.0))
        self._again.discard(bet)
        if stake > before:
            theory += expected * (stake - before) / stake
        else:
            theory *= stake / before
        self._expected[bet] = stake, theory

    def _ended(self, entry: Entry, before: Table, lines: Iterable[e.Line]) -> None:
        counted = [line for line in lines if line.honoured]
        for line in counted:
            family = before.rules.wagers[line.wager].family
            _, theory = self._expected.get(line.bet, (0, 0.0))
            if line.stays:
                self._again.add(line.bet)
            _count(self._books(entry), family, line.honoured, -(line.net + line.envy), theory)
        self._remember(before.round.number, counted)

    def _void(self, entry: Entry, before: Table, event: e.RoundVoided) -> None:
        if self._thrown is not None and before.round.entered:
            self._thrown.take_back()
            self._thrown = None
        self._undo_lines(entry, before, event.undone)

    def _undo_lines(self, entry: Entry, before: Table, lines: Iterable[e.Line]) -> None:
        for line in lines:
            family = before.rules.wagers[line.wager].family
            _, theory = self._expected.get(line.bet, (0, 0.0))
            self._again.discard(line.bet)
            _count(self._books(entry), family, -line.honoured, line.net + line.envy, -theory)

    # -- both

    def _remember(self, number: int, lines: Iterable[e.Line]) -> None:
        self._settled[number] = self._by_family(lines, self._settled.get(number, {}))
        while len(self._settled) > ROUNDS_MAX:
            del self._settled[next(iter(self._settled))]

    def _resettled(self, entry: Entry, event: e.Resettled) -> None:
        """Count the difference that other dice make."""
        now = self._by_family(event.lines, {})
        before = self._settled.get(event.round, now)
        self._settled[event.round] = now
        for family in {*now, *before}:
            change = now.get(family, 0) - before.get(family, 0)
            for book in self._books(entry):
                for tally in book.tallies(family):
                    tally.won += change
                    tally.drift = tally.drift.correct_result(change)

    def _by_family(self, lines: Iterable[e.Line], so_far: dict[str, int]) -> dict[str, int]:
        won, wagers = dict(so_far), self._table.rules.wagers
        for line in lines:
            family = wagers[line.wager].family
            won[family] = won.get(family, 0) - line.net - line.envy
        return won


def _count(books: Iterable[DayBook], family: str, wagered: int, won: int, theory: float) -> None:
    for book in books:
        for tally in book.tallies(family):
            tally.count(wagered, won, theory)
