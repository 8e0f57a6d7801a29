"""Exact analysis, side by side with icepool, dyce and plain Fractions, on the same questions in one run.

    python3 dev.py bench analyse [--quick]

Every contender answers with fractions, and nothing is printed before all answers are equal. The contenders take turns,
and the best of several calls counts; the garbage collector runs as it does for users. Before each call ours forgets all
that it has cached, except where a column says otherwise.

Peers are written twice. "By hand" is the quickest we found: the user has removed rolls that change nothing and, for
the counting bets, has seen that one decision after another is independent. "Own process" gives the library the rule of
the game, as ours does: icepool's `map(repeat='inf')`, dyce's `expand` over remembered states.
"""

from __future__ import annotations

import argparse
import gc
import os
import platform
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from importlib.metadata import version
from itertools import combinations, product
from time import perf_counter
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from _results import held, noted
from dyce import H, HResult, P, expand
from dyce.h import aggregate_weighted
from dyce.lifecycle import ExperimentalWarning
from icepool import Die, Reroll, d6  # type: ignore[import-untyped]
from rich.console import Console
from rich.table import Table

from pitbook.engine.analyse import analyse, analyse_book, house_edges
from pitbook.engine.progress import machines
from pitbook.engine.solve import edges_of
from pitbook.rulebooks.catalogue import PACKAGED, _shipped, load, packaged_raw
from pitbook.rulebooks.conditions import parse_condition
from pitbook.rulebooks.wagers import Collect
from pitbook.wager.machine import _COMPILED, machine_of

if TYPE_CHECKING:
    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Wager

Answer = dict[str, Fraction]
"""Chances by row, or house edges by area."""
Run = Callable[[], object]
Faces = tuple[int, ...]
Gain = Callable[[Faces], int]
"""What an area of Sic Bo gains on three sorted faces."""
State = tuple[int, ...]
Step = Callable[[State, int], State]
Process = Callable[[Step, State], Mapping[State, Fraction]]

AREAS_AIM = "50 Sic Bo areas"
"""The question of which ours must be faster than dyce, compiling included."""
TURNS = 10
CALLS = 5
"""In each turn."""
PATIENCE = 2.0
"""Seconds after which a contender is not called again."""


# --- the games, for the peers: written from the rules, not read from the books ---

SEVEN = 7
POINTS = (4, 5, 6, 8, 9, 10)
NATURALS = (7, 11)
LOWS = (2, 3, 4, 5, 6)
WORKS = (*LOWS, 8, 9, 10, 11, 12)
WAYS = {total: 6 - abs(SEVEN - total) for total in range(2, 13)}

Ladder = Sequence[tuple[str, int]]
"""For each count its row and what that gains; the last one holds for every higher count."""

HIGH_ROLLER: Ladder = (
    *[("2 or less", -1)] * 3,
    *[("3", 4), ("4", 9), ("5", 19), ("6", 29), ("7", 49), ("8", 99), ("9", 190), ("10 or more", 299)],
)
ROLL_THE_LINE: Ladder = (
    *[("0 wins", -1), ("1 win", -1), ("2 wins", 0), ("3 wins", 1), ("4 wins", 2), ("5 wins", 4), ("6 wins", 6)],
    *[("7 wins", 8), ("8 wins", 15), ("9 wins", 20), ("10 wins", 25), ("11 or more wins", 50)],
)


def of_a_kind(face: int, least: int, pays: int) -> Gain:
    return lambda faces: pays if faces.count(face) >= least else -1


def one_of_a_kind(face: int) -> Gain:
    return lambda faces: faces.count(face) or -1


def total_of(total: int, pays: int) -> Gain:
    return lambda faces: pays if sum(faces) == total else -1


def two_dice(one: int, two: int) -> Gain:
    return lambda faces: 5 if one in faces and two in faces else -1


def half(low: int, high: int) -> Gain:
    return lambda faces: 1 if low <= sum(faces) <= high and faces[0] != faces[2] else -1


TOTALS = dict(zip(range(4, 18), (50, 18, 14, 12, 8, 6, 6, 6, 6, 8, 12, 14, 18, 50), strict=True))
AREAS: dict[str, Gain] = {
    **{f"three-of-a-kind/{face}": of_a_kind(face, 3, 150) for face in range(1, 7)},
    **{f"two-of-a-kind/{face}": of_a_kind(face, 2, 8) for face in range(1, 7)},
    "any-three-of-a-kind": lambda faces: 24 if faces[0] == faces[2] else -1,
    **{f"total/{total}": total_of(total, pays) for total, pays in TOTALS.items()},
    **{f"two-dice-combination/{one}-{two}": two_dice(one, two) for one, two in combinations(range(1, 7), 2)},
    "small": half(4, 10),
    "big": half(11, 17),
    **{f"one-of-a-kind/{face}": one_of_a_kind(face) for face in range(1, 7)},
}

