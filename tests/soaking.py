"""Where it soaks (`python3 dev.py soak`): every campaign has a seed of its own; the usual tests have 0, always."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

SOAK = int(os.environ.get("PITBOOK_SOAK", "0"))
"""Added to the seeds of campaigns; `PITBOOK_SOAK` set to it again does the same again."""


def examples_of(properties: Iterable[tuple[str, object]]) -> int:
    """How many cases a test went through: those that Hypothesis counted, or those that the test has told of."""
    count = 0
    for name, value in properties:
        if name == "examples":
            count += int(str(value))
        elif name.startswith("hypothesis-statistics"):
            count += sum(map(int, re.findall(r"(\d+) (?:passing|failing) examples", str(value))))
    return count
