"""Messages about optional dependencies name an extra that exists and has the missing package."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from pitbook.simulation.optional_dependencies import EXTRAS

ROOT = Path(__file__).resolve().parents[2]
DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]


def test_every_extra_that_a_message_or_a_page_names_exists() -> None:
    pages = [*(ROOT / "src").rglob("*.py"), *(ROOT / "src").rglob("*.toml"), *(ROOT / "docs").rglob("*.md")]
    named = {found for page in pages for found in re.findall(r"pitbook\[([a-z]+)\]", page.read_text(encoding="utf-8"))}
    assert {"export", "frames", "reports", "simulate"} <= named <= set(DECLARED)


def test_the_extra_of_a_missing_library_installs_it() -> None:
    for library, extra in EXTRAS.items():
        packages = [re.split(r"[<>=\[ ]", package)[0] for package in DECLARED[extra]]
        assert library in packages or library == "llvmlite", (library, extra)  # numba installs llvmlite