WON: State = ()
LOST: State = (SEVEN,)


def collect_step(missing: State, total: int) -> State:
    """Return the numbers still missing after a roll; none: won."""
    if missing in (WON, LOST):
        return missing
    return LOST if total == SEVEN else tuple(number for number in missing if number != total)


def count_step(state: State, total: int, *, naturals: Sequence[int], top: int) -> State:
    """Return (count, point) after a roll, with point 0 on a come-out; (count,) at the end."""
    if len(state) == 1:
        return state
    count, point = state
    if not point and total in POINTS:
        return count, total
    if point and total == SEVEN:
        return (count,)
    if total == point or (not point and total in naturals):
        return (count + 1, 0) if count + 1 < top else (top,)
    return state


def collected(chance: Fraction, pays: int) -> Answer:
    return {"win": chance, "lose": 1 - chance, "house edge": 1 - chance * (pays + 1)}


def counted(chances: Iterable[Fraction], ladder: Ladder) -> Answer:
    """Sum the probabilities of the counts by row."""
    answer = dict.fromkeys((row for row, _ in ladder), Fraction(0))
    edge = Fraction(0)
    for (row, gain), chance in zip(ladder, chances, strict=True):
        answer[row] += chance
        edge -= chance * gain
    return answer | {"house edge": edge}


# --- plain Fractions ---


def plain_sic_bo() -> Answer:
    rolls = Counter(tuple(sorted(faces)) for faces in product(range(1, 7), repeat=3))
    return {
        area: -Fraction(sum(gain(faces) * ways for faces, ways in rolls.items()), 216) for area, gain in AREAS.items()
    }


def plain_collect(numbers: Sequence[int]) -> Fraction:
    """Solve the states as subsets of the missing numbers, each a bit."""
    ways = [WAYS[number] for number in numbers]
    chances = [Fraction(1)]
    for missing in range(1, 1 << len(numbers)):
        moving, total = WAYS[SEVEN], Fraction(0)
        for place, weight in enumerate(ways):
            if missing >> place & 1:
                moving += weight
                total += weight * chances[missing ^ 1 << place]
        chances.append(total / moving)
    return chances[-1]


def plain_count(naturals: Sequence[int], top: int) -> list[Fraction]:
    """Return the distribution of the count, which is geometric: each decision but the seven-out adds one."""
    wins = sum(WAYS[total] for total in naturals)
    points = sum(WAYS[point] for point in POINTS)
    made = sum((Fraction(WAYS[point] ** 2, WAYS[point] + WAYS[SEVEN]) for point in POINTS), Fraction(0))
    more = (wins + made) / (wins + points)
    reached = [Fraction(1)]
    for _ in range(top):
        reached.append(reached[-1] * more)
    return [*(chance * (1 - more) for chance in reached[:-1]), reached[-1]]


# --- icepool ---


def icepool_sic_bo() -> Answer:
    rolls = d6.pool(3).expand()
    return {area: -rolls.map(gain, star=False).mean() for area, gain in AREAS.items()}


def icepool_collect(numbers: Sequence[int]) -> Fraction:
    ways = dict((2 @ d6).items())

    @cache
    def run(missing: frozenset[int]) -> Any:
        if not missing:
            return True
        moving = (SEVEN, *missing)
        ends = [False, *(run(missing - {number}) for number in missing)]
        return Die(ends, [ways[total] for total in moving])

    return Fraction(run(frozenset(numbers)).probability(True))


def icepool_count(naturals: Sequence[int], top: int) -> list[Fraction]:
    totals = 2 @ d6

    def decision(total: int) -> Any:
        if total in naturals:
            return True
        if total not in POINTS:
            return Reroll
        return Die({True: totals.quantity(total), False: totals.quantity(SEVEN)})

    decided = totals.map(decision)
    counts = Die([top])
    for count in reversed(range(top)):
        counts = decided.map({True: counts, False: count})
    return [counts.probability(count) for count in range(top + 1)]


def icepool_process(step: Step, start: State) -> Mapping[State, Fraction]:
    ends = Die([start]).map(step, 2 @ d6, star=False, repeat="inf")
    return {state: ends.probability(state) for state in ends}


# --- dyce ---


