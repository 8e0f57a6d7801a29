"""The fairness watch: its false alarms, how often and how soon it detects unfair dice, and its speed.

    python3 dev.py bench fairness [--quick]

Simulated sets of dice with fixed seeds: the same NumPy prints the same figures again, but for the speed.
`docs/guides/fairness.md` has a run of it. A day is 1,440 throws, one a minute.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from math import exp, fsum, lgamma, log
from time import perf_counter

import numpy as np
from _results import held
from rich.console import Console
from rich.table import Table

from pitbook.fairness.alternatives import FAIR, favour_faces, weight_face
from pitbook.fairness.simulate import DiceDistribution, fair_dice, one_loaded, simulate, throw_dice
from pitbook.fairness.watch import LEVEL, Watch

DAY = 1440
LONG = 10 * DAY
DAYS = 4
"""The number of throws for which unfair dice are followed."""
SEED = 1440
AIM = 20_000
"""Throws per second of one watch."""
TURNS = 5

SIXES = {chance: favour_faces(chance, 6) for chance in (0.20, 0.22, 0.25, 0.27, 0.30, 0.35, 0.40)}

UNFAIR: dict[str, DiceDistribution] = {
    **{f"3 dice, one with p(6) = {chance:.2f}": one_loaded(3, law) for chance, law in SIXES.items()},
    **{
        f"2 dice, one with p(6) = {SIXES[chance][5]:.2f}": one_loaded(2, SIXES[chance]) for chance in (0.22, 0.25, 0.30)
    },
    "3 dice, one weighted: p(6) = 0.25, p(1) = 0.08": one_loaded(3, weight_face(1 / 12, 6)),
    "3 dice, one flat: p(1) = p(6) = 0.22": one_loaded(3, favour_faces(0.22, 1, 6)),
    "3 dice, two with p(6) = 0.22": DiceDistribution((SIXES[0.22], SIXES[0.22], FAIR)),
    "3 dice, all with p(6) = 0.18": DiceDistribution((favour_faces(0.18, 6),) * 3),
    "3 dice, all with p(6) = 0.20": DiceDistribution((SIXES[0.20],) * 3),
    "2 dice, both with p(6) = 0.20": DiceDistribution((SIXES[0.20],) * 2),
    "3 dice, triples 1.7 times as often": DiceDistribution((FAIR,) * 3, agree=0.02),
    "3 dice, triples 2.8 times as often": DiceDistribution((FAIR,) * 3, agree=0.05),
    "2 dice, doubles 1.5 times as often": DiceDistribution((FAIR,) * 2, agree=0.10),
    "3 dice, each stays with chance 0.05": DiceDistribution((FAIR,) * 3, stay=0.05),
    "3 dice, each stays with chance 0.10": DiceDistribution((FAIR,) * 3, stay=0.10),
    "2 dice, each stays with chance 0.10": DiceDistribution((FAIR,) * 2, stay=0.10),
    "3 dice, one with p(6) = 0.30 after half a day": one_loaded(3, SIXES[0.30], since=DAY // 2),
    "3 dice, one with p(6) = 0.40 after half a day": one_loaded(3, SIXES[0.40], since=DAY // 2),
    "3 dice, one with p(6) = 0.30 after two days": one_loaded(3, SIXES[0.30], since=2 * DAY),
}


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def tail(alarms: int, sets: int, chance: float) -> float:
    """Return the probability of as many alarms or more, if each set has this chance of one."""

    def exactly(count: int) -> float:
        ways = lgamma(sets + 1) - lgamma(count + 1) - lgamma(sets - count + 1)
        return exp(ways + count * log(chance) + (sets - count) * log(1 - chance))

    return max(0.0, 1 - fsum(map(exactly, range(alarms))))


def false_alarms(sets: int) -> Table:
    table = Table(title="Fair dice: false alarms", title_justify="left")
    for heading in (
        "dice",
        "level",
        "throws",
        "sets",
        "alarms",
        "at most, on average",
        "chance of so many, at the most",
    ):
        table.add_column(heading, justify="right")
    runs = [(3, LEVEL, DAY, sets), (2, LEVEL, DAY, sets), (3, LEVEL, LONG, sets // 20)]
    runs += [(dice, 0.05, DAY, sets // 5) for dice in (3, 2)]
    for place, (dice, level, throws, count) in enumerate(runs):
        say(f"{count:,} sets of {dice} fair dice, {throws:,} throws each, level {level} …")
        alarms = len(simulate(fair_dice(dice), throws, count, SEED + place, level).found_at)
        cells = (dice, level, f"{throws:,}", f"{count:,}", alarms, f"{level * count:g}")
        table.add_row(*map(str, cells), f"{tail(alarms, count, level):.2f}")
    return table


def power(sets: int) -> Table:
    table = Table(title=f"Unfair dice: alarms at level {LEVEL} among {sets} sets", title_justify="left")
    table.add_column("dice")
    for heading in ("within 1 day", f"within {DAYS} days", "median throw of alarm"):
        table.add_column(heading, justify="right")
    for place, (name, law) in enumerate(UNFAIR.items()):
        say(f"{name} …")
        found = simulate(law, DAYS * DAY, sets, SEED + 100 + place)
        first = sum(at <= DAY for at in found.found_at) / found.runs
        # Where fewer than half were found the median of all sets is not known.
        middle = f"{found.found_at[found.runs // 2]:,}" if found.rate > 0.5 else "-"
        one_day = "-" if law.since >= DAY else f"{first:.1%}"
        table.add_row(name, one_day, f"{found.rate:.1%}", middle)
    return table


def speed(throws: int) -> str:
    faces = [one[0].tolist() for one in throw_dice(fair_dice(3), throws, 1, np.random.default_rng(SEED))]
    rolls = [[face + 1 for face in one] for one in faces]
    spent = []
    for _ in range(TURNS):
        began = perf_counter()
        Watch.start(3).add_throws(rolls)
        spent.append(perf_counter() - began)
    rate = throws / min(spent)
    met = "met" if held("throws a second that one watch follows", rate, AIM) else "missed"
    return f"One watch: {rate:,.0f} throws a second, the best of {TURNS} turns (aim {AIM:,}: {met})"


def main() -> None:
    parser = argparse.ArgumentParser(description="false alarms and power of the fairness watch, by simulation")
    parser.add_argument("--quick", action="store_true", help="a tenth of the sets")
    sets, unfair_sets = (1000, 30) if parser.parse_args().quick else (10_000, 300)
    console = Console()
    if not console.is_terminal:
        console = Console(width=150)  # a file or pipe has no width: keep every row on one line
    console.print(false_alarms(sets), "", power(unfair_sets), "")
    console.print(speed(10_000), highlight=False)
    console.print(
        f"Python {platform.python_version()} on {platform.system()} {platform.machine()}, {os.cpu_count()} cores; "
        f"NumPy {np.__version__}",
        highlight=False,
    )


if __name__ == "__main__":
    main()
