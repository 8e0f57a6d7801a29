"""Runs mutants against the tests that cover them.

A process that has collected the tests forks for each mutant, changes the functions there, and runs the tests that cover
the changed line, until one fails.

A change outside functions needs the package to be imported again, as does one that survives though its line is run on
import: that is done in a fork of a second process, which has imported everything but the package and its tests.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import re
import resource
import select
import shutil
import signal
import socket
import sys
import time
import traceback
from collections import Counter, defaultdict
from functools import lru_cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

import pytest

from mutation.mutants import SOURCES, Mutant, Settings, difference, mutants_of
from mutation.tracing import IMPORT, OPTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NO_SHRINKING = "--hypothesis-profile=mutation"
IMPORTED = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
"""Plugins are imported before pytest could rewrite their assertions."""
TOLD_EVERY = 20.0
BROKEN = 3
"""The exit code of a child in which something else than a test went wrong."""


class BrokenRun(Exception):
    """The process that ran the tests ended without a result; this counts as survived."""


class Forking:
    """A pytest plugin that takes the place of running the tests."""

    def __init__(
        self,
        package: str,
        known: dict[str, Any],
        chosen: Sequence[Mutant],
        results: Path,
        seconds: float,
        fresh: Fresh,
    ) -> None:
        self._package = package
        self._fresh = fresh
        self._seconds = seconds
        self._known = known
        self._chosen = chosen
        self._results = results
        self._out = os.fdopen(os.dup(1), "w")
        self._items: dict[str, pytest.Item] = {}
        self._functions: dict[str, list[FunctionType]] = defaultdict(list)
        self._kills: dict[str, Counter[str]] = defaultdict(Counter)
        self._outcomes: Counter[str] = Counter()
        self._session: pytest.Session

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self._session = session
        self._items = {item.nodeid: item for item in session.items}
        for one in gc.get_objects():
            if isinstance(one, FunctionType):
                self._functions[one.__code__.co_filename].append(one)
        self._fresh.warm()
        gc.collect()
        gc.freeze()
        began = told = time.monotonic()
        self._say(f"{len(self._items):,} tests collected, {len(self._chosen):,} mutants to run")
        with self._results.open("a", encoding="utf-8") as results:
            for number, mutant in enumerate(self._chosen, 1):
                found = self._run(mutant)
                self._outcomes[found["outcome"]] += 1
                results.write(json.dumps({"id": mutant.id, **found}) + "\n")
                results.flush()
                if time.monotonic() > told + TOLD_EVERY or number == len(self._chosen):
                    told = time.monotonic()
                    took = (told - began) / number
                    counts = ", ".join(f"{count} {outcome}" for outcome, count in sorted(self._outcomes.items()))
                    self._say(f"{number:,} of {len(self._chosen):,} mutants: {counts}; {took:.1f} s each")
        return True

    def _say(self, text: str) -> None:
        print(f"{self._package}: {text}", file=self._out, flush=True)

    def _run(self, mutant: Mutant) -> dict[str, Any]:
        path = Path.cwd() / SOURCES / mutant.module
        source = path.read_text(encoding="utf-8")
        changed = mutant.apply(source)
        before, after = difference(source, changed or source)
        shown = {"before": before, "after": after}
        if changed is None or not _compiles(changed) or before == after:
            return {"outcome": "no mutant", **shown}
        tests = self._tests(mutant)
        if not tests:
            return {"outcome": "survived", "why": "no test reaches it", **shown}
        began = time.monotonic()
        try:
            _write(path, changed)
            why = self._outcome(mutant, path, source, changed, tests)
        except BrokenRun:
            return {"outcome": "survived", "why": "the process that ran the tests broke", **shown}
        finally:
            _write(path, source)
            for left in Path(os.environ["TMPDIR"]).iterdir():
                shutil.rmtree(left, ignore_errors=True)
        took = round(time.monotonic() - began, 2)
        if why is None:
            return {"outcome": "survived", "why": f"{len(tests)} tests passed", "seconds": took, **shown}
        if why in self._items:
            self._kills[mutant.module][why] += 1
            self._kills[mutant.module + mutant.function][why] += 1
        return {"outcome": "killed", "why": why, "seconds": took, **shown}

    def _tests(self, mutant: Mutant) -> list[str]:
        """Return the tests of a line: first those that killed its neighbours or use its name, then the fastest."""
        lines, uses = self._known["lines"].get(mutant.module, {}), self._uses(mutant)
        reached = {test for line in mutant.lines for test in lines.get(str(line), ())}
        if not mutant.function or reached == {""}:  # outside functions, or run on import only
            reached = {test for tests in lines.values() for test in tests} | uses
        seconds = {test: self._known["seconds"][test] for test in reached if test in self._known["seconds"]}
        near, far = self._kills[mutant.module + mutant.function], self._kills[mutant.module]
        first = [test for test, _ in (*near.most_common(4), *far.most_common(4)) if seconds.get(test, 9) < 5]
        spent, found = 0.0, list(dict.fromkeys(first))
        for test in sorted(seconds, key=lambda one: (one not in uses, seconds[one], one)):
            spent += seconds[test]
            if spent > self._seconds and found:
                break
            if test not in found and test in self._items:
                found.append(test)
        return found

    def _uses(self, mutant: Mutant) -> set[str]:
        """Return the tests for a change outside functions: they reach a line with its name, or import its module."""
        if mutant.function:
            return set()
        dotted = ".".join((*SOURCES.parts[1:], *Path(mutant.module).with_suffix("").parts))
        found = {test for test in self._items if dotted in _text(Path(test.partition("::")[0]))}
        for module, lines in self._known["lines"].items() if mutant.assigned else ():
            text = _text(SOURCES / module).splitlines()
            named = [line for line in lines if re.search(rf"\b{mutant.assigned}\b", text[int(line) - 1])]
            found |= {test for line in named for test in lines[line] if test}
        return found

    def _outcome(self, mutant: Mutant, path: Path, source: str, changed: str, tests: list[str]) -> str | None:
        """Return what killed it; None where it survives."""
        swaps = self._swaps(path, source, changed) if mutant.function else None
        if swaps:
            why = self._forked(swaps, tests)
            imported = any("" in self._known["lines"][mutant.module].get(str(line), ()) for line in mutant.lines)
            if why is not None or not imported:
                return why
        return self._apart(tests)

    def _swaps(self, path: Path, source: str, changed: str) -> list[tuple[FunctionType, CodeType]] | None:
        """Return the functions that are in memory and the code that they get; None where that is not enough."""
        before, after = (compile(text, str(path), "exec", dont_inherit=True) for text in (source, changed))
        new_code: dict[CodeType, CodeType] = {}
        for old, new in _pairs(before, after):
            if old is None or new is None or len(old.co_freevars) != len(new.co_freevars):
                return None
            if old != new:
                new_code[old] = new
        return [(one, new_code[one.__code__]) for one in self._functions[str(path)] if one.__code__ in new_code]

    def _limit(self, tests: list[str]) -> float:
        return float(sum(self._known["seconds"].get(test, 0.0) for test in tests))

    def _forked(self, swaps: list[tuple[FunctionType, CodeType]], tests: list[str]) -> str | None:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            try:
                os._exit(self._in_child(swaps, tests, writing))
            finally:
                os._exit(BROKEN)
        os.close(writing)
        with os.fdopen(reading, "rb") as told:
            code = _awaited(child, told.fileno(), 30 + 8 * self._limit(tests))
            why = told.read().decode() if code is not None else ""
        if code == 0:
            return None
        if code == BROKEN and not why:
            raise BrokenRun
        return why or ("time limit" if code in (None, -signal.SIGXCPU) else f"ended with {code}")

    def _in_child(self, swaps: list[tuple[FunctionType, CodeType]], tests: list[str], writing: int) -> int:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        cpu = int(10 + 4 * self._limit(tests))
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 5))
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        self._session.config.get_terminal_writer()._file = Path(os.devnull).open("w")  # noqa: SIM115
        for function, code in swaps:
            function.__code__ = code
        items = [self._items[test] for test in tests]
        for item, after in zip(items, [*items[1:], None], strict=True):
            item.ihook.pytest_runtest_protocol(item=item, nextitem=after)
            if self._session.testsfailed:
                os.write(writing, item.nodeid.encode())
                os.close(writing)
                signal.alarm(10)
                self._session._setupstate.teardown_exact(None)
                return 1
        return 0

    def _apart(self, tests: list[str]) -> str | None:
        """Run the tests in a process that has not imported the package yet."""
        code, output = self._fresh.run(tests, 60 + 8 * self._limit(tests))
        if code == 0:
            return None
        if code == BROKEN:
            self._say(output)
            raise BrokenRun
        failed = [line.split()[1] for line in output.splitlines() if line.startswith(("FAILED ", "ERROR "))]
        return failed[0] if failed else "time limit" if code is None else f"import or collection ({code})"


class Fresh:
    """A process that imports other people's modules only, and forks to run tests."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        if os.fork() == 0:
            ours.close()
            with theirs.makefile("rw", encoding="utf-8") as asked:
                for line in asked:
                    print(json.dumps(_answer(**json.loads(line))), file=asked, flush=True)
            os._exit(0)
        theirs.close()
        self._file = ours.makefile("rw", encoding="utf-8")

    def warm(self) -> None:
        """Import what this process has imported, but for the package and its tests."""
        here = str(Path.cwd())
        files = {name: getattr(module, "__file__", None) for name, module in sys.modules.items()}
        self._ask({"modules": [name for name, file in files.items() if file and not file.startswith(here)]})

    def run(self, tests: list[str], seconds: float) -> tuple[int | None, str]:
        """Run tests until one fails; return the exit code, None where the time was over, and what was printed."""
        code, output = self._ask({"tests": tests, "seconds": seconds})
        return code, output

    def _ask(self, asked: dict[str, Any]) -> Any:
        print(json.dumps(asked), file=self._file, flush=True)
        return json.loads(self._file.readline())


