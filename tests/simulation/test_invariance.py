"""One seed, one result: whatever the threads, the chunks, the interruptions."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from pitbook.errors import InputError
from pitbook.money import Cents
from pitbook.rulebooks.catalogue import load
from pitbook.simulation.bets import BLOCK, DRAW, Bets, place_bets
from pitbook.simulation.night_result import NightResult
from pitbook.simulation.runner import run
from pitbook.simulation.scenario import read_scenario
from pitbook.simulation.seating import Night, seat
from pitbook.simulation.tally import Tally
from pitbook.simulation.work import Progress, cut_into_chunks
from tests.simulation.nights import SCENARIO

HANDS = 5 * BLOCK + 77
RUNS = {
    "one machine": ("dice-works", {"all-lows": 500, "roll-the-line": 1000}, HANDS),
    "several machines": ("dice-works", dict.fromkeys(["high-roller", "roll-the-line", "the-works"], 100), HANDS),
    "one draw": ("maryland-sic-bo", {"small": 500, "total/4": 100}, 3 * DRAW + 5),
}


@pytest.fixture(params=RUNS)
def bets(request: pytest.FixtureRequest) -> Bets:
    return made(request.param)


def made(name: str, seed: int = 7) -> Bets:
    book, stakes, hands = RUNS[name]
    return place_bets(load(book), {wager: Cents(stake) for wager, stake in stakes.items()}, hands=hands, seed=seed)


@pytest.fixture(scope="module")
def night() -> Night:
    return seat(read_scenario(SCENARIO))


def same(one: NightResult, other: NightResult) -> bool:
    return all(np.array_equal(getattr(one, field.name), getattr(other, field.name)) for field in fields(NightResult))


@pytest.mark.parametrize("size", [1, 2, 4])
def test_chunks_of_any_size_give_the_same(bets: Bets, size: int) -> None:
    parts = [bets.run(*span) for span in cut_into_chunks([(0, bets.blocks)], size)]
    assert sum(reversed(parts), Tally()) == bets.run(0, bets.blocks)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_any_number_of_threads_gives_the_same(bets: Bets, threads: int) -> None:
    found = run(bets, threads=threads)
    assert found.complete
    assert found.result == bets.run(0, bets.blocks)


def test_another_seed_gives_another_result(bets: Bets) -> None:
    name = next(name for name, (book, stakes, _) in RUNS.items() if book == bets.book and len(stakes) == len(bets.bets))
    assert made(name, seed=8).run(0, 1) != bets.run(0, 1)


def test_nights_are_the_same_on_any_number_of_threads_and_in_any_chunks(night: Night) -> None:
    whole = night.run(0, night.nights)
    assert same(run(night, threads=2).result.in_order(), whole)
    parts = [night.run(*span) for span in cut_into_chunks([(0, night.nights)], 3)]
    assert same(sum(reversed(parts), night.empty).in_order(), whole)


def stopped_after(bets: Bets | Night, parts: int, checkpoint: Path) -> Progress:
    """Runs until so many parts have come, as someone who presses Ctrl-C would."""
    stop, seen = Event(), []

    def watch(progress: Progress) -> None:
        seen.append(progress)
        if len(seen) == parts:
            stop.set()

    run(bets, threads=1, checkpoint=checkpoint, watch=watch, stop=stop)
    return seen[-1]


def test_a_run_gone_on_with_from_a_checkpoint_is_the_uninterrupted_one(tmp_path: Path) -> None:
    bets = place_bets(load("dice-works"), {"all-lows": Cents(500)}, hands=200 * BLOCK + 9, seed=7)
    path = tmp_path / "run.checkpoint"
    assert 0 < stopped_after(bets, 2, path).done < bets.hands
    found = run(bets, threads=2, checkpoint=path)
    assert found.complete
    assert 0 < found.progress.fresh < bets.hands
    assert found.result == bets.run(0, bets.blocks)
    again = run(bets, checkpoint=path)  # nothing left to do
    assert (again.progress.fresh, again.result) == (0, found.result)


def test_nights_go_on_from_a_checkpoint(tmp_path: Path, night: Night) -> None:
    path = tmp_path / "nights"
    assert 0 < stopped_after(night, 2, path).done < night.nights
    assert same(run(night, checkpoint=path).result.in_order(), night.run(0, night.nights))


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run"
    run(made("one machine"), checkpoint=path)
    with pytest.raises(InputError, match="another run"):
        run(made("one machine", seed=8), checkpoint=path)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"not a checkpoint"])
def test_a_damaged_checkpoint_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "run"
    path.write_bytes(content)
    with pytest.raises(InputError, match="is not a checkpoint"):
        run(made("one draw"), checkpoint=path)


def test_a_cut_checkpoint_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run"
    run(made("one machine"), checkpoint=path)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(InputError, match="is not a checkpoint"):
        run(made("one machine"), checkpoint=path)


def test_a_stopped_run_counts_every_chunk_that_it_began() -> None:
    bets = place_bets(load("dice-works"), {"all-lows": Cents(500)}, hands=1000 * BLOCK, seed=7)
    stop = Event()
    found = run(bets, threads=2, stop=stop, watch=lambda _: stop.set())
    assert 0 < found.result.hands == found.progress.done < bets.hands
    assert found.result.hands == sum(found.result.ends[0])
