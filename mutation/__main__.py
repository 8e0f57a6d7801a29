"""The command: copy, trace, run, report."""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import nullcontext
from hashlib import sha256
from pathlib import Path
from typing import Any

from mutation.mutants import ROOT, SOURCES, Mutant, Settings
from mutation.running import NO_SHRINKING, all_mutants
from mutation.tracing import merged

SEED = 20_240_229
"""Of the sample: always the same mutants."""
COPIED = ("src", "tests", "mutation", "docs", "pyproject.toml")
LEFT_OUT = shutil.ignore_patterns("__pycache__")


def main() -> int:
    settings = Settings.read()
    given = _arguments(settings)
    if given.package is None:
        _print_packages(settings)
        return 0
    work = _work(given.package)
    if given.fresh:
        (work / "results.jsonl").unlink(missing_ok=True)
    chosen = _chosen(given, settings)
    results = _results(work)
    known = {one.id for one in chosen if one.id in results and not (given.again and _survived(one, results, settings))}
    todo = [one for one in chosen if one.id not in known]
    if todo and not given.report:
        _run(given.package, settings, work, todo, given.seconds)
        results = _results(work)
    return _report(given.package, chosen, results, settings)


def _arguments(settings: Settings) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python3 dev.py mutate", description=__doc__)
    package = "a package below src/pitbook; only with --report it may be left out"
    parser.add_argument("package", nargs="?", choices=sorted(settings.tests), help=package)
    parser.add_argument("--module", action="append", default=[], help="only this module, such as betting.py")
    parser.add_argument("--critical", action="store_true", help="only lines that move money or grant rights")
    parser.add_argument("--sample", type=int, metavar="N", help="only N mutants, always the same for one --seed")
    parser.add_argument("--seed", type=int, default=SEED, help="of the sample")
    parser.add_argument("--again", action="store_true", help="run the survivors again")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results")
    parser.add_argument("--report", action="store_true", help="run nothing; print what is known")
    seconds = "of tests for one mutant, the fastest ones that reach it; 10 unless told (a slower test may kill more)"
    parser.add_argument("--seconds", type=float, default=10.0, help=seconds)
    given = parser.parse_args()
    if given.package is None and not given.report:
        parser.error("name a package, or use --report")
    return given


def _work(package: str) -> Path:
    """Return the folder for the results of a package, and make it."""
    work = ROOT / "build" / "mutation" / package.replace("/", "-")
    work.mkdir(parents=True, exist_ok=True)
    return work


def _chosen(given: argparse.Namespace, settings: Settings) -> list[Mutant]:
    found = all_mutants(given.package, settings, ROOT)
    if given.module:
        found = [one for one in found if Path(one.module).name in given.module]
    if given.critical:
        found = [one for one in found if one.critical]
    if given.sample is not None and given.sample < len(found):
        found = random.Random(given.seed).sample(found, given.sample)
    return found


def _survived(mutant: Mutant, results: dict[str, dict[str, Any]], settings: Settings) -> bool:
    found = results[mutant.id]
    return found["outcome"] == "survived" and not _is_equivalent(mutant, found, settings)


def _is_equivalent(mutant: Mutant, found: dict[str, Any], settings: Settings) -> bool:
    return (mutant.module, found["before"], found["after"]) in settings.equivalent


def _results(work: Path) -> dict[str, dict[str, Any]]:
    """Return the last result of each mutant."""
    file = work / "results.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {found["id"]: found for found in map(json.loads, lines)}


def _run(package: str, settings: Settings, work: Path, todo: list[Mutant], seconds: float) -> None:
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="mutants-", dir=memory if memory.is_dir() else None) as folder:
        copy, temporary = Path(folder, "copy"), Path(folder, "tmp")
        temporary.mkdir()
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, copy / name, ignore=LEFT_OUT)
            else:
                copy.mkdir(exist_ok=True)
                shutil.copy(source, copy / name)
        environment = {
            **os.environ,
            "PYTHONPATH": f"{copy / 'src'}{os.pathsep}{copy}",
            "PYTHONDONTWRITEBYTECODE": "1",
            "TMPDIR": str(temporary),
        }
        with _Postgres(copy, environment) if package in settings.postgres else nullcontext():
            _trace(package, settings, work, copy, environment)
            (work / "wanted.json").write_text(json.dumps([one.id for one in todo]), encoding="utf-8")
            command = [sys.executable, "-m", "mutation.running", package, str(work), str(seconds)]
            code = subprocess.run(command, cwd=copy, env=environment, check=False).returncode
    if code:
        raise SystemExit(f"the run ended with {code}; the same command again goes on with what is left")


