"""Options and hooks for all tests, and the Hypothesis profile."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.child_priority import ignore_niceness
from tests.soaking import SOAK, examples_of

ignore_niceness()
settings.register_profile(
    "pitbook", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], max_examples=100
)
settings.register_profile(
    "soak", deadline=None, derandomize=False, suppress_health_check=[HealthCheck.too_slow], max_examples=1000
)
settings.register_profile(  # dev.py mutate: a test that fails is enough, and need not be made smaller
    "mutation", settings.get_profile("pitbook"), phases=[Phase.explicit, Phase.generate]
)
settings.load_profile("soak" if SOAK else "pitbook")


MEMORY = Path("/dev/shm")
ROOM = 4 * 2**30
if "TMPDIR" not in os.environ and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
    # Hundreds of journals are written here, each synced many times. Killing a process loses nothing that is in
    # memory, either; power failures are tested separately (tests/journal/test_power.py).
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write golden files and registers again")
    parser.addoption("--pictures", action="store_true", help="write what pages show to build/screenshots")


def pytest_collection_finish() -> None:
    """Exempt what was imported and collected from garbage collection: all of it stays until the end."""
    gc.freeze()


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether golden files and registers are to be written again."""
    return bool(request.config.getoption("--update"))


@pytest.fixture
def pictures(request: pytest.FixtureRequest) -> bool:
    """Return whether screenshots are requested."""
    return bool(request.config.getoption("--pictures"))


PARTS = {
    "browser": 830,
    "server": 430,
    "unit": 85,
    "house": 75,
    "clauses": 60,
    "simulation": 40,
    "journal": 40,
    "table": 30,
    "fairness": 25,
    "audit": 20,
    "auth": 18,
    "ui": 40,
    "playthroughs": 8,
    "src": 8,
    "proofs": 5,
    "people": 5,
    "releases": 40,
    "tumbler": 5,
    "messages": 5,
}
"""The seconds that each part may take, by the clock of one of three processes; more is reported but does not fail."""
WHOLE = 3 * 10 * 60
"""What all parts together aim at: ten minutes of three processes, which is what two cores carry."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report the time by part after a full run, and the number of cases after a soak."""
    spent: dict[str, float] = {}
    examples = 0
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                part = report.nodeid.split("/")[1] if report.nodeid.startswith("tests/") else "src"
                spent[part] = spent.get(part, 0.0) + report.duration
                examples += examples_of(report)
    if SOAK:
        terminalreporter.line(f"soaked with seed {SOAK}: {examples:,} examples")
    if len(spent) < len(PARTS):
        return
    terminalreporter.section("seconds by part")
    for part, seconds in sorted(spent.items(), key=lambda item: -item[1]):
        terminalreporter.line(f"{part:14}{seconds:7.0f} s{_of(seconds, PARTS.get(part))}")
    total = sum(spent.values())
    terminalreporter.line(f"{'all':14}{total:7.0f} s{_of(total, WHOLE)}: ten minutes on two cores, by three processes")


def _of(seconds: float, budget: int | None) -> str:
    """Return the budget and whether it was exceeded."""
    if budget is None:
        return ""
    return f" of {budget:4} s" + ("  over its budget" if seconds > budget else "")
