"""Liability of the bets on a layout, for the house and each player, updated incrementally."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

import numpy as np

from pitbook.dice import Roll, rolls
from pitbook.engine.analyse import analyse
from pitbook.engine.bank import Bank
from pitbook.engine.settle import envy_of, settle
from pitbook.engine.standing import roll_bet, spec_of
from pitbook.money import Cents
from pitbook.table.commands import OWN
from pitbook.table.limits import honoured
from pitbook.table.standing import standing_of
from pitbook.table.state import paytable_of, row_of
from pitbook.wager.hand import COME_OUT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    from pitbook.engine.standing import Standing
    from pitbook.rulebooks.model import Rulebook
    from pitbook.table.bets import Bets
    from pitbook.table.commands import Setup
    from pitbook.table.state import Bet, Table

Total = TypeVar("Total")
Live = list[tuple["Bet", int]]
"""Bets that a throw could still decide, with what of them counts."""

TABLES_MAX = 256
"""The maximum number of tables followed at the same time."""
BANKS_MAX = 64


class _Known(NamedTuple, Generic[Total]):
    setup: Setup | None
    areas: object
    ended: object
    decided: object
    bets: Bets
    total: Total


class _Following(Generic[Total]):
    """A sum over the bets of a table, updated from the previous one if only bets have changed since."""

    def __init__(self, summed: Callable[[Table, Live], Total], both: Callable[[Total, Total, int], Total]) -> None:
        self._summed = summed
        self._both = both
        self._known: OrderedDict[tuple[str, bool], _Known[Total]] = OrderedDict()

    def total(self, table: Table, *, booked: bool) -> Total:
        """Return the sum; with `booked`, bets that are not confirmed yet count, too."""
        key, bets, ended, decided = (table.id, booked), table.bets, table.round.ended, table.round.decided
        known = self._known.get(key)
        total = None
        same = known is not None and (known.ended, known.decided) == (ended, decided)
        if known and same and known.setup is table.setup and known.areas is table.areas:
            gone, come = bets.since(known.bets)
            ruled = table.round.rulings or table.round.taken  # what counts of one bet then depends on others
            if not (bets.found or known.bets.found or ruled or len(gone) + len(come) > len(bets) + 20):
                less, more = (self._summed(table, _live(table, part, booked=booked)) for part in (gone, come))
                total = self._both(self._both(known.total, less, -1), more, +1)
        if total is None:
            total = self._summed(table, _live(table, bets.values(), booked=booked))
        self._known[key] = _Known(table.setup, table.areas, ended, decided, bets, total)
        if len(self._known) > TABLES_MAX:
            self._known.popitem(last=False)
        return total


def _live(table: Table, bets: Iterable[Bet], *, booked: bool) -> Live:
    stakes = ((bet, bet.amount if booked and not bet.confirmed else honoured(table, bet)) for bet in bets)
    return [(bet, stake) for bet, stake in stakes if stake and row_of(table, bet) is None]


class Hand(NamedTuple):
    """The total possible cost of wagers over the rest of a hand."""

    most: int
    mean: Fraction


class Prospect(NamedTuple):
    """The most that a player's own bets could win together, and the throw on which they do."""

    most: int
    roll: Roll | None
    """None over the rest of a hand, and without bets."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """The house's possible loss in minor units: payouts and the dealers' envy, less the stakes it keeps.

    Wagers that the last roll has decided are left out: the next one changes nothing about them.
    """

    by_roll: Mapping[Roll, int]
    """The house's result on each possible throw: negative where it loses."""
    worst: Roll | None
    worst_result: int
    rest_of_hand_most: int
    """The most that the wagers could still cost, all together."""
    rest_of_hand_mean: Fraction
    """Their expected cost."""