def dyce_sic_bo() -> Answer:
    rolls = H.from_counts((3 @ P(6)).rolls_with_counts())
    gains = {area: rolls.apply(gain) for area, gain in AREAS.items()}
    # H.mean() is a float.
    return {
        area: -Fraction(sum(gain * ways for gain, ways in found.items()), found.total) for area, found in gains.items()
    }


def dyce_collect(numbers: Sequence[int]) -> Fraction:
    ways = 2 @ H(6)

    @cache
    def run(missing: frozenset[int]) -> H[bool]:
        if not missing:
            return H({True: 1})
        ends: list[tuple[Any, int]] = [(run(missing - {number}), ways[number]) for number in missing]
        return aggregate_weighted([(False, ways[SEVEN]), *ends]).lowest_terms()

    return dict(run(frozenset(numbers)).probability_items())[True]


def dyce_count(naturals: Sequence[int], top: int) -> list[Fraction]:
    ways = 2 @ H(6)
    decisions: list[tuple[Any, int]] = [(True, ways[total]) for total in naturals]
    decisions += [(H({True: ways[point], False: ways[SEVEN]}), ways[point]) for point in POINTS]
    decided = aggregate_weighted(decisions)
    counts: H[Any] = H({top: 1})
    for count in reversed(range(top)):
        counts = aggregate_weighted([(counts, decided[True]), (count, decided[False])]).lowest_terms()
    return [chance for _, chance in counts.probability_items()]


def dyce_process(step: Step, start: State) -> Mapping[State, Fraction]:
    totals = 2 @ H(6)

    @cache
    def run(state: State) -> H[State] | State:
        if all(step(state, total) == state for total in totals):
            return state

        def after(roll: HResult[int]) -> Any:
            following = step(state, roll.outcome)
            return H({}) if following == state else run(following)

        # Without the two settings it would leave out what is unlikely.
        return expand(after, totals, min_path_probability=Fraction(0), reset_path_probability=True)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ExperimentalWarning)
        found = run(start)
    return dict(found.probability_items()) if isinstance(found, H) else {found: Fraction(1)}


# --- the questions ---


@dataclass(frozen=True)
class Question:
    """A question, and the function of each contender."""

    name: str
    book: Rulebook
    wagers: tuple[Wager, ...]
    by_hand: Mapping[str, Callable[[], Answer]]
    own_process: Mapping[str, Callable[[], Answer]]

    def ours(self) -> Answer:
        if len(self.wagers) > 1:
            return dict(house_edges(self.book))
        found = analyse(self.book, self.wagers[0])
        return {end.row: end.probability for end in found.ends} | {"house edge": found.house_edge}

    def compile(self) -> None:
        machines(self.book)


def questions() -> list[Question]:
    sic_bo, works = load("massachusetts-sic-bo"), load("dice-works")
    areas = {"plain": plain_sic_bo, "icepool": icepool_sic_bo, "dyce": dyce_sic_bo}
    return [
        Question(AREAS_AIM, sic_bo, tuple(sic_bo.wagers.values()), areas, {}),
        collect_question("All Lows", works, works.wager("all-lows"), LOWS, 34),
        collect_question("The Works", works, works.wager("the-works"), WORKS, 175),
        count_question("High Roller", works, works.wager("high-roller"), (), HIGH_ROLLER),
        count_question("Roll the Line", works, works.wager("roll-the-line"), NATURALS, ROLL_THE_LINE),
    ]


PROCESSES: dict[str, Process] = {"icepool": icepool_process, "dyce": dyce_process}


def collect_question(name: str, book: Rulebook, wager: Wager, numbers: State, pays: int) -> Question:
    def by_hand(solve: Callable[[Sequence[int]], Fraction]) -> Answer:
        return collected(solve(numbers), pays)

    def by_process(solve: Process) -> Answer:
        return collected(solve(collect_step, numbers)[WON], pays)

    hands = {"plain": plain_collect, "icepool": icepool_collect, "dyce": dyce_collect}
    return Question(
        name,
        book,
        (wager,),
        {who: partial(by_hand, solve) for who, solve in hands.items()},
        {who: partial(by_process, solve) for who, solve in PROCESSES.items()},
    )


def count_question(name: str, book: Rulebook, wager: Wager, naturals: State, ladder: Ladder) -> Question:
    top = len(ladder) - 1

    def by_hand(solve: Callable[[Sequence[int], int], list[Fraction]]) -> Answer:
        return counted(solve(naturals, top), ladder)

    def by_process(solve: Process) -> Answer:
        chances = solve(partial(count_step, naturals=naturals, top=top), (0, 0))
        return counted([chances[count,] for count in range(top + 1)], ladder)

    hands = {"plain": plain_count, "icepool": icepool_count, "dyce": dyce_count}
    return Question(
        name,
        book,
        (wager,),
        {who: partial(by_hand, solve) for who, solve in hands.items()},
        {who: partial(by_process, solve) for who, solve in PROCESSES.items()},
    )


