"""Simulation: rolls a second against the bare generator, against two threads of bare arithmetic, and against crapssim.

    python3 dev.py bench simulate [--quick] [--only strategy]

The contenders take turns in one run, and the best of several turns counts, so that a machine with other work slows all
of them alike. "Bare dice" is a loop that does nothing but draw rolls one by one; "bare spin" does arithmetic only.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import crapssim
import numpy as np
from _results import held
from crapssim.bet import Come
from crapssim.strategy.odds import ComeOddsMultiplier, PassLineOddsMultiplier
from crapssim.strategy.single_bet import BetAll, BetPassLine, BetSmall, BetTall
from crapssim.strategy.tools import CountStrategy
from numba import njit, uint64
from rich.console import Console
from rich.table import Table

from pitbook.engine.session import chain
from pitbook.money import Cents
from pitbook.rulebooks.catalogue import load
from pitbook.simulation.bets import Bets, place_bets
from pitbook.simulation.runner import run
from pitbook.simulation.scenario import read_scenario
from pitbook.simulation.seating import seat
from pitbook.simulation.strategies import play_sessions, read_strategy
from pitbook.simulation.streams import begin, turned, upper_half
from pitbook.simulation.summary import summarise

if TYPE_CHECKING:
    from collections.abc import Callable

BARE_AIM, THREADS_AIM, PEER_AIM, STRATEGY_AIM = 0.8, 0.9, 10_000, 5_000
FIRST_AIM, LATER_AIM = 10.0, 1.0
SEED = 7
SHARED_CORES = "the machine's second core had other work: a quiet run reached it."
STARTING = (
    "a first start compiles the kernels for this machine, a later one imports NumPy and Numba: both are work of one "
    "core, as fast as that core."
)

SCENARIO = """
book = "dice-works"
seed = 7
nights = 1
hours = 8
rolls_per_hour = 100
tables = 10
[[players]]
name = "steady"
count = 600
bankroll = 500
bets = [{ wager = "all-lows", stake = 5 }, { wager = "parlay/6x6", stake = 1 }]
[[players]]
name = "doubling"
count = 300
bankroll = 300
bets = [{ wager = "roll-the-line", plan = "progression", stake = 5, factor = 2, limit = 80 }]
[[players]]
name = "dreamers"
count = 100
bankroll = 200
bets = [{ wager = "the-works", plan = "until won", stake = 5 }, { wager = "all-highs", plan = "list", stakes = [1, 2] }]
"""


@njit(nogil=True)
def bare_dice(stream: Any, rolls: Any) -> Any:
    s0, s1, s2, s3 = stream[0], stream[1], stream[2], stream[3]
    total = uint64(0)
    for _ in range(rolls):
        while True:
            word = turned(s0 + s3, 23) + s0
            shifted = s1 << uint64(17)
            s2 ^= s0
            s3 ^= s1
            s1 ^= s2
            s0 ^= s3
            s2 ^= shifted
            s3 = turned(s3, 45)
            if word * uint64(36) >= uint64(16):  # 2^64 mod 36: Lemire's rejection
                break
        total += upper_half(word, uint64(36))
    return total


@njit(nogil=True)
def one_lane(stream: Any, rolls: Any, table: Any, columns: Any, counts: Any) -> Any:
    """Simulate hand after hand and roll after roll over the same compiled table, without parallel lanes.

    It does not reject, as unbiased dice must: it is for comparison only, without a target.
    """
    s0, s1, s2, s3 = stream[0], stream[1], stream[2], stream[3]
    size = table.shape[0]
    state = 0
    for _ in range(rolls):
        word = turned(s0 + s3, 23) + s0
        shifted = s1 << uint64(17)
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        s3 = turned(s3, 45)
        state = table[state, columns[upper_half(word, uint64(36))]]
        if state >= size:
            counts[state - size] += 1
            state = 0
    return state


@njit(nogil=True)
def spin(turns: Any) -> Any:
    word = uint64(1)
    for _ in range(turns):
        word = word * uint64(6364136223846793005) + uint64(1442695040888963407)
    return word


def timed(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began


def best(turns: int, **contenders: Callable[[], object]) -> dict[str, float]:
    """Return the best time of each; they take turns."""
    spent: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(turns):
        for name, work in contenders.items():
            spent[name].append(timed(work))
    return {name: min(times) for name, times in spent.items()}


def on_two_threads(work: Callable[[], object]) -> None:
    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(work), pool.submit(work)]:
            done.result()


def made(wagers: list[str], rolls: float, rolls_a_hand: float) -> Bets:
    stakes = {wager: Cents(100) for wager in wagers}
    bets = place_bets(load("dice-works"), stakes, hands=int(rolls / rolls_a_hand), seed=SEED)
    bets.warm_up()
    return bets


def met(what: str, value: float, aim: float, *, unit: str = "", least: bool = True, hinders: str = "") -> str:
    good = held(what, value, aim, unit=unit, least=least, hinders=hinders)
    return f"aim {aim:g}: {'met' if good else 'missed'}"


def single_thread(rolls: int, turns: int) -> Table:
    stream = np.empty(4, np.uint64)
    begin(stream, np.uint64(SEED), 0)
    machines = {
        "All Lows": ("all-lows", 5.84),
        "Roll the Line": ("roll-the-line", 8.53),
        "The Works": ("the-works", 5.97),
    }
    bets = {name: made([wager], rolls, length) for name, (wager, length) in machines.items()}
    lows = bets["All Lows"].joints[0]
    counts = np.zeros(len(lows.ends), np.int64)
    contenders: dict[str, Callable[[], object]] = {
        "bare dice, one by one": lambda: bare_dice(stream, rolls),
        "All Lows, one lane": lambda: one_lane(stream, rolls, lows.table, lows.cells, counts),
        **{name: lambda one=one: one.run(0, one.blocks) for name, one in bets.items()},  # type: ignore[misc]
    }
    for work in contenders.values():
        work()
    spent = best(turns, **contenders)
    rolled = {name: one.run(0, one.blocks).rolls for name, one in bets.items()}
    rates = {name: rolled.get(name, rolls) / seconds for name, seconds in spent.items()}
    table = Table(title="A machine, single thread", title_justify="left")
    for heading in ("what", "million rolls/s", "of bare dice", ""):
        table.add_column(heading, justify="left" if heading in ("what", "") else "right")
    for name, rate in rates.items():
        ratio = rate / rates["bare dice, one by one"]
        aim = met(f"{name}, one thread, of bare dice rolled one by one", ratio, BARE_AIM) if name in bets else ""
        table.add_row(name, f"{rate / 1e6:,.0f}", f"{ratio:.2f}", aim)
    return table


def two_threads(rolls: int, turns: int) -> str:
    # Short pieces, many turns: on a machine with other work some of them have both cores to themselves.
    lows = made(["all-lows"], rolls, 5.84)
    spins = rolls // 2
    spent = best(
        turns,
        spin_one=lambda: spin(spins),
        spin_two=lambda: on_two_threads(lambda: spin(spins)),
        ours_one=lambda: run(lows, threads=1),
        ours_two=lambda: run(lows, threads=2),
    )
    bare, ours = 2 * spent["spin_one"] / spent["spin_two"], spent["ours_one"] / spent["ours_two"]
    ratio = ours / bare
    gain = met("two threads, of the gain of a bare spin loop", ratio, THREADS_AIM, hinders=SHARED_CORES)
    gains = f"bare spin {bare:.2f} times one, All Lows {ours:.2f} times"
    return f"Two threads: {gains}: {ratio:.2f} of the gain ({gain})"


def crapssim_plays(strategy: Any, rolls: int) -> None:
    table = crapssim.Table(seed=SEED)
    table.add_player(bankroll=1e12, strategy=strategy)
    table.run(max_rolls=rolls, verbose=False)
    if table.dice.n_rolls != rolls or table.players[0].total_player_cash == 1e12:
        raise SystemExit(f"crapssim rolled {table.dice.n_rolls} times, or made no bet: nothing to compare with")


def against_crapssim(rolls: int, peer_rolls: int, turns: int) -> Table:
    three = BetAll(5) + BetTall(5) + BetSmall(5)
    collect = made(["all-lows", "all-highs", "the-works"], rolls, 5.97)
    spent = best(
        turns,
        pass_line=lambda: crapssim_plays(BetPassLine(5), peer_rolls),
        three=lambda: crapssim_plays(three, peer_rolls),
        ours=lambda: collect.run(0, collect.blocks),
    )
    theirs = {"pass line": peer_rolls / spent["pass_line"], "all, tall and small": peer_rolls / spent["three"]}
    ours = collect.run(0, collect.blocks).rolls / spent["ours"]
    table = Table(title="Against crapssim, single thread", title_justify="left")
    for heading in ("what", "rolls/s", "ours is faster by"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    for name, rate in theirs.items():
        # Only bets of the same kind are compared; the pass line is there to show how quick the peer can be.
        ratio = "-"
        if name.startswith("all"):
            times = met("times faster than crapssim, all, tall and small", ours / rate, PEER_AIM)
            ratio = f"{ours / rate:,.0f} times ({times})"
        table.add_row(f"crapssim, {name}", f"{rate:,.0f}", ratio)
    table.add_row("All Lows, All Highs and The Works on the same dice", f"{ours:,.0f}", "")
    return table


def a_strategy(peer_rolls: int, turns: int) -> str:
    """Pass line and two come bets with full odds: our sessions and crapssim's rolls take turns, one thread each."""
    craps = load("craps")
    chained = chain(craps, read_strategy(craps, "pass-and-two-come")[1])
    sessions, rolls = 100_000, 200
    spent = best(
        turns,
        theirs=lambda: crapssim_plays(
            BetPassLine(10) + CountStrategy(Come, 2, Come(10)) + PassLineOddsMultiplier() + ComeOddsMultiplier(),
            peer_rolls,
        ),
        ours=lambda: play_sessions(chained, sessions, rolls, SEED),
    )
    ours, theirs = sessions * rolls / spent["ours"], peer_rolls / spent["theirs"]
    times = met("times faster than crapssim, pass line and two come bets with odds", ours / theirs, STRATEGY_AIM)
    return (
        f"Pass line and two come bets with full odds: {ours / 1e6:,.0f} M rolls/s, crapssim {theirs:,.0f}: "
        f"{ours / theirs:,.0f} times ({times})"
    )


