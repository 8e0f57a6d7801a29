"""Which test reaches which line: the tests of a package, run once over the copy with their coverage."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import coverage
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

OPTIONS = ("-q", "-p", "no:xdist", "-p", "no:cacheprovider", "-p", "no:doctest", "--override-ini=addopts=")
IMPORT = "--import-mode=importlib"


class Tracer:
    """Names the running test to the coverage, and notes whether it passed and what it took.

    Seconds are those of the processor, with its children's: they do not depend on what else the machine does.
    """

    def __init__(self, coverage: coverage.Coverage) -> None:
        self._coverage = coverage
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._coverage.switch_context(item.nodeid)
        began = sum(os.times()[:4])
        yield
        self.seconds[item.nodeid] = sum(os.times()[:4]) - began
        self._coverage.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.outcome != "passed":
            self.failed.append(report.nodeid)


def trace(sources: Path, folders: list[str], tests: list[str], target: Path) -> int:
    """Run tests with coverage and write tests, seconds, and the tests of every line as JSON; return an exit code."""
    include = [f"{sources / folder}/*" for folder in folders]
    measured = coverage.Coverage(data_file=None, include=include, config_file=False)
    tracer = Tracer(measured)
    measured.start()
    code = pytest.main([*OPTIONS, IMPORT, "--no-header", "--tb=short", "--disable-warnings", *tests], plugins=[tracer])
    measured.stop()
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        return int(code)
    data = measured.get_data()
    lines = {
        Path(file).relative_to(sources).as_posix(): {
            str(line): sorted(set(contexts)) for line, contexts in data.contexts_by_lineno(file).items()
        }
        for file in sorted(data.measured_files())
    }
    good = {test: took for test, took in tracer.seconds.items() if test not in tracer.failed}
    target.write_text(json.dumps({"seconds": good, "failed": sorted(set(tracer.failed)), "lines": lines}))
    return 0


def merged(old: dict[str, Any], new: dict[str, Any], files: set[str]) -> dict[str, Any]:
    """Replace what is known of the tests in these files."""

    def stays(test: str) -> bool:
        return test == "" or test.partition("::")[0] not in files

    lines: dict[str, dict[str, list[str]]] = {}
    for module in {*old["lines"], *new["lines"]}:
        before, after = old["lines"].get(module, {}), new["lines"].get(module, {})
        lines[module] = {
            line: sorted({*filter(stays, before.get(line, [])), *after.get(line, [])}) for line in {*before, *after}
        }
    seconds = {test: took for test, took in old["seconds"].items() if stays(test)} | new["seconds"]
    failed = sorted({*filter(stays, old["failed"]), *new["failed"]})
    return {"seconds": seconds, "failed": failed, "lines": lines}


if __name__ == "__main__":
    sys.exit(trace(Path(sys.argv[1]), sys.argv[2].split(","), sys.argv[4:], Path(sys.argv[3])))
