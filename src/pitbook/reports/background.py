"""Simulated nights in a process of their own: at low priority, never on all cores, bounded in time, cancelled at will.

`start_nights` is for whoever must go on with other work meanwhile, such as a server with live tables. The process is
told everything on its standard input and tells on its standard output how far it is, one JSON document a line.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, Literal

from pitbook.mistakes import Mistake, Mistakes
from pitbook.simulation.running import cores, run
from pitbook.simulation.scenario import read_scenario
from pitbook.simulation.seating import seat

if TYPE_CHECKING:
    from pitbook.simulation.work import Progress

SECONDS_MOST = 600.0
PLAYER_NIGHTS_MOST = 2_000_000
TELL_EVERY = 0.2
REPORT = "report.html"
SUMMARY = "summary.json"
FILES = (REPORT, SUMMARY, "players.parquet", "house.parquet", "ends.parquet")
"""What a run leaves in its folder."""

Status = Literal["running", "done", "stopped", "cancelled", "failed"]


@dataclass(frozen=True, slots=True)
class State:
    """How a run stands. `stopped`: its time was over, and the files tell what was done until then."""

    status: Status = "running"
    done: int = 0
    units: int = 0
    rate: float = 0.0
    seconds_left: float | None = None
    problem: str = ""


class Nights:
    """A run in its process."""

    def __init__(self, process: subprocess.Popen[str], folder: Path, units: int) -> None:
        self.folder = folder
        self._process = process
        self._lock = Lock()
        self._state = State(units=units)
        self._reader = Thread(target=self._read, name="simulated nights", daemon=True)
        self._reader.start()

    @property
    def state(self) -> State:
        """How it stands now."""
        with self._lock:
            return self._state

    def cancel(self) -> None:
        """Ends it; files that it may have written are of no use."""
        with self._lock:
            if self._state.status == "running":
                self._state = replace(self._state, status="cancelled", seconds_left=None)
                self._process.kill()

    def wait(self, timeout: float | None = None) -> State:
        """Waits for its end, or for so many seconds."""
        self._reader.join(timeout)
        return self.state

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with suppress(ValueError, TypeError), self._lock:
                if self._state.status == "running":
                    self._state = State(**json.loads(line))
        code = self._process.wait()
        self._process.stdout.close()
        with self._lock:
            if self._state.status == "running":
                words = f"the process ended with code {code}"
                self._state = replace(self._state, status="failed", problem=words, seconds_left=None)


def start_nights(
    scenario: str, folder: Path, *, threads: int | None = None, seconds: float = SECONDS_MOST, seed: int | None = None
) -> Nights:
    """Starts the nights of a scenario's text; its problems are told at once, before anything is started."""
    text = read_scenario(scenario).text
    if "/" in text.book or "\\" in text.book or text.book.endswith(".toml"):
        raise Mistakes([f"scenario: book: {text.book} is a path; name a packaged book"])
    played = text.nights * sum(players.count for players in text.players)
    if played > PLAYER_NIGHTS_MOST:
        raise Mistakes([f"scenario: nights: {played:,} nights of players; the most here is {PLAYER_NIGHTS_MOST:,}"])
    folder.mkdir(parents=True, exist_ok=True)
    request = {
        "scenario": scenario,
        "folder": str(folder),
        "threads": min(threads or cores(), max(1, cores() - 1)),
        "seconds": min(seconds, SECONDS_MOST),
        "seed": seed,
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "pitbook.reports.background"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        start_new_session=True,  # a Ctrl-C meant for its parent is not meant for it
    )
    assert process.stdin is not None
    with suppress(BrokenPipeError):
        process.stdin.write(json.dumps(request))
        process.stdin.close()
    return Nights(process, folder, text.nights)


def _tell(state: State) -> None:
    sys.stdout.write(json.dumps(asdict(state)) + "\n")
    sys.stdout.flush()


def work_off(request: dict[str, Any]) -> State:
    """The whole of a run, in its process."""
    from pitbook.reports.nights import write_report
    from pitbook.simulation.storing import write_parquet
    from pitbook.simulation.summary import night_data

    night = seat(read_scenario(request["scenario"]), request["seed"])
    folder, stop, told, deadline = Path(request["folder"]), Event(), 0.0, time.monotonic() + request["seconds"]

    def watch(progress: Progress) -> None:
        nonlocal told
        now = time.monotonic()
        if now > deadline:
            stop.set()
        if now - told > TELL_EVERY:
            told = now
            _tell(State("running", progress.done, progress.units, progress.rate, progress.seconds_left))

    found = run(night, threads=request["threads"], watch=watch, stop=stop)
    evening = found.result.in_order()
    write_parquet(folder, night, evening)
    write_report(folder / REPORT, night, evening)
    (folder / SUMMARY).write_text(json.dumps(night_data(night, evening), ensure_ascii=False), encoding="utf-8")
    status: Status = "done" if found.complete else "stopped"
    return State(status, found.progress.done, found.progress.units, found.progress.rate)


def main() -> None:
    """Reads what to do, gives way to everything else on the machine, and does it."""
    with suppress(OSError):
        os.nice(19)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    request = json.load(sys.stdin)
    try:
        _tell(work_off(request))
    except (Mistake, OSError) as trouble:
        _tell(State("failed", problem=" ".join(str(trouble).split())))


if __name__ == "__main__":
    main()