def _answer(
    modules: Sequence[str] = (), tests: Sequence[str] = (), seconds: float = 0.0
) -> tuple[int | None, str] | None:
    for name in modules:
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    if not tests:
        gc.collect()
        gc.freeze()
        return None
    output = Path(os.environ["TMPDIR"], "output")
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            told = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            for stream, target in ((0, os.open(os.devnull, os.O_RDONLY)), (1, told), (2, told)):
                os.dup2(target, stream)
            ended = int(pytest.main([*OPTIONS, *IMPORTED, IMPORT, NO_SHRINKING, "-x", "--tb=no", "-rfE", *tests]))
            sys.stdout.flush()
            os._exit(ended)
        finally:
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(BROKEN)
    os.close(writing)
    code = _awaited(child, reading, seconds)
    os.close(reading)
    return code, output.read_text(encoding="utf-8")


def _awaited(child: int, told: int, seconds: float) -> int | None:
    """Wait for a child until its time is over; return its exit code, negative for a signal, None if it was too slow."""
    ends = time.monotonic() + seconds
    pause = 0.002
    code: int | None = None
    try:
        while time.monotonic() < ends:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                code = os.waitstatus_to_exitcode(status)
                break
            select.select([told], [], [], pause)
            time.sleep(pause)
            pause = min(pause * 1.5, 0.05)
    finally:  # also where this process is asked to end
        _end_group(child)
    if code is None:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return code


