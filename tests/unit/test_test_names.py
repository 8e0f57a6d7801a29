"""Names of tests fit on a line of a report."""

from __future__ import annotations

import ast
from pathlib import Path

TESTS = Path(__file__).parents[1]
LONGEST = 80


def test_no_name_of_a_test_is_longer_than_80_characters() -> None:
    names = [
        node.name
        for file in TESTS.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    ]
    assert len(names) > 1000, "the tests were not found"
    assert [name for name in names if len(name) > LONGEST] == []
