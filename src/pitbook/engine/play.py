"""A few bets and a few rolls, played through from a new shooter's come-out: what a desk calculation needs.

The live table has its own commands and events; this is for the command line, notebooks and tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pitbook.engine.progress import Progress, advance, check_roll, fresh, lammers
from pitbook.engine.settle import Settlement, check_stake, settle
from pitbook.engine.windows import window_closed
from pitbook.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pitbook.dice import Roll
    from pitbook.money import Cents
    from pitbook.rulebooks.model import Rulebook


@dataclass(frozen=True, slots=True)
class Bet:
    """A stake on a wager, made before a roll (the first is 1)."""

    wager: str
    stake: Cents
    before_roll: int = 1
    paytable: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a bet came out: settled by some roll, or still running."""

    bet: Bet
    settlement: Settlement | None
    decided_by_roll: int | None

    @property
    def result(self) -> str:
        """ "win", "lose", "push" or "running"."""
        return self.settlement.result if self.settlement else "running"

    @property
    def net(self) -> int:
        """What the player gains; 0 while it runs."""
        return self.settlement.net if self.settlement else 0


@dataclass(frozen=True, slots=True)
class Played:
    """The bets' outcomes in the order given, and how the table stands after the last roll."""

    outcomes: tuple[Outcome, ...]
    progress: Progress
    lammers: Mapping[str, Any]

    @property
    def net(self) -> int:
        """What the player gains over all bets."""
        return sum(outcome.net for outcome in self.outcomes)


def play(book: Rulebook, bets: Sequence[Bet], rolls: Sequence[Roll]) -> Played:
    """Plays the rolls in order; each bet is made before its roll, in its window, or refused with the clause."""
    for bet in bets:
        wager = book.wager(bet.wager)
        book.paytable(wager, bet.paytable)
        check_stake(book, wager, bet.stake)
        if bet.before_roll not in range(1, len(rolls) + 2):
            count = "1 roll is" if len(rolls) == 1 else f"{len(rolls)} rolls are"
            raise InputError(f"{bet.wager} before roll {bet.before_roll}: only {count} given")
    for roll in rolls:
        check_roll(book, roll)
    progress = fresh(book)
    running: dict[int, Bet] = {}
    outcomes: dict[int, Outcome] = {}
    for number in range(1, len(rolls) + 2):
        for index, bet in enumerate(bets):
            if bet.before_roll == number:
                closed = window_closed(book, progress, book.wagers[bet.wager])
                if closed:
                    raise InputError(f"before roll {number}, {closed}")
                running[index] = bet
        if number > len(rolls):
            break
        step = advance(book, progress, rolls[number - 1])
        progress = step.progress
        for index, bet in list(running.items()):
            row = step.ended.get(bet.wager)
            if row is not None:
                settled = settle(book, book.wagers[bet.wager], bet.stake, row, bet.paytable)
                outcomes[index] = Outcome(running.pop(index), settled, number)
    outcomes |= {index: Outcome(bet, None, None) for index, bet in running.items()}
    in_order = tuple(outcomes[index] for index in range(len(bets)))
    return Played(in_order, progress, lammers(book, progress))
