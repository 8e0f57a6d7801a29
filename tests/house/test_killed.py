"""kill -9 of a house that deals: its tables stand where they stood, a round is settled once, the auditor agrees."""

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

RUNS = int(os.environ.get("PITBOOK_FAULT_RUNS", "25"))
"""For each seed on SQLite; a fifth of them on PostgreSQL."""

ROOT = Path(__file__).parents[2]


def killing(where: str, runs: int, seed: int) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.house.kill_runs", where, str(runs), str(seed)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG + 5 * runs,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def check(found: dict[str, Any], runs: int) -> None:
    assert found["problems"] == []
    assert found["acknowledged"] > 5 * runs
    assert found["throws"] > runs // 2
    assert found["lines"] > runs // 2


@pytest.mark.parametrize("seed", [6, *thorough(16)])
def test_killed_on_sqlite(seed: int, tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    record_property("examples", RUNS)
    check(killing(str(tmp_path), RUNS, seed + SOAK), RUNS)


def test_killed_on_postgres(postgres_url: str, record_property: Callable[[str, object], None]) -> None:
    runs = max(1, RUNS // 5)
    record_property("examples", runs)
    check(killing(postgres_url, runs, seed=7 + SOAK), runs)
