"""How much the tests do: cases for `--all` only, and the seeds and repetitions of a soak (`python3 dev.py soak`)."""

from __future__ import annotations

import os
import re
from typing import Any

import pytest
from _pytest.mark import ParameterSet

SOAK = int(os.environ.get("PITBOOK_SOAK", "0"))
"""Added to the seeds of campaigns; `PITBOOK_SOAK` set to it again does the same again."""


def thorough(*cases: Any) -> list[ParameterSet]:
    """Mark cases of a test as thorough: a whole run without `--all` leaves them out."""
    return [pytest.param(*(one if isinstance(one, tuple) else (one,)), marks=pytest.mark.thorough) for one in cases]


def repetitions(usual: int, soaking: int) -> int:
    """Return how often to repeat something: as often as usual, or as often as a soak does."""
    return soaking if SOAK else usual


def examples_of(report: pytest.TestReport) -> int:
    """Return how many cases a test covered, by its own count and by Hypothesis."""
    if report.when == "call":
        return sum(int(str(value)) for name, value in report.user_properties if name == "examples")
    counted = getattr(report, "_hypothesis_stats", "")  # as --hypothesis-show-statistics would print it
    return sum(map(int, re.findall(r"(\d+) (?:passing|failing)", counted)))
