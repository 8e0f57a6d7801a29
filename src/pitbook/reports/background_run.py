"""Simulated nights in a separate process: low priority, never all cores, a time limit, can be cancelled.

`start_nights` is for callers with other work to do meanwhile, such as a server with live tables.
"""

from __future__ import annotations

import json
import signal
import time
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, Final, Literal

from pitbook.child_processes import Job, ProcessEnded, report_progress
from pitbook.errors import InputError, InputErrors
from pitbook.messages import Message, compose
from pitbook.rulebooks.editions import Editions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pitbook.rulebooks.editions import BookData
    from pitbook.simulation.scenario import Scenario, Text
    from pitbook.simulation.work import Progress

# Simulation code is imported where it is needed: a server that only starts a process does not need it.

SECONDS_MAX = 600.0
SECONDS_SPARE = 60.0
"""How much longer than its time a run may take for its last chunk and its files, before it is killed."""
PLAYER_NIGHTS_MAX = 2_000_000
GROUP_NIGHTS_MAX = 250_000
"""At least one player of each group is followed through every night, with 65 numbers for the plots."""
NIGHT_HOURS_MAX = 5_000_000
NIGHT_WORK_MAX = 5_000_000_000
"""Rolls of one night times the moves of each: a run can only be stopped between nights."""
REPORT_INTERVAL = 0.2
REPORT = "report.html"
SUMMARY = "summary.json"
FILES = (REPORT, SUMMARY, "players.parquet", "house.parquet", "ends.parquet")
"""The files of a run."""

Status = Literal["running", "done", "stopped", "cancelled", "failed"]


@dataclass(frozen=True, slots=True)
class State:
    """The state of a run; `stopped` if its time was over, and the files cover what was done."""

    status: Status = "running"
    done: int = 0
    units: int = 0
    rate: float = 0.0
    seconds_left: float | None = None
    problem: Message | None = None
    """Why it failed."""


class NightsRun:
    """A run in its process."""

    def __init__(self, job: Job, folder: Path, units: int) -> None:
        self.folder = folder
        self.process: Final = job
        self._lock = Lock()
        self._state = State(units=units)
        self._stopping = False
        self._reader = Thread(target=self._read, name="simulated nights", daemon=True)
        self._reader.start()

    @property
    def state(self) -> State:
        """The current state."""
        with self._lock:
            return self._state

    def stop(self) -> None:
        """Play no further night and report what was done; without a night the run is cancelled."""
        with self._lock:
            if self._state.status == "running":
                self._stopping = True
                self.process.terminate()

    def cancel(self) -> None:
        """Kill the run; its files are useless."""
        with self._lock:
            if self._state.status == "running":
                self._state = replace(self._state, status="cancelled", seconds_left=None)
                self.process.kill()

    def wait(self, timeout: float | None = None) -> State:
        """Wait for the end, or for a number of seconds."""
        self._reader.join(timeout)
        return self.state

    def _read(self) -> None:
        try:
            self._follow(self.process.receive(on_progress=self._follow))
        except InputErrors as error:  # the scenario was checked before the start, so there is rarely even one
            self._fail(error.errors[0])
        except InputError as error:
            self._fail(error.message)
        except RuntimeError as error:
            self._fail(compose("errors.simulation.run-failed", reason=" ".join(str(error).split())))
        except ProcessEnded:
            self._fail(compose("errors.simulation.run-ended-early"))
        finally:
            self.process.close()

    def _follow(self, state: State) -> None:
        with self._lock:
            if self._state.status == "running":
                self._state = state

    def _fail(self, problem: Message) -> None:
        with self._lock:
            if self._state.status != "running":
                return
            if self._stopping:  # before the process could report
                self._state = replace(self._state, status="cancelled", seconds_left=None)
            else:
                self._state = replace(self._state, status="failed", problem=problem, seconds_left=None)


def read_bounded(content: str, editions: Editions) -> Scenario:
    """Return a scenario that is small enough to run beside a server; raise all its errors at once."""
    from pitbook.simulation.scenario import read_scenario
    from pitbook.simulation.validation import InvalidScenario, ScenarioError

    scenario = read_scenario(content, open_book=editions.newest)
    flaws = [ScenarioError(place, "too much", message) for place, message in _find_excesses(scenario.text)]
    if flaws:
        raise InvalidScenario("scenario", flaws)
    return scenario


