"""A scenario prepared for the loop: areas, players and plans as rows of integers, players seated at tables."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from pitbook.dice import rolls, throws
from pitbook.engine.progress import Area, Progress, is_clear
from pitbook.engine.settle import envy_of
from pitbook.errors import InputError
from pitbook.money import Cents, Favour
from pitbook.rulebooks.wagers import LOSE_ROW, WIN_ROW
from pitbook.simulation.compiled import load_kernel
from pitbook.simulation.fields import (
    AREA,
    BET,
    PLAN_FLAT,
    PLAN_LIST,
    PLAN_PROGRESSION,
    PLAN_UNTIL_WON,
    PLAYER,
    allocate_buffers,
    rest_min,
)
from pitbook.simulation.joint import throw_columns
from pitbook.simulation.night_result import NightResult
from pitbook.wager.hand import COME_OUT, HANDS
from pitbook.wager.hand import step as hand_step
from pitbook.wager.machine import machine_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Wager
    from pitbook.simulation.scenario import Plan, Scenario

    Numbers = NDArray[np.int64]

SCHEME = 1
"""The version of the scheme, changed whenever the same seed gives other numbers."""
SAMPLES = 64
"""Points of a bankroll through the night."""
FAN_CELLS_MAX = 4_000_000
CHUNKS = 100
"""About how many parts a long run is cut into."""
PLANS = {
    "flat": PLAN_FLAT,
    "list": PLAN_LIST,
    "until won": PLAN_UNTIL_WON,
    "progression": PLAN_PROGRESSION,
}
_VALUE_MAX = 2**62


@dataclass(frozen=True, eq=False)
class Night:
    """A night to play many times: everything that another process needs, without the book."""

    book: str
    decimals: int
    currency: str
    nights: int
    hours: float
    tables: int
    rolls: int
    """Rolls of a table in a night, before the last bets are played out."""
    hour_rolls: float
    seed: int
    groups: tuple[str, ...]
    group_of: Numbers
    """Each player's group; players at one table are adjacent."""
    rows: tuple[tuple[str, str], ...]
    """Every end that is counted: the wager, and the row."""
    throws: int
    data: Numbers
    areas: Numbers
    players: Numbers
    bets: Numbers
    hand_steps: int
    table_first: int
    fans: Numbers
    """The players whose bankroll is followed through the night."""

    @property
    def samples(self) -> int:
        """Points of each followed bankroll, besides the last."""
        return min(SAMPLES, self.rolls)

    @property
    def whole_hours(self) -> int:
        """Hours begun; the last may be incomplete."""
        return ceil(self.hours)

    @property
    def money(self) -> Numbers:
        """Each player's bankroll at the start."""
        return self.players.reshape(-1, PLAYER)[:, 0]

    @property
    def blocks(self) -> int:
        """The number of blocks; a block is a night."""
        return self.nights

    @property
    def units(self) -> int:
        """The unit of progress: nights."""
        return self.nights

    def units_of(self, _first: int, count: int) -> int:
        """Return the number of nights."""
        return count

    @property
    def chunk(self) -> int:
        """The nights of a chunk."""
        work = max(1, self.rolls * (self.tables * len(self.areas) // AREA + 2 * len(self.bets) // BET))
        return max(1, min(-(-self.nights // CHUNKS), 50_000_000 // work))

    @property
    def empty(self) -> NightResult:
        """An empty result."""
        return NightResult.none(len(self.group_of), self.whole_hours, len(self.fans), self.samples + 1, len(self.rows))

    def restored(self, arrays: Mapping[str, Numbers]) -> NightResult:
        """Return the result of a checkpoint."""
        return NightResult(**{name: arrays[name] for name in NightResult.__dataclass_fields__})

    @cached_property
    def identity(self) -> str:
        """A fingerprint of everything that the result depends on."""
        numbers = (SCHEME, self.book, self.nights, self.hours, self.tables, self.rolls, self.hour_rolls, self.seed)
        found = hashlib.sha256(repr((numbers, self.groups, self.rows)).encode())
        for array in (self.group_of, self.data, self.areas, self.players, self.bets, self.fans):
            found.update(array.tobytes())
        return found.hexdigest()

    def warm_up(self) -> None:
        """Compile what `run` needs."""
        load_kernel("play_nights")

    def run(self, first: int, count: int) -> NightResult:
        """Play a number of nights, starting with a given one."""
        players, bets, areas = len(self.group_of), len(self.bets) // BET, len(self.areas) // AREA
        nets, staked, ruined = (np.zeros((count, players), np.int64) for _ in range(3))
        hourly, handle = (np.zeros((count, self.whole_hours), np.int64) for _ in range(2))
        fan = np.zeros((count, len(self.fans), self.samples + 1), np.int64)
        ends, totals = np.zeros(len(self.rows), np.int64), np.zeros(3, np.int64)
        numbers = [count, self.tables, self.rolls, max(1, round(self.hour_rolls)), areas, players, bets, self.throws]
        numbers += [rest_min(self.throws), self.whole_hours, self.hand_steps, self.samples, len(self.fans)]
        rolled = load_kernel("play_nights")(
            self.seed,
            first,
            np.array([*numbers, self.table_first]),
            self.data,
            self.areas,
            self.players,
            self.bets,
            self.fans,
            nets,
            staked,
            ruined,
            hourly,
            handle,
            fan,
            ends,
            totals,
            np.zeros(4 * areas + 3 * bets + 3 * players, np.int64),
            *allocate_buffers(),
        )
        return NightResult(
            numbers=np.arange(first, first + count),
            nets=nets,
            staked=staked,
            ruined=ruined,
            hourly=hourly,
            handle=handle,
            fan=fan,
            ends=ends,
            bets=totals[:1],
            largest=totals[1:2],
            envy=totals[2:],
            rolls=np.array([rolled]),
        )


class _Data:
    """Small tables, one after the other."""

    def __init__(self) -> None:
        self.values: list[int] = []

    def put(self, values: Sequence[int]) -> int:
        """Append values; return where they begin."""
        at = len(self.values)
        self.values += values
        return at


def seat(scenario: Scenario, seed: int | None = None) -> Night:
    """Return a scenario as arrays, optionally with another seed."""
    text, rules = scenario.text, scenario.rules
    chosen = text.seed if seed is None else seed
    if not 0 <= chosen < 2**64:
        raise InputError("simulation.seed", seed=chosen)
    data = _Data()
    named = list(dict.fromkeys(plan.wager for players in text.players for plan in players.bets))
    watched = [other for wager in named for other in _watched_areas(rules.wagers[wager])]
    wagers = [rules.every[wager_id] for wager_id in dict.fromkeys([*named, *watched])]
    place = {wager.id: index for index, wager in enumerate(wagers)}
    rows: list[tuple[str, str]] = []
    areas: list[int] = []
    for wager in wagers:
        areas += _area(scenario, wager, place, data, len(rows))
        rows += [(wager.id, row) for row in machine_of(wager.spec, rules.dice).ends]
    kinds = [group for group, players in enumerate(text.players) for _ in range(players.count)]
    order = sorted(range(len(kinds)), key=lambda player: (player % text.tables, player))
    seats = [0] * (text.tables + 1)
    for player in order:
        seats[player % text.tables + 1] += 1
    players: list[int] = []
    bets: list[int] = []
    plans = [[_plan(scenario, plan, place, data) for plan in group.bets] for group in text.players]
    for player in order:
        group = text.players[kinds[player]]
        money = int(scenario.cents(group.bankroll))
        low = money - scenario.cents(group.stop_loss) if group.stop_loss is not None else -1
        high = money + scenario.cents(group.stop_win) if group.stop_win is not None else _VALUE_MAX
        first = len(bets) // BET
        for plan in plans[kinds[player]]:
            bets += plan
        players += [money, low, high, first, len(bets) // BET]
    group_of = np.array([kinds[player] for player in order])
    night_rolls = max(1, round(text.hours * text.rolls_per_hour))
    hand_steps, table_first = data.put(_hand_steps(rules)), data.put(np.cumsum(seats).tolist())
    return Night(
        rules.id,
        rules.decimals,
        rules.identity.currency,
        text.nights,
        text.hours,
        text.tables,
        night_rolls,
        text.rolls_per_hour,
        chosen,
        tuple(players.name for players in text.players),
        group_of,
        tuple(rows),
        throws(rules.dice),
        np.array(data.values),
        np.array(areas),
        np.array(players),
        np.array(bets),
        hand_steps,
        table_first,
        _followed_players(group_of, len(text.players), text.nights * (min(SAMPLES, night_rolls) + 1)),
    )


def _followed_players(group_of: Numbers, groups: int, cells: int) -> Numbers:
    """Return the first few players of each group, as many as memory allows; at least one."""
    each = max(1, FAN_CELLS_MAX // cells // groups)
    return np.sort(np.concatenate([np.flatnonzero(group_of == group)[:each] for group in range(groups)]))


def _watched_areas(wager: Wager) -> list[str]:
    """Return the areas whose marks close its window."""
    if wager.window is None or wager.window.clear == "none":
        return []
    return [wager.id] if wager.window.clear == "own" else list(wager.window.clear)


def _hand_steps(rules: Rulebook) -> list[int]:
    """Return [hand, cell] -> the next hand; without hands there is one."""
    count = throws(rules.dice)
    if rules.identity.game != "craps":
        return [0] * count
    totals = np.indices((6,) * rules.dice).reshape(rules.dice, -1).sum(axis=0) + rules.dice
    by_total = {roll.total for roll in rolls(rules.dice)}
    after = {(hand, total): HANDS.index(hand_step(hand, total)[0]) for hand in HANDS for total in by_total}
    return [after[hand, total] for hand in HANDS for total in totals.tolist()]


def _area(scenario: Scenario, wager: Wager, place: Mapping[str, int], data: _Data, first_end: int) -> list[int]:
    rules, machine = scenario.rules, machine_of(wager.spec, scenario.rules.dice)
    pays = wager.pays[rules.paytable(wager, scenario.text.paytables.get(wager.id))]
    gains = [pays[row].gain for row in machine.ends]
    if max(abs(gain.numerator) for gain in gains) * _most_staked(scenario, wager) >= _VALUE_MAX:
        raise InputError("simulation.stakes-of-wager", wager=wager.id)
    cap = wager.limits.payoff_max if wager.limits else None
    envy_one, envy_two = (int(envy_of(rules, wager, Cents(stake))) for stake in (1, 2))
    times = envy_two - envy_one
    window = wager.window
    return [
        data.put(machine.table.reshape(-1).tolist()),
        machine.table.shape[1],
        machine.size,
        data.put([machine.start(hand) for hand in range(len(HANDS))]),
        data.put(throw_columns(machine).tolist()),
        data.put(_unmarked(rules, wager, machine.size)),
        machine.ends.index(WIN_ROW) if WIN_ROW in machine.ends and not wager.one_roll else -1,
        machine.ends.index(LOSE_ROW) if LOSE_ROW in machine.ends else -1,
        int(wager.after_win == "wait for a seven"),
        int(window is not None and window.rolls == "come-out"),
        data.put([place[other] for other in _watched_areas(wager) if other in place]),
        sum(other in place for other in _watched_areas(wager)),
        data.put([part for gain in gains for part in (gain.numerator, gain.denominator)]),
        int(rules.favour is Favour.PLAYER),
        int(rules.cents(cap)) if cap else _VALUE_MAX,
        first_end,
        envy_one - times,
        times,
    ]


def _unmarked(rules: Rulebook, wager: Wager, size: int) -> list[int]:
    """Return, for each state, whether no lammer is on the area."""
    if wager.one_roll:
        return [1] * size
    return [int(is_clear(rules, Progress(COME_OUT, {wager.id: Area(state)}), wager)) for state in range(size)]


def _most_staked(scenario: Scenario, wager: Wager) -> int:
    amounts = [1]
    for players in scenario.text.players:
        for plan in players.bets:
            if plan.wager == wager.id:
                amounts += [scenario.cents(a) for a in (plan.stake, plan.limit, *(plan.stakes or ())) if a is not None]
    return max(amounts)


def _plan(scenario: Scenario, plan: Plan, place: Mapping[str, int], data: _Data) -> list[int]:
    stakes = [int(scenario.cents(stake)) for stake in (*(plan.stakes or ()), plan.stake) if stake is not None]
    factor = Fraction(str(plan.factor)) if plan.factor is not None else Fraction(1)
    _, greatest = scenario.stake_limits(scenario.rules.wagers[plan.wager])
    limit = min(greatest, scenario.cents(plan.limit)) if plan.limit is not None else greatest
    if limit * factor.numerator >= _VALUE_MAX:
        raise InputError("simulation.factor", factor=plan.factor, wager=plan.wager)
    return [
        place[plan.wager],
        PLANS[plan.plan],
        data.put(stakes),
        len(stakes),
        factor.numerator,
        factor.denominator,
        limit,
        int(plan.after == "win"),
    ]
