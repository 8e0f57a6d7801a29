"""GUARANTEES.md names tests that exist, and says of every promise what holds it or that nothing does yet."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "GUARANTEES.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", TEXT)))
PROMISES = dict(re.findall(r"^## (\d+)\. (.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize(("file", "function"), NAMED)
def test_every_test_that_is_named_exists(file: str, function: str) -> None:
    assert (ROOT / file).is_file()
    if function:
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_everything_that_looks_like_a_test_is_checked() -> None:
    assert set(re.findall(r"`(tests/[^`]+)`", TEXT)) == {"::".join(filter(None, n)) for n in NAMED}


def test_every_promise_names_its_tests_or_says_not_yet() -> None:
    assert list(PROMISES) == [str(number) for number in range(1, 13)]
    for number, text in PROMISES.items():
        assert ("`tests/" in text) != ("*Not yet*" in text), f"promise {number}"
