"""A few bets and a few rolls, played through from a new shooter's come-out: what a desk calculation needs.

The live table has its own commands and events; this is for the command line, notebooks and tests.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from pitbook.engine import standing as on_layout
from pitbook.engine.progress import Progress, advance, check_roll, initial_progress, lammers
from pitbook.engine.settle import Settlement, check_stake
from pitbook.errors import InputError
from pitbook.messages import Message
from pitbook.results import Result, Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pitbook.dice import Roll
    from pitbook.engine.standing import Called, Standing
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
class Act:
    """Something done to every standing bet on a wager before a roll: taken down, or called on or off."""

    what: Literal["take down", "on", "off"]
    wager: str
    before_roll: int = 1


@dataclass(frozen=True, slots=True, repr=False)
class Outcome(Result):
    """The outcome of a bet: settled by some roll, taken down, or still running."""

    bet: Bet
    settlement: Settlement | None
    """The one that ended it."""
    decided_by_roll: int | None
    paid: tuple[Settlement, ...] = ()
    """Earlier wins after which it stayed up."""
    taken_down: int | None = None
    """The roll before which it was taken down."""
    standing: Standing | None = None
    """The bet on the layout while it runs."""

    @property
    def result(self) -> str:
        """Return "win", "lose", "push", "taken-down" or "running"."""
        if self.taken_down is not None:
            return "taken-down"
        return self.settlement.result if self.settlement else "running"

    @property
    def net(self) -> int:
        """Return what the player has gained so far; the stake of a running bet is not counted."""
        return sum(one.net for one in (*self.paid, *([self.settlement] if self.settlement else [])))

    def __repr__(self) -> str:
        return f"<{self.bet.wager} {self.result}, {self.net:+,}>"

    def rows(self) -> list[Row]:
        """Return one row."""
        row = {"wager": self.bet.wager, "stake": self.bet.stake, "before_roll": self.bet.before_roll}
        return [row | {"result": self.result, "decided_by_roll": self.decided_by_roll, "net": self.net}]


@dataclass(frozen=True, slots=True, repr=False)
class Played(Result):
    """The bets' outcomes in the order given, and the table after the last roll."""

    outcomes: tuple[Outcome, ...]
    progress: Progress
    lammers: Mapping[str, Any]

    @property
    def net(self) -> int:
        """Return what the player gains over all bets."""
        return sum(outcome.net for outcome in self.outcomes)

    def __repr__(self) -> str:
        return f"<Played {len(self.outcomes)} {'bet' if len(self.outcomes) == 1 else 'bets'}: {self.net:+,}>"

    def rows(self) -> list[Row]:
        """Return one row for each bet."""
        return [row for outcome in self.outcomes for row in outcome.rows()]


def play(book: Rulebook, bets: Sequence[Bet], rolls: Sequence[Roll], acts: Sequence[Act] = ()) -> Played:
    """Play the rolls in order; each bet is made before its roll, or refused with the clause and nothing is settled.

    Before a roll bets are first taken down, then made, then called on or off.
    """
    for bet in bets:
        wager = book.wager(bet.wager)
        book.paytable(wager, bet.paytable)
        check_stake(book, wager, bet.stake)
    dated: list[Bet | Act] = [*bets, *acts]
    for done in dated:
        book.wager(done.wager)
        if done.before_roll not in range(1, len(rolls) + 2):
            count = Message("errors.engine.only-rolls", {"count": len(rolls)})
            raise InputError("engine.too-few-rolls", wager=done.wager, roll=done.before_roll, count=count)
    called: dict[tuple[str, int], str] = {}
    for act in acts:
        if act.what != "take down" and called.setdefault((act.wager, act.before_roll), act.what) != act.what:
            raise InputError("engine.on-and-off", wager=act.wager, roll=act.before_roll)
    for roll in rolls:
        check_roll(book, roll)
    progress = initial_progress(book)
    outcomes = {index: Outcome(bet, None, None) for index, bet in enumerate(bets)}
    for number in range(1, len(rolls) + 2):
        for act in acts:
            if act.before_roll == number and act.what == "take down":
                _take_down(book, progress, outcomes, act)
        for index, bet in enumerate(bets):
            if bet.before_roll == number:
                wager = book.wagers[bet.wager]
                standing = [found for _, found in _running(outcomes)]
                refused = on_layout.bet_refused(book, progress, standing, wager, bet.stake)
                if refused:
                    raise InputError("engine.before-roll", roll=number, reason=refused.with_grounds)
                made = on_layout.new_standing(progress, wager, bet.stake, bet.paytable)
                outcomes[index] = replace(outcomes[index], standing=made)
        for act in acts:
            if act.before_roll == number and act.what != "take down":
                _call(book, progress, outcomes, act, act.what)
        if number > len(rolls):
            break
        roll = rolls[number - 1]
        progress = advance(book, progress, roll).progress
        running = list(_running(outcomes))
        results = on_layout.roll_bets(book, progress, [bet for _, bet in running], roll)
        for (index, _), result in zip(running, results, strict=True):
            before = outcomes[index]
            if result.after is None:
                outcomes[index] = replace(before, settlement=result.settlement, decided_by_roll=number, standing=None)
            else:
                paid = (*before.paid, result.settlement) if result.settlement else before.paid
                outcomes[index] = replace(before, paid=paid, standing=result.after)
    return Played(tuple(outcomes.values()), progress, lammers(book, progress))


def _running(outcomes: Mapping[int, Outcome]) -> Iterable[tuple[int, Standing]]:
    return [(index, outcome.standing) for index, outcome in outcomes.items() if outcome.standing is not None]


def _standing_on(outcomes: Mapping[int, Outcome], act: Act) -> list[tuple[int, Standing]]:
    found = [(index, bet) for index, bet in _running(outcomes) if bet.wager == act.wager]
    if not found:
        raise InputError(
            "engine.no-bet-to", roll=act.before_roll, wager=act.wager, act=Message(f"errors.engine.{_DONE[act.what]}")
        )
    return found


_DONE = {"take down": "taken-down", "on": "called-on", "off": "called-off"}


def _take_down(book: Rulebook, progress: Progress, outcomes: dict[int, Outcome], act: Act) -> None:
    for index, bet in _standing_on(outcomes, act):
        refused = on_layout.take_down_refused(book, progress, bet)
        if refused:
            raise InputError("engine.before-roll", roll=act.before_roll, reason=refused.with_grounds)
        outcomes[index] = replace(outcomes[index], standing=None, taken_down=act.before_roll)
    standing = [bet for _, bet in _running(outcomes)]
    for index, bet in _running(outcomes):
        if on_layout.is_orphaned(book, progress, standing, bet):
            outcomes[index] = replace(outcomes[index], standing=None, taken_down=act.before_roll)


def _call(book: Rulebook, progress: Progress, outcomes: dict[int, Outcome], act: Act, how: Called) -> None:
    for index, bet in _standing_on(outcomes, act):
        refused = on_layout.call_refused(book.wagers[bet.wager], how)
        if refused:
            raise InputError("engine.before-roll", roll=act.before_roll, reason=refused.with_grounds)
        outcomes[index] = replace(outcomes[index], standing=on_layout.call(book, progress, bet, how))