def ten_bets(rolls: int, turns: int) -> str:
    wagers = list(load("dice-works").wagers)[:10]
    together = made(wagers, rolls / 10, 8.54)
    seconds = best(turns, ten=lambda: together.run(0, together.blocks))["ten"]
    rolled = together.run(0, together.blocks).rolls
    rate, each = rolled / seconds, seconds / rolled / len(wagers) * 1e9
    machines = len(together.joints)
    return (
        f"Ten bets on one hand ({machines} joint machines): {rate / 1e6:,.0f} M rolls/s, {each:.2f} ns a bet and roll"
    )


def a_night(turns: int) -> str:
    """From the text of the scenario to the figures of all players: reading it and seating them is part of it."""

    def played(nights: int, threads: int) -> None:
        night = seat(read_scenario(SCENARIO.replace("nights = 1", f"nights = {nights}")))
        summarise(night, run(night, threads=threads).result)

    seat(read_scenario(SCENARIO)).warm_up()
    spent = best(turns, one=lambda: played(1, 1), many=lambda: played(100, 2))
    many_seconds = f"100 of them on two threads {spent['many']:.2f} s"
    return f"1,000 players, 8 hours, 10 tables, text to figures: one night {spent['one']:.3f} s; {many_seconds}"


def starting(name: str, *words: str) -> str:
    """Time the command in separate processes, without and with cached machine code and bytecode."""
    command = [sys.executable, "-m", "pitbook", "simulate", *words]
    first: list[float] = []
    later: list[float] = []
    for _ in range(2):
        with tempfile.TemporaryDirectory() as folder:
            bytecode = str(Path(folder, "bytecode"))
            environment = {**os.environ, "PITBOOK_KERNELS": folder, "PYTHONPYCACHEPREFIX": bytecode}
            environment.pop("PYTHONDONTWRITEBYTECODE", None)
            for times in (first, later, later):
                began = perf_counter()
                subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
                times.append(perf_counter() - began)
    starts = []
    for start, times, aim in (("first start", first, FIRST_AIM), ("later start", later, LATER_AIM)):
        verdict = met(f"{name}: {start}", min(times), aim, unit="s", least=False, hinders=STARTING)
        starts.append(f"{min(times):.2f} to {max(times):.2f} s ({verdict})")
    return f"pitbook simulate {name}, start to exit: first on a fresh install {starts[0]}, later {starts[1]}"


