"""Nights in their own process: watched, bounded, cancelled."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pitbook.child_processes import ChildProcess
from pitbook.errors import InputErrors
from pitbook.reports.background_run import FILES, start_nights
from pitbook.simulation.plots import plot_data
from pitbook.simulation.runner import available_cores
from pitbook.simulation.scenario import read_scenario
from pitbook.simulation.seating import seat
from pitbook.simulation.summary import night_data
from tests.simulation.nights import SCENARIO
from tests.waiting import HANG

LONG = SCENARIO.replace("nights = 6", "nights = 10000").replace("hours = 2.5", "hours = 500")


def test_a_run_in_the_background_leaves_its_files_and_the_same_figures(tmp_path: Path) -> None:
    nights = start_nights(SCENARIO, tmp_path)
    state = nights.wait(HANG)
    assert (state.status, state.done, state.units) == ("done", 6, 6)
    assert {file.name for file in tmp_path.iterdir()} == set(FILES)
    night = seat(read_scenario(SCENARIO))
    found = json.loads((tmp_path / "summary.json").read_text())
    evening = night.run(0, 6)
    assert {key: found[key] for key in found if key not in ("plots", "wagers")} == night_data(night, evening)
    assert found["plots"] == plot_data(night, evening)
    assert [one["wager"] for one in found["wagers"]][:2] == ["all-lows", "parlay/6x6"]
    assert all(abs(one["z"]) < 5 for one in found["wagers"])


@pytest.mark.thorough
def test_a_run_gives_way_tells_how_far_it_is_and_can_be_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ChildProcess, "__init__", ChildProcess.__init__.__wrapped__)  # type: ignore[attr-defined]
    nights = start_nights(LONG, tmp_path)
    while not nights.state.done and nights.state.status == "running":
        nights.wait(0.05)
    assert os.getpriority(os.PRIO_PROCESS, nights.process.pid) == 19
    threads = len(list(Path(f"/proc/{nights.process.pid}/task").iterdir())) if Path("/proc").exists() else 1
    assert threads <= 2 + max(1, available_cores() - 1)
    assert nights.state.rate > 0
    nights.cancel()
    assert nights.wait(5 * HANG).status == "cancelled"  # low priority: slow on a busy machine
    assert not nights.process.running


@pytest.mark.thorough
def test_a_run_that_is_stopped_reports_what_was_done(tmp_path: Path) -> None:
    nights = start_nights(LONG, tmp_path)
    while not nights.state.done and nights.state.status == "running":
        nights.wait(0.05)
    nights.stop()
    state = nights.wait(HANG)
    assert state.status == "stopped"
    assert json.loads((tmp_path / "summary.json").read_text())["nights"] == state.done < state.units


def test_a_run_that_is_stopped_before_its_first_night_leaves_nothing(tmp_path: Path) -> None:
    nights = start_nights(LONG, tmp_path)
    nights.stop()
    assert nights.wait(HANG).status == "cancelled"
    assert not list(tmp_path.iterdir())


@pytest.mark.thorough
def test_a_run_whose_time_is_over_reports_what_was_done(tmp_path: Path) -> None:
    state = start_nights(LONG, tmp_path, seconds=0.5).wait(HANG)
    assert state.status == "stopped"
    assert 0 < state.done < state.units
    assert json.loads((tmp_path / "summary.json").read_text())["nights"] == state.done


def test_a_scenario_that_cannot_run_is_refused_before_anything_starts(tmp_path: Path) -> None:
    for text, words in (
        (SCENARIO.replace("dice-works", "/etc/book.toml"), "book"),
        (SCENARIO.replace("nights = 6", "nights = 1000000"), "at most 2,000,000 are possible here"),
        (LONG.replace("hours = 500", "hours = 1000"), "at most 5,000,000 are possible here"),
        (
            SCENARIO.replace("rolls_per_hour = 60", "rolls_per_hour = 100000").replace("tables = 2", "tables = 9999"),
            "one night",
        ),
        (SCENARIO.replace("hours", "huors"), "huors"),
    ):
        with pytest.raises(InputErrors, match=words):
            start_nights(text, tmp_path)
    assert not list(tmp_path.iterdir())