# --- measuring ---


def say(sentence: str) -> None:
    print(f"analyse: {sentence}", file=sys.stderr, flush=True)


def caches() -> list[Callable[[], object]]:
    """Return functions that clear every cache of the packages that compile and analyse."""
    found: list[Callable[[], object]] = []
    for name, module in list(sys.modules.items()):
        if name.startswith(("pitbook.wager", "pitbook.engine")):
            for value in vars(module).values():
                if isinstance(value, WeakKeyDictionary) or value is _COMPILED:
                    found.append(value.clear)
                elif hasattr(value, "cache_clear"):
                    found.append(value.cache_clear)
    return found


CACHES = caches()


def forget() -> None:
    for empty in CACHES:
        empty()


def nothing() -> None:
    pass


@dataclass(frozen=True)
class Contender:
    """A timed function, and what runs untimed before each turn."""

    run: Run
    before: Run = nothing


def race(contenders: Mapping[str, Contender], turns: int) -> tuple[dict[str, float], dict[str, object]]:
    """Return the best time in milliseconds and the answer of each; in turns, so that noise affects all."""
    best: dict[str, float] = {}
    spent = dict.fromkeys(contenders, 0.0)
    answers: dict[str, object] = {}
    for _ in range(turns):
        for name, contender in contenders.items():
            gc.collect()
            # That empties Python's stores of free memory, too: the first call of a turn is spent on filling them.
            for _ in range(CALLS if turns > 1 else 1):
                if spent[name] > PATIENCE:
                    break
                contender.before()
                began = perf_counter()
                answers[name] = contender.run()
                took = perf_counter() - began
                spent[name] += took
                best[name] = min(took * 1000, best.get(name, took * 1000))
    return best, answers


def race_question(question: Question, turns: int) -> dict[str, float]:
    def compile_afresh() -> None:
        forget()
        question.compile()

    contenders = {
        "warm": Contender(question.ours, question.ours),
        "machine": Contender(question.ours, compile_afresh),
        "compile": Contender(question.ours, forget),
        **{name: Contender(run) for name, run in question.by_hand.items()},
        **{f"{name} process": Contender(run) for name, run in question.own_process.items()},
    }
    say(f"{question.name} …")
    best, answers = race(contenders, turns)
    for name, answer in answers.items():
        if answer != answers["warm"]:
            raise SystemExit(f"{question.name}: {name} answers {answer}, ours {answers['warm']}")
    return best


# --- printing ---


def milliseconds(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}" if value >= 1 else f"{value:.3f}"


def verdict(met: bool) -> str:
    return "[green]met[/]" if met else "[red]missed[/]"


def ratio(peer: float, ours: float) -> str:
    value = peer / ours
    return f"{value:,.0f}" if value >= 100 else f"{value:.2g}" if value < 1 else f"{value:.1f}"


