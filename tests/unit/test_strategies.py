"""Strategies at the craps table: exact figures of combinations, sessions, ruin, and the same bankroll as crapssim."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import crapssim
import pytest
from crapssim.bet import Come
from crapssim.strategy.odds import ComeOddsMultiplier, DontPassOddsMultiplier, PassLineOddsMultiplier
from crapssim.strategy.single_bet import BetAny7, BetDontPass, BetField, BetPassLine, BetPlace
from crapssim.strategy.tools import CountStrategy
from crapssim.table import TableUpdate
from hypothesis import given, settings
from hypothesis import strategies as st

from pitbook.dice import Roll, rolls
from pitbook.engine.session import chain, risk_of_ruin
from pitbook.engine.strategy import Layout, Rule, Strategy, Wish, place, roll_on, strategy_of
from pitbook.engine.strategy_session import session
from pitbook.errors import InputError
from pitbook.rulebooks.catalogue import load
from pitbook.simulation.strategies import packaged, play_sessions, read_strategy

CRAPS = load("craps")
F = Fraction
LINE = Rule("pass-line", 1000)
FULL = [LINE, Rule("pass-line-odds", "most")]

ACTION = {
    "pass line": ([LINE], F(7, 495)),
    "pass line with 3-4-5x odds": (FULL, F(7, 495) / (1 + F(100, 36))),
    "pass line with single odds": ([LINE, Rule("pass-line-odds", 1000)], F(7, 495) / (1 + F(24, 36))),
    "don't pass with odds for the most": (
        [Rule("dont-pass", 1000), Rule("dont-pass-odds", "most")],
        F(3, 220) / (1 + 6 * F(24, 36)),
    ),
    "place 6 and 8": ([Rule("place/6", 1200), Rule("place/8", 1200)], F(1, 66)),
    "lay 4": ([Rule("lay/4", 4000)], F(1, 60)),
    "field": ([Rule("field", 500)], F(1, 18)),
    "pass and come": ([LINE, Rule("come", 1000)], F(7, 495)),
}


@pytest.mark.parametrize("name", ACTION)
def test_the_edge_of_a_combination_is_the_loss_for_each_unit_of_all_bets_made(name: str) -> None:
    rules, edge = ACTION[name]
    assert chain(CRAPS, strategy_of(CRAPS, rules)).edge_of_action == edge


def test_pass_line_with_full_odds_costs_0_374_per_cent_of_all_action() -> None:
    found = chain(CRAPS, strategy_of(CRAPS, FULL)).edge_of_action
    assert found == F(7, 1870)
    assert round(float(found) * 100, 3) == 0.374


def test_the_loss_for_each_roll_is_the_edge_times_what_is_bet() -> None:
    found = chain(CRAPS, strategy_of(CRAPS, FULL))
    assert found.loss_per_roll == found.edge_of_action * found.action_per_roll == 1000 * F(7, 495) / F(557, 165)


def test_a_chain_too_large_for_fractions_is_solved_in_floating_point() -> None:
    three = [LINE, Rule("come", 1000, at_once=2), Rule("pass-line-odds", 1000), Rule("come-odds", 1000)]
    found = chain(CRAPS, strategy_of(CRAPS, three)).edge_of_action
    assert isinstance(found, float)
    assert found == pytest.approx(7 / 825, abs=1e-12)


def test_a_strategy_can_be_a_function_of_the_layout() -> None:
    def only_after_a_six(layout: Layout) -> list[Wish]:
        on_six = layout.hand.point == 6 and not layout.bets
        return [Wish("place/8", 600)] if on_six else []

    assert chain(CRAPS, only_after_a_six).edge_of_action == F(1, 66)

    def forbidden(_layout: Layout) -> list[Wish]:
        return [Wish("pass-line-odds", 1000)]

    with pytest.raises(InputError, match=r"a bet that is refused: .* \(4\.1\)"):
        chain(CRAPS, forbidden)


@pytest.mark.parametrize(("bankroll", "target"), [(3, 5), (5, 10), (8, 9)])
def test_the_risk_of_ruin_on_the_pass_line_is_the_gamblers(bankroll: int, target: int) -> None:
    ratio = F(251, 244)
    ruined = (ratio**bankroll - ratio**target) / (1 - ratio**target)
    assert risk_of_ruin(CRAPS, strategy_of(CRAPS, [LINE]), bankroll * 1000, target * 1000) == ruined


def test_a_session_is_what_all_sequences_of_rolls_give() -> None:
    rules = [Rule("pass-line", 500), Rule("pass-line-odds", "most"), Rule("field", 300)]
    follow = strategy_of(CRAPS, rules)
    nets: dict[int, int] = {}
    throws = [Roll.of(a, b) for a, b in product(range(1, 7), repeat=2)]
    for dice in product(throws, repeat=2):
        net = run(follow, list(dice))[-1]
        nets[net] = nets.get(net, 0) + 1
    found = session(CRAPS, follow, 10**6, 2)
    assert found.nets == {net: F(nets[net], 36**2) for net in sorted(nets)}
    assert found.ruined == 0
    assert sum(found.nets.values()) == 1


def test_a_session_ends_where_the_money_does_not_cover_another_bet() -> None:
    found = session(CRAPS, strategy_of(CRAPS, [Rule("any-seven", 500)]), 1200, 4)
    assert found.ruined == F(5, 6) ** 2
    assert found.nets[-1000] == F(5, 6) ** 2
    assert sum(found.nets.values()) == 1


def counted_case_by_case(follow: Strategy, bankroll: int, count: int) -> tuple[dict[int, Fraction], list[Fraction]]:
    """Return the nets of a session and the risk of ruin by rolls, by a walk through all cases, one at a time."""
    alive, ruined, ruined_by = {(Layout(), bankroll): F(1)}, dict[int, Fraction](), list[Fraction]()
    for rolled in range(count + 1):
        after: dict[tuple[Layout, int], Fraction] = {}
        for (layout, cash), chance in list(alive.items()):
            placed = place(CRAPS, follow, layout, cash)
            if not placed.layout.bets and follow(layout):
                ruined[cash] = ruined.get(cash, F(0)) + alive.pop((layout, cash))
                continue
            for roll in rolls(2) if rolled < count else ():
                there, paid, _ = roll_on(CRAPS, placed.layout, roll)
                case = there, cash - placed.staked + paid
                after[case] = after.get(case, F(0)) + chance * roll.ways / 36
        if rolled:
            ruined_by.append(sum(ruined.values(), F(0)))
        if rolled < count:
            alive = after
    nets = {cash - bankroll: chance for cash, chance in ruined.items()}
    for (layout, cash), chance in alive.items():
        net = cash + sum(bet.stake for bet in layout.bets) - bankroll
        nets[net] = nets.get(net, F(0)) + chance
    return dict(sorted(nets.items())), ruined_by


RULES = [
    *(LINE, Rule("pass-line-odds", "most"), Rule("come", 500), Rule("come-odds", 500), Rule("dont-pass", 700)),
    *(Rule("place/6", 600, on="point"), Rule("field", 300), Rule("any-seven", 100, on="come-out"), Rule("hard/8", 150)),
]


@settings(max_examples=15, deadline=None)
@given(st.lists(st.sampled_from(RULES), min_size=1, max_size=3, unique=True), st.integers(1, 4000), st.integers(1, 3))
def test_sessions_in_packed_integers_are_those_case_by_case(rules: list[Rule], bankroll: int, count: int) -> None:
    follow = strategy_of(CRAPS, rules)
    found = session(CRAPS, follow, bankroll, count)
    assert (found.nets, found.ruined_by) == counted_case_by_case(follow, bankroll, count)


@pytest.mark.parametrize(("rules", "bankroll", "count"), [([LINE], 2500, 20), ([Rule("any-seven", 500)], 3100, 20)])
def test_a_session_of_many_rolls_with_little_money_is_exact(rules: list[Rule], bankroll: int, count: int) -> None:
    follow = strategy_of(CRAPS, rules)
    found = session(CRAPS, follow, bankroll, count)
    assert (found.nets, found.ruined_by) == counted_case_by_case(follow, bankroll, count)


@pytest.mark.thorough
@pytest.mark.parametrize("count", [20, 50])
def test_the_three_point_molly_is_exact_over_many_rolls(count: int) -> None:
    """The mean and the variance of the result are also those of the chain of layouts, without any cash."""
    follow = read_strategy(CRAPS, "three-point-molly")[1]
    found = session(CRAPS, follow, 10**7, count)
    assert sum(found.nets.values()) == 1
    assert all(isinstance(chance, Fraction) for chance in found.nets.values())
    whole = chain(CRAPS, follow)
    moments = {0: (1, 0, 0)}  # ways to a layout; and the sums of the cash, and of its square
    for _ in range(count):
        after: dict[int, tuple[int, int, int]] = {}
        for layout, (ways, first, second) in moments.items():
            for roll, move in zip(rolls(2), whole.moves[layout], strict=True):
                gain = move.paid - whole.staked[layout]
                so_far = after.get(move.target, (0, 0, 0))
                more = (ways, first + gain * ways, second + 2 * gain * first + gain**2 * ways)
                after[move.target] = tuple(old + roll.ways * new for old, new in zip(so_far, more, strict=True))  # type: ignore[assignment]
        moments = after
    mean = square = 0
    for layout, (ways, first, second) in moments.items():
        stakes = sum(bet.stake for bet in whole.layouts[layout].bets)
        mean += first + stakes * ways
        square += second + 2 * stakes * first + stakes**2 * ways
    assert found.mean == F(mean, 36**count)
    assert sum(net**2 * chance for net, chance in found.nets.items()) == F(square, 36**count)


@pytest.mark.thorough
def test_a_session_with_too_many_cases_is_refused_before_they_are_counted() -> None:
    with pytest.raises(InputError, match="choose fewer rolls or rounder stakes"):
        session(CRAPS, read_strategy(CRAPS, "three-point-molly")[1], 10**6, 400)


@pytest.mark.parametrize(("bankroll", "target"), [(0, 10), (10, 10)])
def test_a_target_lies_above_a_bankroll(bankroll: int, target: int) -> None:
    with pytest.raises(InputError, match="target"):
        risk_of_ruin(CRAPS, strategy_of(CRAPS, [LINE]), bankroll, target)


# ---------------------------------------------------------------- strategies as data, and by chance


@pytest.mark.parametrize("name", packaged())
def test_every_strategy_that_comes_along_can_be_played(name: str) -> None:
    text, follow = read_strategy(CRAPS, name)
    found = chain(CRAPS, follow)
    assert text.says
    assert 0 < found.edge_of_action < F(1, 20)


def test_a_strategy_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('says = "hardways"\nbets = [{ wager = "hard", stake = 1, on = "point" }]\n', encoding="utf-8")
    assert chain(CRAPS, read_strategy(CRAPS, str(path))[1]).edge_of_action > F(1, 11)
    path.write_text('says = "nothing"\nbets = [{ wager = "hard/6", stake = 0 }]\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"bets\.0\.stake"):
        read_strategy(CRAPS, str(path))


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        (Rule("place/7", 600), "place/7"),
        (Rule("place/6", "most"), "not tied"),
        (Rule("pass-line", 0), "at least one minor unit"),
    ],
)
def test_a_strategy_that_makes_no_sense_is_refused(rule: Rule, says: str) -> None:
    with pytest.raises(InputError, match=says):
        strategy_of(CRAPS, [rule])


def test_side_bets_with_lammers_are_no_part_of_a_strategy() -> None:
    both = load("craps+dice-works")
    with pytest.raises(InputError, match="shares its progress"):
        strategy_of(both, [Rule("all-lows", 500)])


def test_sessions_by_chance_agree_with_the_exact_session() -> None:
    follow = strategy_of(CRAPS, [LINE])
    exact = session(CRAPS, follow, 10**7, 20)
    nets = play_sessions(chain(CRAPS, follow), 200_000, 20, seed=3)
    assert abs(float((nets > 0).mean()) - float(exact.ahead)) < 0.005
    assert set(nets.tolist()) <= set(exact.nets)
    assert (nets == play_sessions(chain(CRAPS, follow), 200_000, 20, seed=3)).all()


# ---------------------------------------------------------------- the same dice as crapssim


def run(follow: Any, dice: list[Roll]) -> list[int]:
    """What a player has gained after each roll, running stakes counted as they are."""
    layout, cash, found = Layout(), 0, []
    for roll in dice:
        placed = place(CRAPS, follow, layout)
        rolled = roll_on(CRAPS, placed.layout, roll)
        cash += rolled.paid - placed.staked
        layout = rolled.layout
        found.append(cash + sum(bet.stake for bet in layout.bets))
    return found


def peer(strategy: Any, dice: list[Roll]) -> list[int]:
    table = crapssim.Table()
    table.add_player(bankroll=10**9, strategy=strategy)
    found = []
    for number, roll in enumerate(dice):
        first, second = roll.faces
        if number == 0:
            table.fixed_run([(first, second)])
        else:
            TableUpdate().run(table, (first, second))
        found.append(round((table.players[0].total_player_cash - 10**9) * 100))
    return found


PEERS: dict[str, tuple[list[Rule], Callable[[], Any]]] = {
    "pass line": ([LINE], lambda: BetPassLine(10)),
    "pass line with full odds": (FULL, lambda: BetPassLine(10) + PassLineOddsMultiplier()),
    "don't pass with six times the odds": (
        [Rule("dont-pass", 1000), Rule("dont-pass-odds", 6000)],
        lambda: BetDontPass(10) + DontPassOddsMultiplier(6),
    ),
    "pass line and two come bets with full odds": (
        [LINE, Rule("come", 1000, at_once=2), Rule("pass-line-odds", "most"), Rule("come-odds", "most")],
        lambda: BetPassLine(10) + CountStrategy(Come, 2, Come(10)) + PassLineOddsMultiplier() + ComeOddsMultiplier(),
    ),
    "place 6 and 8": (
        [Rule("place/6", 1200), Rule("place/8", 1200)],
        lambda: BetPlace({6: 12, 8: 12}, skip_point=False),
    ),
    "field": ([Rule("field", 500)], lambda: BetField(5)),
    "any seven": ([Rule("any-seven", 500)], lambda: BetAny7(5)),
    "iron cross with a pass line": (
        [LINE, Rule("field", 500), Rule("place/5", 500), Rule("place/6", 600), Rule("place/8", 600)],
        lambda: BetPassLine(10) + BetField(5) + BetPlace({5: 5, 6: 6, 8: 6}, skip_point=False),
    ),
}


@pytest.mark.parametrize("name", PEERS)
def test_the_same_dice_give_the_bankroll_of_crapssim_to_the_cent(name: str) -> None:
    rules, theirs = PEERS[name]
    chance = random.Random(name)
    dice = [Roll.of(chance.randint(1, 6), chance.randint(1, 6)) for _ in range(1500)]
    assert run(strategy_of(CRAPS, rules), dice) == peer(theirs(), dice)
