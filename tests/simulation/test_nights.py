"""A simulated night is the engine's own: the same dice, played again with `engine`, give the same money to the cent."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice

import numpy as np
import pytest

from pitbook.dice import Roll
from pitbook.engine.progress import advance, initial_progress
from pitbook.engine.settle import settle
from pitbook.engine.windows import window_closed
from pitbook.money import Cents
from pitbook.simulation.scenario import Plan, Scenario, read_scenario
from pitbook.simulation.seating import Night, seat
from pitbook.simulation.summary import night_data, summarise
from tests.simulation.nights import SCENARIO
from tests.simulation.reference import cells


@dataclass
class Seat:
    """One plan of one player."""

    plan: Plan
    next: int
    running: int = 0
    place: int = 0


@dataclass
class Player:
    group: int
    money: int
    seats: list[Seat]
    gone: bool = False
    ruined: int = -1
    staked: int = 0
    start: int = field(init=False)

    def __post_init__(self) -> None:
        self.start = self.money

    @property
    def out(self) -> int:
        return sum(seat.running for seat in self.seats)


def rolls_of(night: Night, number: int, table: int) -> list[Roll]:
    dice = 2 if night.throws == 36 else 3
    found = []
    for cell in islice(cells(night.seed, number * night.tables + table, night.throws), night.rolls + 2000):
        faces = [cell // 6**place % 6 + 1 for place in range(dice)]
        found.append(Roll.of(*faces))
    return found


def played(scenario: Scenario, night: Night, number: int, table: int) -> list[Player]:
    """One table's night, by the engine, slowly."""
    rules, text = scenario.rules, scenario.text
    kinds = [group for group, players in enumerate(text.players) for _ in range(players.count)]
    players = []
    for index in range(table, len(kinds), text.tables):
        group = text.players[kinds[index]]
        seats = [Seat(plan, scenario.cents(plan.stakes[0] if plan.stakes else plan.stake or 0)) for plan in group.bets]
        players.append(Player(kinds[index], scenario.cents(group.bankroll), seats))
    progress = initial_progress(rules)
    for number_of_roll, roll in enumerate(rolls_of(night, number, table)):
        if number_of_roll < night.rolls:
            for player in players:
                bet(scenario, progress, player, number_of_roll)
        elif not any(player.out for player in players):
            return players
        step = advance(rules, progress, roll)
        progress = step.progress
        for player in players:
            for one in player.seats:
                if one.running and one.plan.wager in step.ended:
                    pay(scenario, player, one, step.ended[one.plan.wager])
    raise AssertionError("the bets did not end")


def bet(scenario: Scenario, progress: object, player: Player, number: int) -> None:
    group = scenario.text.players[player.group]
    worth = player.money + player.out - player.start
    if group.stop_loss is not None and worth <= -scenario.cents(group.stop_loss):
        player.gone = True
    if group.stop_win is not None and worth >= scenario.cents(group.stop_win):
        player.gone = True
    if player.gone:
        return
    short = False
    for one in player.seats:
        closed = window_closed(scenario.rules, progress, scenario.rules.wagers[one.plan.wager])  # type: ignore[arg-type]
        if one.running or one.place < 0 or closed:
            continue
        if one.next > player.money:
            short = True
            continue
        one.running = one.next
        player.money -= one.next
        player.staked += one.next
    if short and not player.out:
        player.gone, player.ruined = True, number


def pay(scenario: Scenario, player: Player, one: Seat, row: str) -> None:
    plan, stake = one.plan, one.running
    net = settle(
        scenario.rules,
        scenario.rules.wagers[plan.wager],
        Cents(stake),
        row,
        scenario.text.paytables.get(plan.wager),
    ).net
    one.running = 0
    player.money += stake + net
    if plan.plan == "list":
        assert plan.stakes is not None
        one.place = (one.place + 1) % len(plan.stakes)
        one.next = scenario.cents(plan.stakes[one.place])
    elif plan.plan == "until won" and net > 0:
        one.place = -1
    elif plan.plan == "progression" and net != 0:
        assert plan.stake is not None
        assert plan.limit is not None
        if (net > 0) == (plan.after == "win"):
            one.next = min(int(stake * Fraction(str(plan.factor))), scenario.cents(plan.limit))
        else:
            one.next = scenario.cents(plan.stake)


