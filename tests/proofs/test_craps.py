"""The base game of craps: published figures, and the same by a method that shares no code with the machines."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import pytest

from pitbook.engine.analyse import analyse
from pitbook.rulebooks.catalogue import HOUSE_BOOKS, load
from pitbook.rulebooks.model import Rulebook
from pitbook.wager.machine import machine_of

F = Fraction
GOLDEN = Path(__file__).parent / "golden"
POINTS = (4, 5, 6, 8, 9, 10)
WAYS = {total: 6 - abs(total - 7) for total in range(2, 13)}
TRUE = {4: F(2), 5: F(3, 2), 6: F(6, 5), 8: F(6, 5), 9: F(3, 2), 10: F(2)}
THROWS = tuple(product(range(1, 7), repeat=2))
Step = Callable[[Hashable, int, int], Hashable | Fraction]

PUBLISHED = {
    "pass-line": F(7, 495),
    "come": F(7, 495),
    "dont-pass": F(3, 220),
    "dont-come": F(3, 220),
    "pass-line-odds": F(0),
    "dont-pass-odds": F(0),
    "place/4": F(1, 15),
    "place/5": F(1, 25),
    "place/6": F(1, 66),
    "place/8": F(1, 66),
    "place/9": F(1, 25),
    "place/10": F(1, 15),
    "buy/4": F(1, 60),
    "buy/5": F(1, 50),
    "buy/6": F(1, 44),
    "lay/4": F(1, 60),
    "lay/5": F(1, 50),
    "lay/6": F(1, 44),
    "big/6": F(1, 11),
    "big/8": F(1, 11),
    "field": F(1, 18),
    "hard/4": F(1, 9),
    "hard/6": F(1, 11),
    "hard/8": F(1, 11),
    "hard/10": F(1, 9),
    "any-seven": F(1, 6),
    "any-craps": F(1, 9),
    "two": F(5, 36),
    "three": F(1, 9),
    "eleven": F(1, 9),
    "twelve": F(5, 36),
    "horn": F(1, 8),
    "world": F(2, 15),
    "c-and-e": F(1, 9),
    "hop/1-1": F(5, 36),
    "hop/1-2": F(1, 9),
}
PER_ROLL = {"pass-line": F(7, 495) / F(557, 165), "place/6": F(1, 216), "hard/4": F(1, 36), "big/8": F(1, 36)}
OPTIONS = {
    ("field", "field-12=triple"): F(1, 36),
    ("buy/4", "commission=when-bet"): F(1, 20),
    ("lay/4", "commission=when-bet"): F(1, 40),
    ("dont-pass", "bar=2"): F(3, 220),
    ("hard/6", "hardways=working"): F(1, 11),
    ("pass-line", "crapless=on"): F(373, 6930),
    ("place/2", "crapless=on"): F(1, 14),
    ("place/3", "crapless=on"): F(1, 16),
    ("buy/12", "crapless=on"): F(1, 140),
    ("come-odds/2", "crapless=on"): F(0),
}


def expected(start: Hashable, step: Step) -> Fraction:
    """Return the mean gain from a start: every state's value as one unknown, eliminated one after another."""
    states = [start]
    rows: list[dict[int, Fraction]] = []
    for state in states:  # grows while it is walked
        row: dict[int, Fraction] = {-1: F(0)}
        for a, b in THROWS:
            after = step(state, a, b)
            if isinstance(after, Fraction):
                row[-1] += after / 36
                continue
            if after not in states:
                states.append(after)
            row[states.index(after)] = row.get(states.index(after), F(0)) + F(1, 36)
        rows.append(row)
    for place in reversed(range(len(rows))):
        own = rows[place].pop(place, F(0))
        solved = {key: value / (1 - own) for key, value in rows[place].items()}
        rows[place] = solved
        for row in rows[:place]:
            share = row.pop(place, F(0))
            for key, value in solved.items():
                row[key] = row.get(key, F(0)) + share * value
    return rows[0][-1]


def line(point: Hashable, a: int, b: int) -> Hashable | Fraction:
    total = a + b
    if point == 0:
        if total in (7, 11):
            return F(1)
        return F(-1) if total in (2, 3, 12) else total
    return F(1) if total == point else F(-1) if total == 7 else point


