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

KEPT = 12
BYTES_MAX = 500_000_000
SCENARIO = "scenario.toml"
RECORD = "run.json"
STOP = "stop"
"""A file that asks the process which runs it to stop: it may be another than the one that is asked."""
MEDIA_TYPES = {
    REPORT: "text/html; charset=utf-8",
    SCENARIO: "application/toml",
    "players.parquet": "application/vnd.apache.parquet",
    "house.parquet": "application/vnd.apache.parquet",
    "ends.parquet": "application/vnd.apache.parquet",
}
"""What can be downloaded of a run."""
_RUN = re.compile(r"\d{8}-\d{6}-[0-9a-f]{8}")


def folder_of(settings: Settings) -> Path:
    """In the data folder; a house whose journal is elsewhere has one of its own there."""
    place = settings.data / "simulations"
    return place / hashlib.sha256(settings.journal.encode()).hexdigest()[:16] if settings.journal else place


class RunStore:
    """The runs of a house on disk. All of it blocks shortly."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def place(self, run: str) -> Path | None:
        """The folder of a run; None where there is none of that name."""
        found = self.folder / run
        return found if _RUN.fullmatch(run) and found.is_dir() else None

    def begin(self, run: str, scenario: str) -> Path:
        """A folder for a new run, which nobody else on the machine reads."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        place = self.folder / run
        place.mkdir(mode=0o700)
        (place / SCENARIO).write_text(scenario, encoding="utf-8")
        return place

    def write(self, told: RunInfo) -> None:
        """How a run stands; never half of it."""
        place = self.folder / told.run
        fresh = place / f"{RECORD}.new"
        with suppress(FileNotFoundError):  # its folder was deleted meanwhile
            fresh.write_bytes(msgspec.json.encode(told))
            fresh.replace(place / RECORD)

    def read(self, run: str) -> RunInfo | None:
        """How it stood when it was last written."""
        place = self.place(run)
        if place is None:
            return None
        try:
            told = msgspec.json.decode((place / RECORD).read_bytes(), type=RunInfo)
        except (OSError, msgspec.DecodeError):
            return None
        files = [name for name in MEDIA_TYPES if (place / name).is_file()]
        return msgspec.structs.replace(told, files=files)

    def runs(self) -> list[RunInfo]:
        """All of them, the newest first."""
        return [told for run in self._names() if (told := self.read(run)) is not None]

    def result(self, run: str) -> RunResult | None:
        """What a run came to."""
        place = self.place(run)
        if place is None or not (place / SUMMARY).is_file():
            return None
        data = msgspec.json.decode((place / SUMMARY).read_bytes())
        totals: dict[str, int] = {}
        for end in data["ends"]:
            totals[end["wager"]] = totals.get(end["wager"], 0) + end["count"]
        for end in data["ends"]:
            end["share"] = end["count"] / (totals[end["wager"]] or 1)
        return msgspec.convert(data, RunResult)

    def file(self, run: str, name: str) -> Path | None:
        """A file that can be downloaded."""
        place = self.place(run)
        found = place / name if place is not None and name in MEDIA_TYPES else None
        return found if found is not None and found.is_file() else None

    def ask_to_stop(self, run: str) -> None:
        """For the process that runs it."""
        place = self.place(run)
        if place is not None:
            (place / STOP).touch()

    def is_asked_to_stop(self, run: str) -> bool:
        """Whether somebody asked."""
        return (self.folder / run / STOP).exists()

    def tidy(self, spare: str = "") -> None:
        """Deletes what is beyond the number and the bytes that are kept; the newest stays in any case."""
        used = 0
        for number, run in enumerate(self._names()):
            used += sum(file.stat().st_size for file in _files(self.folder / run))
            if run != spare and number and (number >= KEPT or used > BYTES_MAX):
                shutil.rmtree(self.folder / run, ignore_errors=True)

    def delete(self, run: str) -> None:
        """Takes a run away."""
        place = self.place(run)
        if place is not None:
            shutil.rmtree(place, ignore_errors=True)

    def _names(self) -> list[str]:
        with suppress(OSError):
            return sorted((one.name for one in self.folder.iterdir() if _RUN.fullmatch(one.name)), reverse=True)
        return []


def _files(place: Path) -> Iterator[Path]:
    with suppress(OSError):
        yield from (file for file in place.iterdir() if file.is_file())