OTHERS = {
    "rebet off": """
book = "dice-ology"
hours = 3
nights = 4
rolls_per_hour = 80
options = { rebet = "off" }
[[players]]
name = "all three"
count = 2
bankroll = 1000
bets = [
  { wager = "little-ones", stake = 10 },
  { wager = "big-ones", stake = "2.50" },
  { wager = "boom-or-bust", stake = 1 },
]
""",
    "rebet on": """
book = "dice-ology"
hours = 3
nights = 4
rolls_per_hour = 80
[[players]]
name = "all three"
count = 2
bankroll = 1000
bets = [
  { wager = "little-ones", stake = 10 },
  { wager = "big-ones", stake = "2.50" },
  { wager = "boom-or-bust", stake = 1 },
]
""",
    "sic bo": """
book = "singapore-mbs-sic-bo-v6"
hours = 2
nights = 3
rolls_per_hour = 40
tables = 2
[[players]]
name = "martingale"
count = 3
bankroll = 2000
bets = [
  { wager = "small", plan = "progression", stake = 5, factor = 2, limit = 640 },
  { wager = "three-from-four/1234", stake = 5 },
]
""",
}


@pytest.mark.parametrize("name", ["every plan", *OTHERS])
def test_a_night_is_what_the_engine_makes_of_the_same_dice(name: str) -> None:
    scenario = read_scenario(OTHERS.get(name, SCENARIO))
    night = seat(scenario)
    evening = night.run(0, night.nights)
    for number in range(night.nights):
        players = [player for table in range(night.tables) for player in played(scenario, night, number, table)]
        assert [player.group for player in players] == night.group_of.tolist()
        assert evening.nets[number].tolist() == [player.money - player.start for player in players]
        assert evening.staked[number].tolist() == [player.staked for player in players]
        assert evening.ruined[number].tolist() == [player.ruined for player in players]
    assert evening.ends.sum() == evening.bets[0] > 0
    assert evening.handle.sum() == evening.staked.sum()
    assert evening.hourly.sum() == -evening.nets.sum() - evening.envy[0]


def test_followed_bankrolls_begin_and_end_where_the_players_do() -> None:
    night = seat(read_scenario(SCENARIO))
    evening = night.run(0, night.nights)
    assert np.array_equal(evening.fan[:, :, 0], np.tile(night.money[night.fans], (night.nights, 1)))
    assert np.array_equal(evening.fan[:, :, -1], (evening.nets + night.money)[:, night.fans])


def test_the_figures_of_a_night_fit_together() -> None:
    night = seat(read_scenario(SCENARIO))
    evening = night.run(0, night.nights)
    found = summarise(night, evening)
    won = sum(group.mean * group.players for group in found.groups)
    assert found.house.mean == pytest.approx(-won - found.house.envy / night.nights)
    assert found.house.worst_ever == evening.hourly.min()
    for group in found.groups:
        assert group.worst <= group.percentiles[1] <= group.percentiles[50] <= group.percentiles[99] <= group.best
        assert group.worst >= -group.bankroll
    assert night_data(night, evening)["bets"] == found.bets


def test_a_progression_goes_no_further_than_the_house_allows() -> None:
    ruled = SCENARIO.replace("[[players]]", "[limits.roll-the-line]\ngreatest = 20\n\n[[players]]", 1)
    planned = SCENARIO.replace("limit = 80", "limit = 20")
    first, second = (seat(read_scenario(text)).run(0, 6).nets for text in (ruled, planned))
    assert np.array_equal(first, second)
    assert not np.array_equal(first, seat(read_scenario(SCENARIO)).run(0, 6).nets)


def test_nobody_loses_more_than_they_brought() -> None:
    night = seat(read_scenario(SCENARIO))
    assert (night.run(0, 200).nets + night.money >= 0).all()
