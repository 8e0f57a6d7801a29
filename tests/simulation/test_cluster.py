"""The same blocks on a real Dask cluster of two worker processes: the same numbers, even when one of them is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from threading import Event
from typing import Any

import pytest

from pitbook.errors import InputError
from pitbook.money import Cents
from pitbook.rulebooks.catalogue import load
from pitbook.simulation.bets import BLOCK, place_bets
from pitbook.simulation.runner import run
from pitbook.simulation.work import Progress

distributed = pytest.importorskip("distributed")

pytestmark = [
    # Processes of the cluster are ended by force here; what they leave open is theirs.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    # Bokeh, which draws Dask's own pages, is not wanted and not installed.
    pytest.mark.filterwarnings("ignore:.*[Dd]ashboard.*:UserWarning"),
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address="127.0.0.1:0",
        host="127.0.0.1",
        silence_logs=50,
    ) as made:
        yield made


@pytest.mark.thorough
def test_a_cluster_gives_the_same_numbers_and_a_lost_worker_loses_nothing(cluster: Any) -> None:
    bets = place_bets(load("dice-works"), {"the-works": Cents(500)}, hands=400 * BLOCK + 3, seed=7)
    whole = bets.run(0, bets.blocks)
    assert run(bets, cluster=cluster.scheduler_address).result == whole

    bets = place_bets(load("dice-works"), {"the-works": Cents(500)}, hands=1500 * BLOCK, seed=8)
    victim = next(iter(cluster.workers.values())).pid
    killed: list[int] = []

    def watch(progress: Progress) -> None:
        if not killed and progress.done < progress.units / 2:
            killed.append(victim)
            os.kill(victim, signal.SIGKILL)

    found = run(bets, cluster=cluster.scheduler_address, watch=watch)
    assert killed
    assert found.complete
    assert found.result.hands == bets.hands
    assert found.result == bets.run(0, bets.blocks)


def test_a_run_on_a_cluster_stops_on_request(cluster: Any) -> None:
    bets = place_bets(load("dice-works"), {"the-works": Cents(500)}, hands=100_000 * BLOCK, seed=9)
    stop = Event()
    found = run(bets, cluster=cluster.scheduler_address, stop=stop, watch=lambda _: stop.set())
    assert 0 < found.result.hands == found.progress.done < bets.hands


def test_an_address_without_an_answer_is_reported_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitbook.simulation.cluster.CONNECT", "500ms")
    bets = place_bets(load("dice-works"), {"all-lows": Cents(500)}, hands=10, seed=9)
    for address in ("tcp://127.0.0.1:9", "nonsense"):
        with pytest.raises(InputError, match="no Dask scheduler answers at"):
            run(bets, cluster=address)
