"""Every statement of GUARANTEES.md has its tests in tests/guarantees.toml, and they exist."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "GUARANTEES.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (\d+)\. (.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))
GUARANTEES = tomllib.loads((ROOT / "tests" / "guarantees.toml").read_text(encoding="utf-8"))["guarantee"]
TESTS = sorted({test for guarantee in GUARANTEES for test in guarantee["tests"]})


@cache
def functions(file: str) -> frozenset[str]:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def statements(section: str) -> list[str]:
    text = SECTIONS[section].partition("\nLimits:")[0]  # what is not guaranteed needs no test
    found = re.findall(r"^- (.*?)(?=\n- |\n\n|\Z)", text, re.MULTILINE | re.DOTALL)
    return [" ".join(one.split()) for one in found]


@pytest.mark.parametrize("test", TESTS)
def test_every_test_that_is_named_exists(test: str) -> None:
    file, _, function = test.partition("::")
    assert (ROOT / file).is_file()
    assert not function or function in functions(file)


@pytest.mark.parametrize("section", SECTIONS)
def test_every_statement_has_its_tests_in_the_same_order(section: str) -> None:
    listed = [one for one in GUARANTEES if one["section"] == int(section)]
    assert statements(section)
    assert [one["says"] for one in listed] == statements(section)
    assert all(one["tests"] for one in listed)


def test_the_guarantees_are_numbered() -> None:
    assert list(SECTIONS) == [str(number) for number in range(1, 13)]


def test_files_that_the_text_names_exist() -> None:
    assert all((ROOT / file).exists() for file in re.findall(r"`(tests/[\w/.]+)`", TEXT))
