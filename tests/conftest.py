"""Options and hooks for all tests, and the Hypothesis profile."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

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
    parser.addoption("--all", action="store_true", help="run the tests marked `thorough`, too")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of xdist whether it will import all tests, and whether it is to run the thorough ones."""
    node.workerinput["whole"] = node.config.args_source is not pytest.Config.ArgsSource.ARGS
    node.workerinput["all"] = node.config.option.all


def pytest_sessionstart(session: pytest.Session) -> None:
    """Import a share of the test modules first, so that not every process of a run compiles all of them."""
    worker: dict[str, Any] = getattr(session.config, "workerinput", {})
    if worker.get("whole"):
        root = session.config.rootpath
        first, step = int(worker["workerid"].removeprefix("gw")), worker["workercount"]
        for file in sorted((root / "tests").rglob("test_*.py"))[first::step]:
            with suppress(Exception, pytest.skip.Exception):  # collection reports it
                import_module(".".join(file.relative_to(root).with_suffix("").parts))


def pytest_collection_finish() -> None:
    """Exempt what was imported and collected from garbage collection, because it is never freed; collect less often."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out thorough tests unless they are requested; the other tests cover nearly the same branches."""
    if config.option.all:
        return
    thorough = [item for item in items if item.get_closest_marker("thorough")]
    if thorough:
        config.hook.pytest_deselected(items=thorough)
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether golden files and registers are to be written again."""
    return bool(request.config.getoption("--update"))


@pytest.fixture
def pictures(request: pytest.FixtureRequest) -> bool:
    """Return whether screenshots are requested."""
    return bool(request.config.getoption("--pictures"))


class FailureNames:
    """Prints the name of each failed test at once: a complete run takes a while."""

    def __init__(self, reporter: pytest.TerminalReporter) -> None:
        self._reporter = reporter

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._reporter.write_line("")
            self._reporter.write_line(f"FAILED {report.nodeid}", red=True)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        config.option.all = config.workerinput["all"]
    else:
        named = config.args_source is pytest.Config.ArgsSource.ARGS or config.option.keyword or config.option.markexpr
        config.option.all = bool(config.option.all or SOAK or named)
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None:  # xdist's workers have none
        config.pluginmanager.register(FailureNames(reporter))


WHOLE = 15
"""A run with tests of this many parts reports how long each took."""


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
    if len(spent) < WHOLE:
        return
    terminalreporter.section("seconds by part, summed over all processes")
    for part, seconds in sorted(spent.items(), key=lambda item: -item[1]):
        terminalreporter.line(f"{part:14}{seconds:7.0f} s")