class Liability:
    """The liability of bets. It remembers the last sum of each table, so keep one for all tables of a house."""

    def __init__(self) -> None:
        self._banks: dict[tuple[Rulebook, tuple[tuple[str, str], ...]], Bank] = {}
        self._bet_hand = lru_cache(maxsize=10_000)(_bet_hand)
        self._own_nets = lru_cache(maxsize=10_000)(_own_nets)
        self._throws: _Following[NDArray[np.int64]] = _Following(
            self._sum_by_roll, lambda one, other, sign: one + sign * other
        )
        self._hands: _Following[Hand] = _Following(
            self._sum_of_hand, lambda one, other, sign: Hand(one.most + sign * other.most, one.mean + sign * other.mean)
        )

    def costs_by_roll(self, table: Table, *, booked: bool = False) -> NDArray[np.int64]:
        """Return what each possible throw would cost, in the order of the rolls."""
        return self._throws.total(table, booked=booked)

    def costs_of_hand(self, table: Table, *, booked: bool = False) -> Hand:
        """Return what the rest of the hand would cost."""
        return self._hands.total(table, booked=booked)

    def worst_payout(self, table: Table) -> int:
        """Return the most that the wagers could cost the house, including booked ones; never negative.

        At Sic Bo on one throw; at craps over the rest of the hand, because a side bet that runs can no longer be
        refused.
        """
        if table.craps:
            return max(0, self.costs_of_hand(table, booked=True).most)
        return max(0, int(self.costs_by_roll(table, booked=True).max()))

    def exposure(self, table: Table) -> Exposure:
        """Return what each throw would cost, and the rest of the hand."""
        every = rolls(table.rules.dice)
        results = {roll: -cost for roll, cost in zip(every, self.costs_by_roll(table).tolist(), strict=True)}
        worst = min(results, key=lambda roll: results[roll])
        hand = self.costs_of_hand(table)
        live = any(row_of(table, bet) is None and honoured(table, bet) for bet in table.bets.values())
        return Exposure(results, worst if live else None, results[worst], hand.most, hand.mean)

    def prospect(self, table: Table, player: str) -> Prospect:
        """Return what a player could win: at Sic Bo on the next throw; at craps with each bet at its best."""
        own = [bet for bet in table.bets.of(player) if bet.kind in OWN]
        live = _live(table, own, booked=True)
        if not live:
            return Prospect(0, None)
        if table.craps:
            ends = (self._bet_hand(table.rules, standing_of(table, bet), stake, own=False) for bet, stake in live)
            return Prospect(sum(end.most for end in ends), None)
        nets = self._nets(table, live).sum(axis=1)
        best = int(nets.argmax())
        return Prospect(int(nets[best]), rolls(table.rules.dice)[best])

    def _sum_by_roll(self, table: Table, live: Live) -> NDArray[np.int64]:
        if not live:
            return np.zeros(len(rolls(table.rules.dice)), dtype=np.int64)
        envy = np.array([_envy(table, bet, stake) for bet, stake in live], dtype=np.int64)
        nets = self._nets(table, live)
        total: NDArray[np.int64] = (nets + envy * (nets > 0)).sum(axis=1)
        return total

    def _sum_of_hand(self, table: Table, live: Live) -> Hand:
        most, mean = 0, Fraction(0)
        for bet, stake in live:
            one = self._bet_hand(table.rules, standing_of(table, bet), stake, own=bet.kind in OWN)
            most, mean = most + one.most, mean + one.mean
        return Hand(most, mean)

    def _nets(self, table: Table, live: Live) -> NDArray[np.int64]:
        """Return what each bet would win on each roll."""
        rules = table.rules
        own = np.array([rules.wagers[bet.wager].own_state for bet, _ in live], dtype=np.bool_)
        shared = [one for one, apart in zip(live, own, strict=True) if not apart]
        bank = self._bank(table)
        places = np.array([bank.place(bet.wager, table.areas[bet.wager][0]) for bet, _ in shared], dtype=np.intp)
        nets = bank.nets(places, np.array([stake for _, stake in shared], dtype=np.int64))
        if not own.any():
            return nets
        every = np.zeros((len(rolls(rules.dice)), len(live)), dtype=np.int64)
        every[:, ~own] = nets
        for place in np.flatnonzero(own):
            bet, stake = live[place]
            every[:, place] = self._own_nets(rules, standing_of(table, bet), stake)
        return every

    def _bank(self, table: Table) -> Bank:
        assert table.setup is not None
        rules, chosen = table.rules, tuple(sorted(table.setup.paytables.items()))
        found = self._banks.get((rules, chosen))
        if found is None:
            if len(self._banks) >= BANKS_MAX:
                self._banks.clear()
            tables = {wager: paytable_of(table, wager) for wager in rules.wagers}
            found = Bank(rules, {wager: name for wager, name in tables.items() if name})
            self._banks[rules, chosen] = found
        return found


def _envy(table: Table, bet: Bet, stake: int) -> int:
    """Return what the dealers get if the bet wins."""
    return envy_of(table.rules, table.rules.wagers[bet.wager], Cents(stake)) if bet.kind in OWN else 0


def _own_nets(rules: Rulebook, bet: Standing, stake: int) -> NDArray[np.int64]:
    """Return what a bet with its own state would win on each roll."""
    ends = (roll_bet(rules, replace(bet, stake=Cents(stake)), roll, COME_OUT) for roll in rolls(rules.dice))
    return np.array([end.settlement.net if end.settlement else 0 for end in ends], dtype=np.int64)


def _bet_hand(rules: Rulebook, bet: Standing, stake: int, *, own: bool) -> Hand:
    """Return what a bet could cost over all ways in which it can end from here; one that stays up counts once."""
    wager = replace(rules.wagers[bet.wager], spec=spec_of(rules, bet))
    pays = bet.paytable
    envy = envy_of(rules, wager, Cents(stake)) if own else 0
    most, mean = None, Fraction(0)
    for end in analyse(rules, wager, pays, state=bet.state).ends:
        net = settle(rules, wager, Cents(stake), end.row, pays).net
        cost = net + (envy if net > 0 else 0)
        mean += cost * end.probability
        if end.probability:
            most = cost if most is None else max(most, cost)
    assert most is not None
    return Hand(most, mean)