def against(point: Hashable, a: int, b: int) -> Hashable | Fraction:
    total = a + b
    if point == 0:
        if total in (7, 11):
            return F(-1)
        return F(1) if total in (2, 3) else F(0) if total == 12 else total
    return F(-1) if total == point else F(1) if total == 7 else point


def crapless(point: Hashable, a: int, b: int) -> Hashable | Fraction:
    total = a + b
    if point == 0:
        return F(1) if total == 7 else total
    return F(1) if total == point else F(-1) if total == 7 else point


def number(wanted: int, win: Fraction, lose: Fraction = F(-1)) -> Step:
    """A number before a seven, off on come-out rolls: the state is the shooter's point."""

    def step(point: Hashable, a: int, b: int) -> Hashable | Fraction:
        total = a + b
        if point == 0:
            return total if total in POINTS else 0
        if total == 7:
            return lose
        if total == wanted:
            return win
        return 0 if total == point else point

    return step


def hard(wanted: int, pays: int) -> Step:
    def step(_: Hashable, a: int, b: int) -> Hashable | Fraction:
        if a + b == wanted:
            return F(pays) if a == b else F(-1)
        return F(-1) if a + b == 7 else 0

    return step


def lay(wanted: int) -> Step:
    def step(_: Hashable, a: int, b: int) -> Hashable | Fraction:
        return F(19, 20) / TRUE[wanted] if a + b == 7 else F(-1) if a + b == wanted else 0

    return step


def fire(state: Hashable, a: int, b: int) -> Hashable | Fraction:
    """The Fire Bet by pay table A; the state is the shooter's point and the points made."""
    assert isinstance(state, tuple)
    point, made = state
    total = a + b
    if point == 0:
        return (total if total in POINTS else 0), made
    if total == 7:
        return {4: F(24), 5: F(249)}.get(len(made), F(-1))
    if total != point:
        return state
    more = made | {total}
    return F(999) if len(more) == 6 else (0, more)


def doubles(state: Hashable, a: int, b: int) -> Hashable | Fraction:
    """Different Doubles; the state is the set of doubles."""
    assert isinstance(state, frozenset)
    if a + b == 7:
        return {3: F(4), 4: F(8), 5: F(15)}.get(len(state), F(-1))
    more = state | {a} if a == b else state
    return F(100) if len(more) == 6 else more


def hot_shooter(state: Hashable, a: int, b: int) -> Hashable | Fraction:
    """Hot Shooter; the state is the shooter's point and the rolls so far."""
    assert isinstance(state, tuple)
    point, count = state
    total = a + b
    if point and total == 7:
        return F(-1) if count < 10 else F(1) if count < 20 else F(4) if count < 30 else F(15)
    after = point if point and total != point else total if not point and total in POINTS else 0
    return after, min(count + 1, 30)


BY_HAND: dict[tuple[str, str], tuple[Hashable, Step]] = {
    ("pass-line", ""): (0, line),
    ("come", ""): (0, line),
    ("dont-pass", ""): (0, against),
    ("pass-line", "crapless=on"): (0, crapless),
    **{
        (f"place/{n}", ""): (0, number(n, p))
        for n, p in zip(POINTS, [F(9, 5), F(7, 5), F(7, 6)] * 2, strict=True)
        if n < 7
    },
    **{(f"buy/{n}", ""): (0, number(n, TRUE[n] - F(1, 20))) for n in POINTS},
    **{(f"buy/{n}", "commission=when-bet"): (0, number(n, TRUE[n] - F(1, 20), F(-21, 20))) for n in POINTS},
    **{(f"lay/{n}", ""): (0, lay(n)) for n in POINTS},
    **{(f"hard/{n}", ""): (0, hard(n, p)) for n, p in ((4, 7), (6, 9), (8, 9), (10, 7))},
}


def book(option: str) -> Rulebook:
    return load("craps", options=dict([option.split("=")]) if option else {})


@pytest.mark.parametrize("wager", PUBLISHED)
def test_the_house_edge_is_the_published_one(wager: str) -> None:
    rules = book("")
    assert analyse(rules, rules.wager(wager)).house_edge == PUBLISHED[wager]


@pytest.mark.parametrize(("wager", "option"), OPTIONS)
def test_the_house_edge_under_an_option_is_the_published_one(wager: str, option: str) -> None:
    rules = book(option)
    assert analyse(rules, rules.wager(wager)).house_edge == OPTIONS[wager, option]


