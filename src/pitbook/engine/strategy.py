"""Ways to play craps: what a player bets before each roll, as data or as a function of the layout."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

from pitbook.engine.progress import Area, Progress
from pitbook.engine.settle import check_stake
from pitbook.engine.standing import Standing, bet_refused, most_stake, new_standing, roll_bets
from pitbook.errors import InputError, quoted
from pitbook.money import Cents
from pitbook.wager.hand import COME_OUT, Hand, hands
from pitbook.wager.hand import step as hand_step
from pitbook.wager.machine import machine_of

if TYPE_CHECKING:
    from pitbook.dice import Roll
    from pitbook.rulebooks.model import Rulebook

BETS_MAX = 40
"""A strategy that has more bets on the layout is a mistake."""


class Layout(NamedTuple):
    """The layout between rolls: the shooter's hand and one player's bets."""

    hand: Hand = COME_OUT
    bets: tuple[Standing, ...] = ()


@dataclass(frozen=True, slots=True)
class Wish:
    """A bet that a player wants to make."""

    wager: str
    stake: int


Strategy = Callable[[Layout], Sequence[Wish]]
"""The bets that a player makes on a layout. They must depend on nothing else, so that the game is a finite chain."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A bet that is made whenever the book allows it and fewer than `at_once` are up."""

    wager: str
    """A wager's id, or a family: then each of its selections."""
    stake: int | Literal["most"]
    """Minor units; "most" is all that the rule on odds allows."""
    at_once: int = 1
    """The most that may be up at once."""
    not_on_point: bool = False
    """Whether a number is left out while it is the point."""
    on: Literal["come-out", "point", "any roll"] = "any roll"
    """The rolls on which it is made."""


def strategy_of(book: Rulebook, rules: Sequence[Rule]) -> Strategy:
    """Return the strategy that follows rules in their order, each as often as it applies."""
    spread = [(rule, wager) for rule in rules for wager in _wagers(book, rule)]

    def follow(layout: Layout) -> list[Wish]:
        wishes: list[Wish] = []
        progress, standing = progress_on(book, layout.hand), list(layout.bets)
        for rule, wager_id in spread:
            wager = book.wagers[wager_id]
            if rule.on != "any roll" and (rule.on == "come-out") != layout.hand.come_out:
                continue
            if rule.not_on_point and wager.selection == str(layout.hand.point):
                continue
            if sum(bet.wager == wager_id for bet in standing) >= rule.at_once:
                continue
            stake = most_stake(progress, standing, wager) if rule.stake == "most" else rule.stake
            if stake < 1 or bet_refused(book, progress, standing, wager, Cents(stake)):
                continue
            wishes.append(Wish(wager_id, stake))
            standing.append(new_standing(progress, wager, Cents(stake)))
        return wishes

    return follow


def _wagers(book: Rulebook, rule: Rule) -> list[str]:
    found = [wager.id for wager in book.wagers.values() if rule.wager in (wager.id, wager.family)]
    if not found:
        book.wager(rule.wager)
    for wager_id in found:
        if book.wagers[wager_id].marked:
            raise InputError("engine.strategy-shared", wager=wager_id)
        if rule.stake == "most" and book.wagers[wager_id].tied is None:
            raise InputError("engine.strategy-untied", wager=wager_id, word=quoted("most"))
        if rule.stake != "most":
            check_stake(book, book.wagers[wager_id], Cents(rule.stake))
    return found


@lru_cache(maxsize=512)
def progress_on(book: Rulebook, hand: Hand) -> Progress:
    """Return a table without lammers on this hand."""
    place = hands(book.hand).index(hand)
    areas = {
        wager.id: Area(machine_of(wager.spec, book.dice).start(place))
        for wager in book.wagers.values()
        if not wager.marked
    }
    return Progress(hand, MappingProxyType(areas))


class Placed(NamedTuple):
    """A layout with the bets that a strategy has added, and what they cost."""

    layout: Layout
    staked: int
    more_from: int | None = None
    """The least cash that would cover a bet that was left out; None if none was."""


def place(book: Rulebook, strategy: Strategy, layout: Layout, cash: int | None = None) -> Placed:
    """Make the bets that a strategy wants, one after another; those that the cash does not cover are left out."""
    progress, standing, staked = progress_on(book, layout.hand), list(layout.bets), 0
    uncovered = []
    for wish in strategy(layout):
        wager = book.wager(wish.wager)
        if cash is not None and staked + wish.stake > cash:
            uncovered.append(staked + wish.stake)
            continue
        refused = bet_refused(book, progress, standing, wager, Cents(wish.stake))
        if refused:
            if cash is not None and wager.tied is not None:
                continue  # the bet in front of it was not covered
            raise InputError("engine.strategy-refused", reason=refused.with_grounds)
        check_stake(book, wager, Cents(wish.stake))
        standing.append(new_standing(progress, wager, Cents(wish.stake)))
        staked += wish.stake
    if len(standing) > BETS_MAX:
        raise InputError("engine.strategy-bets", count=len(standing), most=BETS_MAX)
    return Placed(Layout(layout.hand, tuple(sorted(standing, key=_order))), staked, min(uncovered, default=None))


class Rolled(NamedTuple):
    """The layout after a roll, the amount paid out, and the stakes of winning bets that stay up."""

    layout: Layout
    paid: int
    """Stakes that came back, with winnings."""
    stayed: int
    """Stakes that won and stayed up: they are bet again."""


def roll_on(book: Rulebook, layout: Layout, roll: Roll) -> Rolled:
    """Roll the dice on a layout."""
    hand = hand_step(layout.hand, roll.total, book.hand)[0]
    left, paid, stayed = [], 0, 0
    for bet, result in zip(layout.bets, roll_bets(book, progress_on(book, hand), layout.bets, roll), strict=True):
        if result.after is None:
            assert result.settlement is not None
            paid += bet.stake + result.settlement.net
            continue
        left.append(result.after)
        if result.settlement is not None:
            paid += result.settlement.net
            stayed += bet.stake
    return Rolled(Layout(hand, tuple(sorted(left, key=_order))), paid, stayed)


def _order(bet: Standing) -> tuple[object, ...]:
    return bet.wager, bet.stake, bet.state, bet.hand.point or 0, bet.called or ""
