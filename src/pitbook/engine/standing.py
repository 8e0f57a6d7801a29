"""Bets on a craps layout: making, calling and taking them down, and what a roll does to each.

A bet has its own state in its wager's machine. Nothing here knows a particular bet: windows, limits, calls and
take-downs come from the book.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import floor
from typing import TYPE_CHECKING, Literal, NamedTuple

from pitbook.dice import Total, rolls
from pitbook.engine.settle import Settlement, settle
from pitbook.engine.windows import Closed, refusal, window_closed
from pitbook.messages import Money
from pitbook.money import PUSH, Cents
from pitbook.rulebooks.wagers import RETURN_ROW, Phases
from pitbook.wager.hand import COME_OUT, Hand, hands
from pitbook.wager.hand import step as hand_step
from pitbook.wager.machine import machine_of
from pitbook.wager.phases import called_on

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitbook.dice import Roll
    from pitbook.engine.progress import Progress
    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.text import Label
    from pitbook.rulebooks.wagers import Spec, Wager
    from pitbook.wager.machine import Machine

Called = Literal["on", "off"]


@dataclass(frozen=True, slots=True)
class Standing:
    """A bet between rolls."""

    wager: str
    stake: Cents
    state: int
    """Its state in its machine."""
    hand: Hand = COME_OUT
    """Its own hand, where it has its own point."""
    called: Called | None = None
    """The player's call; None while the book's rule decides whether it works."""
    paytable: str | None = None


@dataclass(frozen=True, slots=True)
class Rolled:
    """The effect of one roll on a bet."""

    settlement: Settlement | None
    after: Standing | None
    """The bet now; None once it has left the layout."""


def spec_of(book: Rulebook, bet: Standing) -> Spec:
    """Return what decides a bet, as it was called."""
    spec = book.wagers[bet.wager].spec
    return called_on(spec) if bet.called == "on" and isinstance(spec, Phases) else spec


def _machine(book: Rulebook, bet: Standing) -> Machine:
    return _machine_as_called(book, bet.wager, bet.called == "on")


@lru_cache(maxsize=1024)
def _machine_as_called(book: Rulebook, wager: str, on: bool) -> Machine:
    spec = book.wagers[wager].spec
    return machine_of(called_on(spec) if on and isinstance(spec, Phases) else spec, book.dice)


def bet_refused(
    book: Rulebook,
    progress: Progress,
    standing: Sequence[Standing],
    wager: Wager,
    stake: Cents,
    money: str | None = None,
) -> Closed | None:
    """Return why a bet cannot be made now, in the book's currency or another; None if it can."""
    closed = window_closed(book, progress, wager)
    room = _room(progress, standing, wager)
    if closed or room is None or wager.tied is None:
        return closed
    clauses = tuple(wager.tied.clause)
    if not room.flat:
        point = "none" if room.point is None or room.shooters else str(room.point)
        return Closed(refusal("no-parent", wager, parent=_parent_name(book, wager), point=point), clauses)
    total = room.standing + stake
    if total * room.share > room.multiple * room.flat:
        message = refusal(
            "over-odds",
            wager,
            multiple=room.multiple,
            parent=_parent_name(book, wager),
            flat=Money(room.flat, money or book.identity.currency),
            point=room.point,
            measure=wager.tied.measures,
        )
        return Closed(message, clauses)
    return None


def _parent_name(book: Rulebook, wager: Wager) -> Label:
    assert wager.tied is not None
    return book.family_name(wager.tied.parent)


class _Room(NamedTuple):
    """The limit of a tied bet."""

    point: int | None
    shooters: bool
    """Whether that is the shooter's point."""
    flat: int
    """The stakes of the bets behind which it may be placed."""
    multiple: int
    standing: int
    """The amount already placed."""
    share: Fraction
    """The part of a stake that the multiple limits: all of it, or the amount it would win."""


def _room(progress: Progress, standing: Sequence[Standing], wager: Wager) -> _Room | None:
    """Return what limits a bet that is tied to another; None for a bet that is not."""
    if wager.tied is None or not isinstance(wager.spec, Phases) or wager.spec.parent is None:
        return None
    tied, parent = wager.tied, wager.spec.parent
    point = progress.hand.point if parent.point is None else parent.point
    multiple = tied.multiple if isinstance(tied.multiple, int) else tied.multiple.get(str(point), 0)
    row = str(point) if str(point) in wager.rows else wager.rows[0]
    odds = wager.pays[wager.paytables[0]][row]
    return _Room(
        point,
        parent.point is None,
        sum(bet.stake for bet in _parents(progress, standing, wager)),
        multiple,
        sum(bet.stake for bet in standing if bet.wager == wager.id),
        Fraction(1) if tied.measures == "stake" else odds.gain + odds.commission,
    )


def most_stake(progress: Progress, standing: Sequence[Standing], wager: Wager) -> int:
    """Return the largest stake that may still be put on a tied bet; 0 where there is no room."""
    return max(0, _remaining_limit(progress, standing, wager))


def excess(progress: Progress, standing: Sequence[Standing], wager: Wager) -> int:
    """Return what of a tied bet its parents no longer allow; 0 where they allow all of it."""
    return max(0, -_remaining_limit(progress, standing, wager))


def _remaining_limit(progress: Progress, standing: Sequence[Standing], wager: Wager) -> int:
    room = _room(progress, standing, wager)
    return floor(room.multiple * room.flat / room.share) - room.standing if room else 0