@pytest.mark.parametrize(("wager", "option"), BY_HAND)
def test_the_house_edge_is_that_of_the_game_worked_out_by_hand(wager: str, option: str) -> None:
    rules = book(option)
    assert analyse(rules, rules.wager(wager)).house_edge == -expected(*BY_HAND[wager, option])


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("wager", "start", "step"),
    [
        ("fire-bet", (0, frozenset()), fire),
        ("different-doubles", frozenset(), doubles),
        ("hot-shooter", (0, 0), hot_shooter),
    ],
)
def test_a_bonus_bet_has_the_edge_of_the_game_worked_out_by_hand(wager: str, start: Hashable, step: Step) -> None:
    rules = load("craps-bonus")
    assert analyse(rules, rules.wager(wager)).house_edge == -expected(start, step)


def test_the_numbers_of_a_hot_hand_come_as_often_as_counting_sets_says() -> None:
    """The chance that just a set comes before a seven, by inclusion and exclusion over the numbers that stay away."""
    rules = load("craps-bonus")
    numbers = [total for total in WAYS if total != 7]

    def all_come(wanted: tuple[int, ...]) -> Fraction:
        chance = F(0)
        for size in range(len(wanted) + 1):
            for away in combinations(wanted, size):
                chance += (-1) ** size * F(6, 6 + sum(WAYS[total] for total in away))
        return chance

    all_ten = all_come(tuple(numbers))
    nine = sum((all_come(tuple(n for n in numbers if n != left)) - all_ten for left in numbers), F(0))
    ends = {end.row: end.probability for end in analyse(rules, rules.wager("hot-hand")).ends}
    assert (ends["10 numbers"], ends["9 numbers"]) == (all_ten, nine)
    assert analyse(rules, rules.wager("all")).win_probability == all_ten


PUBLISHED_BONUS = {("fire-bet", "A"): 0.2076, ("small", "A"): 0.1830, ("tall", "A"): 0.1830, ("all", "A"): 0.2061}


@pytest.mark.parametrize(("wager", "table"), PUBLISHED_BONUS)
def test_the_edge_of_a_bonus_bet_is_the_published_one(wager: str, table: str) -> None:
    rules = load("craps-bonus")
    edge = analyse(rules, rules.wager(wager), table).house_edge
    assert round(float(edge), 4) == PUBLISHED_BONUS[wager, table]


def test_a_push_counts_for_bets_made_and_not_for_bets_resolved() -> None:
    rules = book("")
    figures = analyse(rules, rules.wager("dont-pass"))
    assert (figures.house_edge, figures.edge_per_resolved) == (F(27, 1980), F(27, 1925))


@pytest.mark.parametrize("wager", PER_ROLL)
def test_the_edge_per_roll_counts_the_rolls_on_which_a_bet_works(wager: str) -> None:
    rules = book("")
    assert analyse(rules, rules.wager(wager)).edge_per_roll == PER_ROLL[wager]


@pytest.mark.parametrize("point", POINTS)
def test_odds_have_no_edge_on_any_point(point: int) -> None:
    rules = book("")
    for name in ("pass-line-odds", "dont-pass-odds"):
        wager = rules.wager(name)
        state = wager_start(rules, name, point)
        figures = analyse(rules, wager, state=state)
        chance = F(WAYS[point], WAYS[point] + 6)
        assert figures.house_edge == 0
        assert figures.win_probability == (chance if name == "pass-line-odds" else 1 - chance)


def wager_start(rules: Rulebook, name: str, point: int) -> int:
    return machine_of(rules.wager(name).spec, 2).start(1 + POINTS.index(point))


@pytest.mark.parametrize("name", HOUSE_BOOKS)
def test_the_figures_of_the_house_books_are_those_on_file(name: str, update: bool) -> None:
    rules = load(name)
    now = {}
    for wager in rules.wagers.values():
        for table in wager.paytables:
            figures = analyse(rules, wager, table)
            now[" ".join(filter(None, [wager.id, table]))] = {
                "win": str(figures.win_probability),
                "push": str(figures.push_probability),
                "edge": str(figures.house_edge),
                "variance": str(figures.variance),
                "rolls": str(figures.expected_rolls),
            }
    path = GOLDEN / f"{name}.json"
    if update:
        lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in now.items())
        path.write_text("{\n" + lines + "\n}\n", encoding="utf-8")
    assert now == json.loads(path.read_text(encoding="utf-8"))
