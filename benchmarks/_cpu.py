"""Processor time of a process's threads and of a database's processes, from /proc. Used by the other benchmarks."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import psycopg

PROC = Path("/proc")


def threads(process: int) -> tuple[float, float]:
    """Return the processor time of a process in microseconds: its main thread, and all others."""
    spent = {}
    for task in (PROC / str(process) / "task").iterdir():
        with suppress(OSError):  # a thread that has just ended
            spent[int(task.name)] = _microseconds(task)
    main = spent.pop(process, 0.0)
    return main, sum(spent.values())


def database(url: str) -> int | None:
    """Return the process id of the PostgreSQL server at a URL, or None if it is on another machine."""
    with suppress(OSError, psycopg.Error), psycopg.connect(url) as connection:
        row = connection.execute("SELECT current_setting('data_directory')").fetchone()
        return int((Path(row[0]) / "postmaster.pid").read_text(encoding="utf-8").split()[0]) if row else None
    return None


def children(process: int | None) -> float:
    """Return the processor time of a process's children in microseconds: a PostgreSQL server's connections."""
    spent = 0.0
    for found in PROC.iterdir() if process is not None else ():
        with suppress(OSError, IndexError):
            if found.name.isdigit() and int(_after_name(found)[1]) == process:
                spent += _microseconds(found)
    return spent


def own() -> tuple[float, float]:
    """Return the processor time of this process in microseconds: its main thread, and all others."""
    return threads(os.getpid())


def _microseconds(place: Path) -> float:
    return int((place / "schedstat").read_text(encoding="ascii").split()[0]) / 1_000


def _after_name(place: Path) -> list[str]:
    return (place / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
