"""Names of tests fit on a line of a report and use plain words."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
LONGEST = 80
RETIRED = {"told": "reported, listed, notified", "anew": "again", "somebody": "someone", "everybody": "everyone"}


@pytest.fixture(scope="module")
def names() -> list[str]:
    """Return the names of all tests."""
    return [
        node.name
        for file in TESTS.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    ]


def test_no_name_of_a_test_is_longer_than_80_characters(names: list[str]) -> None:
    assert len(names) > 1000, "the tests were not found"
    assert [name for name in names if len(name) > LONGEST] == []


@pytest.mark.parametrize("word", RETIRED)
def test_no_name_of_a_test_has_a_retired_word(names: list[str], word: str) -> None:
    assert [name for name in names if re.search(f"_{word}(_|$)", name)] == [], f"write instead: {RETIRED[word]}"