def _find_excesses(text: Text) -> Iterator[tuple[str, Message]]:
    """Yield what would take more memory or time than a run may have."""
    players = sum(group.count for group in text.players)
    if text.nights * players > PLAYER_NIGHTS_MAX:
        yield "nights", _problem("nights-of-players", count=text.nights * players, most=PLAYER_NIGHTS_MAX)
    if text.nights * len(text.players) > GROUP_NIGHTS_MAX:
        yield "nights", _problem("nights-of-groups", count=text.nights * len(text.players), most=GROUP_NIGHTS_MAX)
    if text.nights * text.hours > NIGHT_HOURS_MAX:
        yield "hours", _problem("hours", count=round(text.nights * text.hours), most=NIGHT_HOURS_MAX)
    wagers = len({plan.wager for group in text.players for plan in group.bets})
    bets = sum(group.count * len(group.bets) for group in text.players)
    if text.hours * text.rolls_per_hour * (text.tables * wagers + bets) > NIGHT_WORK_MAX:
        yield "rolls_per_hour", _problem("work")


def _problem(id: str, /, **params: int) -> Message:  # noqa: A002
    return compose(f"errors.simulation.flaws.{id}", **params)


def start_nights(
    scenario: str,
    folder: Path,
    *,
    threads: int | None = None,
    seconds: float = SECONDS_MAX,
    seed: int | None = None,
    books: Sequence[BookData] = (),
) -> NightsRun:
    """Start the nights of a scenario's text; raise its errors before anything is started."""
    nights = read_bounded(scenario, Editions(books)).text.nights
    return launch_nights(scenario, folder, nights, threads=threads, seconds=seconds, seed=seed, books=books)


def launch_nights(
    scenario: str,
    folder: Path,
    nights: int,
    *,
    threads: int | None = None,
    seconds: float = SECONDS_MAX,
    seed: int | None = None,
    books: Sequence[BookData] = (),
) -> NightsRun:
    """Start the nights of a text that `read_bounded` has checked; `books` are the house's own."""
    folder.mkdir(parents=True, exist_ok=True)
    request = {
        "scenario": scenario,
        "folder": str(folder),
        "threads": threads,
        "seconds": min(seconds, SECONDS_MAX),
        "seed": seed,
        "books": list(books),
    }
    return NightsRun(Job(simulate_nights, request, nice=19), folder, nights)


def run_nights(request: dict[str, Any], stop: Event) -> State:
    """Run the nights and write their files."""
    from pitbook.reports.night_report import write_report
    from pitbook.simulation.checking import check_wagers
    from pitbook.simulation.parquet import write_parquet
    from pitbook.simulation.plots import plot_data
    from pitbook.simulation.runner import available_cores, run
    from pitbook.simulation.seating import seat
    from pitbook.simulation.summary import night_data

    scenario = read_bounded(request["scenario"], Editions(request["books"]))
    night = seat(scenario, request["seed"])
    threads = min(request["threads"] or available_cores(), max(1, available_cores() - 1))
    folder, last_report, deadline = Path(request["folder"]), 0.0, time.monotonic() + request["seconds"]

    def watch(progress: Progress) -> None:
        nonlocal last_report
        now = time.monotonic()
        if now > deadline:
            stop.set()
        if now - last_report > REPORT_INTERVAL:
            last_report = now
            report_progress(State("running", progress.done, progress.units, progress.rate, progress.seconds_left))

    found = run(night, threads=threads, watch=watch, stop=stop)
    done, rate = found.progress.done, found.progress.rate
    if not done:
        return State("cancelled", units=night.nights)
    report_progress(State("running", done, night.nights, rate, None))
    checks = check_wagers(scenario, night.seed, threads=threads, stop=stop)
    evening = found.result.in_order()
    write_parquet(folder, night, evening)
    write_report(folder / REPORT, night, evening)
    summary = night_data(night, evening) | {"plots": plot_data(night, evening), "wagers": checks}
    (folder / SUMMARY).write_text(json.dumps(summary, ensure_ascii=False), encoding="utf-8")
    return State("done" if found.complete else "stopped", done, night.nights, rate)


def simulate_nights(request: dict[str, Any]) -> State:
    """Run the nights in the child process; SIGTERM ends the run after the current night."""
    from pitbook.simulation.optional_dependencies import extras

    stop = Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    try:
        with extras():
            return run_nights(request, stop)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise InputError("simulation.run-files", reason=error.strerror or error) from None