class _Postgres:
    """A PostgreSQL for all mutants, so that no test has to start one."""

    def __init__(self, copy: Path, environment: dict[str, str]) -> None:
        self._copy, self._environment = copy, environment

    def __enter__(self) -> None:
        script = (
            "import sys; from tests.postgres import running_postgres\n"
            "with running_postgres() as url: print(url, flush=True); sys.stdin.read()"
        )
        plain = {**self._environment, "TMPDIR": "/tmp"}
        self._process = subprocess.Popen(
            [sys.executable, "-c", script],
            cwd=self._copy,
            env=plain,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self._environment["PITBOOK_TEST_POSTGRES_URL"] = self._process.stdout.readline().strip()

    def __exit__(self, *_: object) -> None:
        self._process.communicate()


def _trace(package: str, settings: Settings, work: Path, copy: Path, environment: dict[str, str]) -> None:
    """Trace the tests, or only those of the files that have changed since the last time."""
    target, stamp = work / "tests.json", work / "traced.json"
    paths = [copy / path for path in settings.tests[package]]
    files = sorted(file for path in paths for file in ([path] if path.is_file() else path.rglob("test_*.py")))
    files = [file for file in files if file.relative_to(copy).as_posix() not in settings.left_out]
    others = [*(copy / "src").rglob("*.py"), *(copy / "src").rglob("*.toml")]
    others += [file for file in (copy / "tests").rglob("*.py") if not file.name.startswith("test_")]
    now = {file.relative_to(copy).as_posix(): _digest([file], copy) for file in files}
    before = json.loads(stamp.read_text(encoding="utf-8")) if stamp.exists() and target.exists() else {}
    now[""] = _digest(others, copy)
    whole = before.get("") != now[""]
    changed = [name for name in now if name and (whole or before.get(name) != now[name])]
    gone = {name for name in before if name not in now}
    if not changed and not gone:
        return
    began = time.monotonic()
    print(f"{package}: tracing {len(changed)} of {len(files)} test files", flush=True)
    part, folders = work / "traced-part.json", ",".join(settings.folders(package))
    command = [sys.executable, "-m", "mutation.tracing", copy / SOURCES, folders, part, NO_SHRINKING, *changed]
    with (work / "tracing.log").open("w", encoding="utf-8") as log:
        run = subprocess.run(list(map(str, command)), cwd=copy, env=environment, stdout=log, stderr=log, check=False)
    if run.returncode:
        raise SystemExit(f"the tests of {package} cannot be collected; the reason is in {log.name}")
    found = json.loads(part.read_text(encoding="utf-8"))
    if not whole:
        found = merged(json.loads(target.read_text(encoding="utf-8")), found, {*changed, *gone})
    target.write_text(json.dumps(found), encoding="utf-8")
    stamp.write_text(json.dumps(now), encoding="utf-8")
    print(f"{package}: {len(found['seconds']):,} tests pass; traced in {time.monotonic() - began:.0f} s", flush=True)
    if found["failed"]:
        print(f"{package}: left out, as they fail or are skipped: {', '.join(found['failed'])}", flush=True)


def _digest(files: list[Path], copy: Path) -> str:
    found = sha256()
    for file in sorted(files):
        found.update(f"{file.relative_to(copy)} ".encode() + file.read_bytes())
    return found.hexdigest()


def _report(package: str, chosen: list[Mutant], results: dict[str, dict[str, Any]], settings: Settings) -> int:
    """Print the score of each module, then the survivors; the exit code is 1 where some mutants have no result yet."""
    modules: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in chosen:
        modules[mutant.module].append(mutant)
    _print_head()
    for module in sorted(modules):
        _print_row(module, modules[module], results, settings)
    _print_row(package, chosen, results, settings)
    survivors = [one for one in chosen if one.id in results and _survived(one, results, settings)]
    for mutant in sorted(survivors, key=lambda one: (one.module, one.line)):
        found = results[mutant.id]
        mark = "!" if mutant.critical else " "
        print(f"{mark} {mutant.module}:{mutant.line} {mutant.operator}: {found['why']}")
        print(f"    - {found['before']}\n    + {found['after']}")
    return 1 if any(one.id not in results for one in chosen) else 0


def _print_packages(settings: Settings) -> None:
    """Print the score of every package."""
    _print_head()
    for package in settings.tests:
        _print_row(package, all_mutants(package, settings, ROOT), _results(_work(package)), settings)


def _print_head() -> None:
    print(f"{'':38}{'lines that move money or grant rights':>40}{'other lines':>32}{'':>12}")
    columns = f"{'run':>16}{'killed':>8}{'score':>8}"
    print(f"{'':38}{columns:>40}{columns}{'equivalent':>12}")


def _print_row(name: str, chosen: list[Mutant], results: dict[str, dict[str, Any]], settings: Settings) -> None:
    """Print how many mutants were run, of how many, and the score of these.

    Critical lines are apart, as usually all of these are run, but only a sample of the others. Equivalent mutants and
    changes that do not compile are not counted.
    """
    columns, equivalent = "", 0
    for critical in (True, False):
        run = killed = waiting = 0
        for mutant in chosen:
            if mutant.critical is not critical:
                continue
            found = results.get(mutant.id)
            if found is None:
                waiting += 1
            elif found["outcome"] == "survived" and _is_equivalent(mutant, found, settings):
                equivalent += 1
            elif found["outcome"] != "no mutant":
                run += 1
                killed += found["outcome"] == "killed"
        shown = f"{run:,} of {run + waiting:,}" if run or waiting else ""
        score = f"{100 * killed / run:.1f} %" if run else ""
        columns += f"{shown:>16}{killed if run else '':>8}{score:>8}".rjust(40 if critical else 32)
    print(f"{name:38}{columns}{equivalent or '':>12}")


if __name__ == "__main__":
    sys.exit(main())
