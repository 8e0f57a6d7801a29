"""The folder of a house's recent runs: scenario, state and results of each."""

from __future__ import annotations

import hashlib
import re
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from pitbook.reports.background_run import REPORT, SUMMARY
from pitbook.server.schemas.simulation_runs import RunInfo, RunResult

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pitbook.server.settings import Settings

RUNS_MAX = 12
BYTES_MAX = 500_000_000
SCENARIO = "scenario.toml"
RECORD = "run.json"
STOP = "stop"
"""A file that asks the process of the run, which may be another one, to stop."""
MEDIA_TYPES = {
    REPORT: "text/html; charset=utf-8",
    SCENARIO: "application/toml",
    "players.parquet": "application/vnd.apache.parquet",
    "house.parquet": "application/vnd.apache.parquet",
    "ends.parquet": "application/vnd.apache.parquet",
}
"""The files of a run that can be downloaded."""
_RUN = re.compile(r"\d{8}-\d{6}-[0-9a-f]{8}")


def runs_folder(settings: Settings) -> Path:
    """Return the folder of runs in the data folder; each journal elsewhere has one of its own."""
    place = settings.data / "simulations"
    return place / hashlib.sha256(settings.journal.encode()).hexdigest()[:16] if settings.journal else place


class RunStore:
    """The runs of a house on disk; all methods block briefly."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run_folder(self, run: str) -> Path | None:
        """Return the folder of a run, or None if there is no such run."""
        found = self.folder / run
        return found if _RUN.fullmatch(run) and found.is_dir() else None

    def create(self, run: str, scenario: str) -> Path:
        """Create the folder of a new run, readable by the owner only."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        place = self.folder / run
        place.mkdir(mode=0o700)
        (place / SCENARIO).write_text(scenario, encoding="utf-8")
        return place

    def write(self, info: RunInfo) -> None:
        """Write the state of a run atomically."""
        place = self.folder / info.run
        fresh = place / f"{RECORD}.new"
        with suppress(FileNotFoundError):  # its folder was deleted meanwhile
            fresh.write_bytes(msgspec.json.encode(info))
            fresh.replace(place / RECORD)

    def read(self, run: str) -> RunInfo | None:
        """Return the state of a run as it was last written."""
        place = self.run_folder(run)
        if place is None:
            return None
        try:
            info = msgspec.json.decode((place / RECORD).read_bytes(), type=RunInfo)
        except (OSError, msgspec.DecodeError):
            return None
        files = [name for name in MEDIA_TYPES if (place / name).is_file()]
        return msgspec.structs.replace(info, files=files)

    def list_runs(self) -> list[RunInfo]:
        """Return all runs, the newest first."""
        return [info for run in self._names() if (info := self.read(run)) is not None]

    def result(self, run: str) -> RunResult | None:
        """Return the result of a run."""
        place = self.run_folder(run)
        if place is None or not (place / SUMMARY).is_file():
            return None
        data = msgspec.json.decode((place / SUMMARY).read_bytes())
        totals: dict[str, int] = {}
        for end in data["ends"]:
            totals[end["wager"]] = totals.get(end["wager"], 0) + end["count"]
        for end in data["ends"]:
            end["share"] = end["count"] / (totals[end["wager"]] or 1)
        return msgspec.convert(data, RunResult)

    def find_file(self, run: str, name: str) -> Path | None:
        """Return a file that can be downloaded."""
        place = self.run_folder(run)
        found = place / name if place is not None and name in MEDIA_TYPES else None
        return found if found is not None and found.is_file() else None

    def request_stop(self, run: str) -> None:
        """Ask the process of a run to stop."""
        place = self.run_folder(run)
        if place is not None:
            (place / STOP).touch()

    def is_stop_requested(self, run: str) -> bool:
        return (self.folder / run / STOP).exists()

    def prune(self, keep: str = "") -> None:
        """Delete the oldest runs beyond the limits of number and bytes, but never the newest."""
        used = 0
        for number, run in enumerate(self._names()):
            used += sum(file.stat().st_size for file in _files(self.folder / run))
            if run != keep and number and (number >= RUNS_MAX or used > BYTES_MAX):
                shutil.rmtree(self.folder / run, ignore_errors=True)

    def delete(self, run: str) -> None:
        place = self.run_folder(run)
        if place is not None:
            shutil.rmtree(place, ignore_errors=True)

    def _names(self) -> list[str]:
        with suppress(OSError):
            return sorted((one.name for one in self.folder.iterdir() if _RUN.fullmatch(one.name)), reverse=True)
        return []


def _files(place: Path) -> Iterator[Path]:
    with suppress(OSError):
        yield from (file for file in place.iterdir() if file.is_file())