def _end_group(leader: int) -> None:
    """End what is left of a process group that was started here."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


def _pairs(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType | None, CodeType | None]]:
    """Walk two trees of code side by side; a None where they differ in shape."""
    inner_old = [one for one in old.co_consts if isinstance(one, CodeType)]
    inner_new = [one for one in new.co_consts if isinstance(one, CodeType)]
    if [one.co_qualname for one in inner_old] != [one.co_qualname for one in inner_new]:
        yield None, None
        return
    for one, other in zip(inner_old, inner_new, strict=True):
        yield one, other
        yield from _pairs(one, other)


@lru_cache
def _text(file: Path) -> str:
    return (Path.cwd() / file).read_text(encoding="utf-8")


def _compiles(source: str) -> bool:
    try:
        compile(source, "mutant", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


_written = time.time()


def _write(path: Path, text: str) -> None:
    """Write a source with a time of its own, so that no bytecode of another version fits it."""
    global _written  # noqa: PLW0603
    _written += 2
    path.write_text(text, encoding="utf-8")
    os.utime(path, (_written, _written))


def main(package: str, work: Path, seconds: float) -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    known = json.loads((work / "tests.json").read_text(encoding="utf-8"))
    wanted = set(json.loads((work / "wanted.json").read_text(encoding="utf-8")))
    settings = Settings.read()
    chosen = [mutant for mutant in all_mutants(package, settings) if mutant.id in wanted]
    chosen.sort(key=lambda mutant: not mutant.critical)
    plugin = Forking(package, known, chosen, work / "results.jsonl", seconds, Fresh())
    tests = sorted({test.partition("::")[0] for test in known["seconds"]})
    code = pytest.main([*OPTIONS, IMPORT, NO_SHRINKING, "--no-header", *tests], plugins=[plugin])
    sys.exit(0 if code in (0, 5) else int(code))


def all_mutants(package: str, settings: Settings, root: Path | None = None) -> list[Mutant]:
    """Return the mutants of every module of a package, in order."""
    sources = (root or Path.cwd()) / SOURCES
    return [
        mutant
        for folder in settings.folders(package)
        for path in sorted((sources / folder).rglob("*.py"))
        for mutant in mutants_of(path.relative_to(sources).as_posix(), path.read_text(encoding="utf-8"), settings)
    ]


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3]))
