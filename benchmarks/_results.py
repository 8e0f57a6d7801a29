"""What the benchmarks found against their aims, gathered from all of them into benchmarks/RESULTS.md.

A benchmark calls `held(what, value, aim)`, or `noted(what, value)` for a figure without an aim. `dev.py bench` without
a name sets BENCH_FOUND to a file that all of them write to, a line each, and has this module make the page of it.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import timeit
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

FILE = "BENCH_FOUND"


def held(what: str, value: float, aim: float, *, unit: str = "", least: bool = True, hinders: str = "") -> bool:
    """Record a figure and whether it reaches its target, a minimum or maximum; `hinders` is why it does not."""
    met = value >= aim if least else value <= aim
    _write(what=what, value=value, aim=aim, unit=unit, least=least, met=met, hinders=hinders)
    return met


def noted(what: str, value: float, *, unit: str = "") -> None:
    """Record a figure that has no target."""
    _write(what=what, value=value, aim=None, unit=unit)


def _write(**line: Any) -> None:
    if path := os.environ.get(FILE):
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"bench": Path(sys.argv[0]).stem, **line}) + "\n")


def _with_aim(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for one in found if one["aim"] is not None]


def figure(value: float, unit: str) -> str:
    """Format a number for people."""
    text = f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"
    return f"{text} {unit}".strip()


def machine() -> str:
    """Return a description of the machine."""
    processor = platform.processor() or platform.machine()
    for line in _lines("/proc/cpuinfo"):
        if line.startswith("model name"):
            processor = line.partition(":")[2].strip()
            break
    return f"{os.cpu_count()} cores ({processor}), {platform.system()}, Python {platform.python_version()}"


def loop_nanoseconds() -> float:
    """Return the time of one step of a bare Python loop, the best of five: how fast this machine is today."""
    steps = 1_000_000
    best = min(timeit.repeat("for _ in range(steps): pass", globals={"steps": steps}, number=1, repeat=5))
    return best / steps * 1e9


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def page(found: list[dict[str, Any]], silent: list[str], when: datetime) -> str:
    """Return the page: a table, the reasons for missed targets, and the benchmarks that failed."""
    aims = _with_aim(found)
    met = sum(one["met"] for one in aims)
    lines = [
        "# Results",
        "",
        "Written by `python3 dev.py bench`: all benchmarks in one run, each against its peer or limit in that run.",
        "",
        f"{when:%Y-%m-%d}, {machine()}; a step of a bare Python loop takes {loop_nanoseconds():.0f} ns. "
        f"{met} of {len(aims)} aims met.",
        "",
        "| benchmark | figure | found | aim | |",
        "|---|---|---:|---:|---|",
    ]
    for one in found:
        if one["aim"] is None:
            lines.append(f"| {one['bench']} | {one['what']} | {figure(one['value'], one['unit'])} | | |")
            continue
        sign = "at least" if one["least"] else "at most"
        verdict = "met" if one["met"] else "**missed**"
        value, aim = figure(one["value"], one["unit"]), figure(one["aim"], one["unit"])
        lines.append(f"| {one['bench']} | {one['what']} | {value} | {sign} {aim} | {verdict} |")
    missed = [one for one in aims if not one["met"]]
    if missed:
        lines += ["", "## What stands in the way", ""]
        lines += [f"- {one['bench']}, {one['what']}: {one['hinders'] or 'not looked into yet.'}" for one in missed]
    if silent:
        lines += ["", f"Without a figure, for they did not come to their end: {', '.join(silent)}."]
    return "\n".join([*lines, ""])


def main() -> None:
    """Write the page from the lines that the benchmarks have written."""
    source, target = map(Path, sys.argv[1:3])
    found = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
    silent = [name for name in sys.argv[3:] if all(one["bench"] != name for one in found)]
    target.write_text(page(found, silent, datetime.now(UTC)), encoding="utf-8")
    aims = _with_aim(found)
    print(f"{target}: {sum(one['met'] for one in aims)} of {len(aims)} aims met")
    if silent:
        sys.exit(f"no figure of {', '.join(silent)}: see above why")


if __name__ == "__main__":
    main()
