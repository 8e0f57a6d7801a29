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
COPIED = ("src", "tests", "mutation", "pyproject.toml")
LEFT_OUT = shutil.ignore_patterns("__pycache__")


def main() -> int:
    settings = Settings.read()
    parser = argparse.ArgumentParser(prog="python3 dev.py mutate", description=__doc__)
    parser.add_argument("package", choices=sorted(settings.tests), help="a package below src/pitbook")
    parser.add_argument("--module", action="append", default=[], help="only this module, such as betting.py")
    parser.add_argument("--critical", action="store_true", help="only lines that move money or grant rights")
    parser.add_argument("--sample", type=int, metavar="N", help="only N mutants, always the same")
    parser.add_argument("--again", action="store_true", help="run the survivors again")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results")
    parser.add_argument("--report", action="store_true", help="run nothing; print what is known")
    seconds = "of tests for one mutant, the fastest ones that reach it; 10 unless told (a slower test may kill more)"
    parser.add_argument("--seconds", type=float, default=10.0, help=seconds)
    given = parser.parse_args()
    work = ROOT / "build" / "mutation" / given.package.replace("/", "-")
    work.mkdir(parents=True, exist_ok=True)
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


def _chosen(given: argparse.Namespace, settings: Settings) -> list[Mutant]:
    found = all_mutants(given.package, settings, ROOT)
    if given.module:
        found = [one for one in found if Path(one.module).name in given.module]
    if given.critical:
        found = [one for one in found if one.critical]
    if given.sample is not None and given.sample < len(found):
        found = random.Random(SEED).sample(found, given.sample)
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
    part = work / "traced-part.json"
    command = [sys.executable, "-m", "mutation.tracing", copy / SOURCES, package, part, NO_SHRINKING, *changed]
    with (work / "tracing.log").open("w", encoding="utf-8") as log:
        subprocess.run(list(map(str, command)), cwd=copy, env=environment, stdout=log, stderr=log, check=False)
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
    rows: dict[str, list[tuple[Mutant, str]]] = defaultdict(list)
    survivors = []
    waiting = equivalent = 0
    for mutant in chosen:
        found = results.get(mutant.id)
        if found is None:
            waiting += 1
        elif found["outcome"] == "survived" and _is_equivalent(mutant, found, settings):
            equivalent += 1
        elif found["outcome"] != "no mutant":
            rows[mutant.module].append((mutant, found["outcome"]))
            if found["outcome"] == "survived":
                survivors.append((mutant, found))
    print(f"{'':44}{'mutants':>8}{'killed':>8}{'score':>8}   {'money and rights':>16}")
    for module in sorted(rows):
        print(_row(module, rows[module]))
    print(_row(package, [one for row in rows.values() for one in row]))
    print(f"equivalent, with a reason in mutation/settings.toml: {equivalent}; not run yet: {waiting}")
    for mutant, found in sorted(survivors, key=lambda one: (one[0].module, one[0].line)):
        mark = "!" if mutant.critical else " "
        print(f"{mark} {mutant.module}:{mutant.line} {mutant.operator}: {found['why']}")
        print(f"    - {found['before']}\n    + {found['after']}")
    return 1 if waiting else 0


def _row(name: str, found: list[tuple[Mutant, str]]) -> str:
    killed = sum(outcome == "killed" for _, outcome in found)
    critical = [outcome for mutant, outcome in found if mutant.critical]
    money = f"{critical.count('killed')} of {len(critical)}" if critical else ""
    return f"{name:44}{len(found):8,}{killed:8,}{_percent(killed, len(found)):>8}   {money:>16}"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else ""


if __name__ == "__main__":
    sys.exit(main())