def table_of(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold")
    for place, column in enumerate(columns):
        table.add_column(column, justify="right" if place else "left")
    return table


def side_by_side(found: Mapping[str, Mapping[str, float]]) -> Table:
    table = table_of(
        "Exact answers, all equal; ms. Ratio: the faster of icepool and dyce, by hand, to ours",
        *("question", "ours warm", "ours from compiled machine", "ours incl. compile"),
        *("plain Fractions", "icepool", "dyce", "ratio incl. compile", "ratio from machine"),
    )
    for name, best in found.items():
        peer = min(best["icepool"], best["dyce"])
        times = (best[who] for who in ("warm", "machine", "compile", "plain", "icepool", "dyce"))
        table.add_row(name, *map(milliseconds, times), ratio(peer, best["compile"]), ratio(peer, best["machine"]))
    return table


def by_process(found: Mapping[str, Mapping[str, float]]) -> Table:
    table = table_of(
        "The same from the rule of the game, by each library's own process; ms",
        *("question", "ours from compiled machine", "ours incl. compile", "icepool map(repeat='inf')", "dyce expand"),
        *("ratio incl. compile", "ratio from machine"),
    )
    for name, best in found.items():
        icepool, dyce = best.get("icepool process"), best.get("dyce process")
        if icepool is None or dyce is None:
            continue
        peer = min(icepool, dyce)
        times = (best["machine"], best["compile"], icepool, dyce)
        noted(f"{name}, from its machine, times faster than the faster peer", peer / best["machine"])
        table.add_row(name, *map(milliseconds, times), ratio(peer, best["compile"]), ratio(peer, best["machine"]))
    return table


def against_aims(found: Mapping[str, Mapping[str, float]], turns: int) -> Table:
    """Compare Sic Bo with dyce; The Works, all books and the import of the package with their targets."""
    works, areas = found["The Works"], found[AREAS_AIM]
    say("all five books and craps …")
    names = (*PACKAGED, "craps")
    books = [load(book) for book in names]

    def everything(of: Iterable[Rulebook]) -> int:
        return sum(len([analysis.house_edge for analysis in analyse_book(book)]) for book in of)

    def forget_books() -> None:
        forget()
        _shipped.cache_clear()
        packaged_raw.cache_clear()
        parse_condition.cache_clear()

    best, answers = race(
        {
            "books": Contender(lambda: everything(books), forget),
            "load": Contender(lambda: everything(load(book) for book in names), forget_books),
        },
        turns,
    )
    table = table_of("Against our own aims", "what", "found", "aim", "")
    what, faster = f"{AREAS_AIM} including compile, times faster than dyce", areas["dyce"] / areas["compile"]
    table.add_row(what, ratio(areas["dyce"], areas["compile"]), "at least 1", verdict(held(what, faster, 1)))
    for what, took, aim in (
        ("The Works from its compiled machine", works["machine"], 5),
        ("The Works including compile", works["compile"], 20),
        (f"all {answers['books']} pay tables of the {len(books)} books, loaded", best["books"], 300),
        ("the same, loading included", best["load"], 300),
        ("import pitbook", importing(), 50),
    ):
        figure = f"{milliseconds(took)} ms"
        table.add_row(what, figure, f"under {aim} ms", verdict(held(what, took, aim, unit="ms", least=False)))
    return table


def importing() -> float:
    """Return the best time in milliseconds in which a fresh process imports the package."""
    program = "import time; began = time.perf_counter(); import pitbook; print(time.perf_counter() - began)"
    run = [sys.executable, "-c", program]
    return min(float(subprocess.run(run, capture_output=True, check=True).stdout) for _ in range(5)) * 1000


def cost_against_size(turns: int) -> Table:
    table = table_of(
        "Cost against size: each of so many numbers before a seven",
        *("numbers", "states", "transitions", "compile ms", "solve ms", "compile µs per transition"),
        "solve µs per transition",
    )
    book = load("dice-works")
    like = book.wager("the-works")
    for size in range(4, len(WORKS) + 1):
        say(f"collect {size} …")
        wager = replace(like, spec=Collect(frozenset(WORKS[:size]), "any seven"))

        def compile_it(wager: Wager = wager) -> object:
            return machine_of(wager.spec, book.dice)

        def compile_afresh(wager: Wager = wager) -> None:
            forget()
            compile_it(wager)

        def solve(wager: Wager = wager) -> object:
            return analyse(book, wager).house_edge

        best, _ = race({"compile": Contender(compile_it, forget), "solve": Contender(solve, compile_afresh)}, turns)
        machine = machine_of(wager.spec, book.dice)
        edges = edges_of(machine)
        transitions = len(edges.inner) + len(edges.ending) + sum(ways > 0 for ways in edges.staying)
        each = (best[part] * 1000 / transitions for part in ("compile", "solve"))
        table.add_row(
            *(str(size), f"{machine.size:,}", f"{transitions:,}"),
            *(milliseconds(best["compile"]), milliseconds(best["solve"])),
            *(f"{cost:.2f}" for cost in each),
        )
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description="exact analysis, side by side with icepool and dyce")
    parser.add_argument("--quick", action="store_true", help="one turn each, no best of several")
    turns = 1 if parser.parse_args().quick else TURNS
    found = {question.name: race_question(question, turns) for question in questions()}
    tables = [
        side_by_side(found),
        by_process(found),
        against_aims(found, min(turns, 7)),
        cost_against_size(turns),
    ]
    console = Console()
    if not console.is_terminal:
        console = Console(width=150)  # a file or pipe has no width: keep every row on one line
    for table in tables:
        console.print(table, "")
    calls = turns * CALLS if turns > 1 else 1
    console.print(
        f"Python {platform.python_version()} on {platform.system()} {platform.machine()}, {os.cpu_count()} cores; "
        f"icepool {version('icepool')}, dyce {version('dyce')}; best of {calls}, fewer where slow",
        highlight=False,
    )


if __name__ == "__main__":
    main()