def starts() -> list[str]:
    """Bets and a night have loops of their own to compile."""
    with tempfile.TemporaryDirectory() as folder:
        night = Path(folder, "night.toml")
        night.write_text(SCENARIO, encoding="utf-8")
        return [
            starting("a bet", "dice-works", "--bet", "all-lows=5", "--hands", "1e5"),
            starting("a night", "--scenario", str(night)),
        ]


SECTIONS: dict[str, Callable[[int, int, int], list[Any]]] = {
    "machine": lambda rolls, _peer_rolls, turns: [single_thread(rolls, turns), ""],
    "threads": lambda _rolls, _peer_rolls, turns: [two_threads(600_000_000, 3 * turns), ""],
    "crapssim": lambda rolls, peer_rolls, turns: [against_crapssim(rolls, peer_rolls, turns), ""],
    "strategy": lambda _rolls, peer_rolls, turns: [a_strategy(peer_rolls, turns)],
    "ten": lambda rolls, _peer_rolls, turns: [ten_bets(rolls, turns)],
    "night": lambda _rolls, _peer_rolls, turns: [a_night(turns)],
    "start": lambda _rolls, _peer_rolls, _turns: list(starts()),
}


def main() -> None:
    parser = argparse.ArgumentParser(description="simulation: rolls a second, threads, peers, nights")
    parser.add_argument("--quick", action="store_true", help="a tenth of the rolls, fewer turns")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=SECTIONS, help="run only these sections")
    chosen = parser.parse_args()
    rolls, peer_rolls, turns = (30_000_000, 20_000, 3) if chosen.quick else (200_000_000, 50_000, 7)
    console = Console()
    if not console.is_terminal:
        console = Console(width=150)  # a file or pipe has no width: keep every row on one line
    spin(1)
    for section in chosen.only:
        console.print(*SECTIONS[section](rolls, peer_rolls, turns), sep="\n", highlight=False)
    console.print(
        f"Python {platform.python_version()} on {platform.system()} {platform.machine()}, {os.cpu_count()} cores; "
        f"Numba {version('numba')}, crapssim {version('crapssim')}",
        highlight=False,
    )


if __name__ == "__main__":
    main()