def new_standing(progress: Progress, wager: Wager, stake: Cents, paytable: str | None = None) -> Standing:
    """Return a bet that has just been made."""
    return Standing(wager.id, stake, progress.areas[wager.id].state, paytable=paytable)


def standing_on(
    book: Rulebook,
    hand: Hand,
    wager: Wager,
    stake: Cents,
    point: int | None,
    called: Called | None,
    paytable: str | None,
) -> Standing:
    """Return a bet with its own state from what is recorded of it: its point and what was called.

    Its machine state follows from these and from the shooter's hand.
    """
    own = COME_OUT if point is None else Hand(Total(point))
    bet = Standing(wager.id, stake, 0, own, called, paytable)
    return replace(bet, state=_start(book, bet, hand) if own.come_out else _travelled(_machine(book, bet), own.point))


@lru_cache(maxsize=1024)
def _travelled(machine: Machine, point: int | None) -> int:
    """Return the state of a bet that has gone to its own point: a roll of that total leads there."""
    after = (machine.step(machine.start(), roll) for roll in rolls(machine.dice) if roll.total == point)
    return next(state for state in after if machine.end(state) is None)


def take_down_refused(book: Rulebook, progress: Progress, bet: Standing) -> Closed | None:
    """Return why a bet cannot be taken down now; None if it can."""
    wager = book.wagers[bet.wager]
    rule = wager.take_down
    if rule is None:
        reading = LOCKED if LOCKED in book.readings else None
        return Closed(refusal("locked", wager), () if reading else wager.clauses, reading)
    point = bet.hand.point if _own_point(wager) else progress.hand.point
    if rule.when == "any time" or (rule.when == "before a point" and point is None):
        return None
    message = refusal("never-down", wager) if rule.when == "never" else refusal("on-point", wager, point=point)
    return Closed(message, tuple(rule.clause))


LOCKED = "running-bets"
"""The reading by which running side bets are locked."""


def call_refused(wager: Wager, how: Called) -> Closed | None:
    """Return why bets on a wager cannot be called on or off; None if they can."""
    if wager.calls is None:
        return Closed(refusal("no-calls", wager, call=how), wager.clauses)
    return None


def call(book: Rulebook, progress: Progress, bet: Standing, how: Called) -> Standing:
    """Return the bet called on or off."""
    called = replace(bet, called=how)
    return replace(called, state=_start(book, called, progress.hand))


def is_orphaned(book: Rulebook, progress: Progress, standing: Sequence[Standing], bet: Standing) -> bool:
    """Return whether the bet that this one is tied to has left the layout."""
    wager = book.wagers[bet.wager]
    return wager.tied is not None and not _parents(progress, standing, wager)


def roll_bet(book: Rulebook, bet: Standing, roll: Roll, hand_after: Hand) -> Rolled:
    """Return what a roll does to one bet, ignoring its parent."""
    wager, machine = book.wagers[bet.wager], _machine(book, bet)
    if bet.called == "off":
        return Rolled(None, replace(bet, state=_start(book, bet, hand_after)))
    target = machine.step(bet.state, roll)
    row = machine.end(target)
    if row is None:
        hand = hand_step(bet.hand, roll.total, book.hand)[0] if _own_point(wager) else COME_OUT
        return Rolled(None, replace(bet, state=target, hand=hand))
    settlement = settle(book, wager, bet.stake, row, bet.paytable)
    if wager.after_win == "stays up" and settlement.odds.wins:
        return Rolled(settlement, replace(bet, state=_start(book, bet, hand_after)))
    return Rolled(settlement, None)


def roll_bets(book: Rulebook, progress_after: Progress, standing: Sequence[Standing], roll: Roll) -> list[Rolled]:
    """Return what a roll does to every bet, in their order; tied bets whose parents are gone are returned.

    A bet that travels to a number by this roll is not the parent of bets that were there before.
    """
    results = [roll_bet(book, bet, roll, progress_after.hand) for bet in standing]
    afters = [result.after for result in results]
    left = [after for bet, after in zip(standing, afters, strict=True) if after is not None and after.hand == bet.hand]
    for place, result in enumerate(results):
        if result.after is not None and is_orphaned(book, progress_after, left, result.after):
            bet = result.after
            results[place] = Rolled(returned(book, book.wagers[bet.wager], bet.stake, bet.paytable), None)
    return results


def returned(book: Rulebook, wager: Wager, stake: Cents, paytable: str | None = None) -> Settlement:
    """Return the settlement of a tied bet that is returned because its parent is gone."""
    table = book.paytable(wager, paytable)
    clauses = tuple(wager.tied.clause) if wager.tied else wager.clauses
    return Settlement(wager.id, stake, table, RETURN_ROW, PUSH, Cents(0), clauses)


def _parents(progress: Progress, standing: Sequence[Standing], wager: Wager) -> list[Standing]:
    """Return the bets behind which this one may be placed."""
    assert isinstance(wager.spec, Phases)
    parent = wager.spec.parent
    assert parent is not None
    found = [bet for bet in standing if bet.wager == parent.wager]
    if parent.point is None:
        return [] if progress.hand.come_out else found
    return [bet for bet in found if bet.hand.point == parent.point]


def _own_point(wager: Wager) -> bool:
    return isinstance(wager.spec, Phases) and wager.spec.own_point


def _start(book: Rulebook, bet: Standing, hand: Hand) -> int:
    return _machine(book, bet).start(hands(book.hand).index(hand))
