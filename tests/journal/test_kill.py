"""kill -9 of a real process while it writes: nothing acknowledged is lost, nothing is there twice, no cent is off."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.soaking import SOAK, thorough
from tests.waiting import HANG

RUNS = int(os.environ.get("PITBOOK_FAULT_RUNS", "100"))
"""For each seed on SQLite; a fifth of them on PostgreSQL."""

ROOT = Path(__file__).parents[2]


def killing(where: str, runs: int, seed: int) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.journal.kill_runs", where, str(runs), str(seed)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG + 5 * runs,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("seed", [4, *thorough(14)])
def test_killed_on_sqlite(seed: int, tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    found = killing(str(tmp_path), RUNS, seed + SOAK)
    record_property("examples", RUNS)
    assert found["problems"] == []
    assert found["acknowledged"] > RUNS


def test_killed_on_postgres(postgres_url: str, record_property: Callable[[str, object], None]) -> None:
    runs = max(1, RUNS // 5)
    found = killing(postgres_url, runs, seed=5 + SOAK)
    record_property("examples", runs)
    assert found["problems"] == []
    assert found["acknowledged"] > runs
