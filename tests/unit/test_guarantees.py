"""Every statement of GUARANTEES.md has its tests in tests/guarantees.toml, and they exist."""

from __future__ import annotations

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
    text = (ROOT / file).read_text(encoding="utf-8")
    return frozenset(re.findall(r"^(?:async )?def (\w+)\(", text, re.MULTILINE))


def statements(section: str) -> list[str]:
    text = SECTIONS[section].partition("\nLimits:")[0]  # what is not guaranteed needs no test
    found = re.findall(r"^- (.*?)(?=\n- |\n\n|\Z)", text, re.MULTILINE | re.DOTALL)
    return [" ".join(one.split()) for one in found]


def exists(test: str) -> bool:
    file, _, function = test.partition("::")
    return (ROOT / file).is_file() and (not function or function in functions(file))


def test_every_test_that_is_named_exists() -> None:
    assert [test for test in TESTS if not exists(test)] == []


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
