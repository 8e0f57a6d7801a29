"""What a book says it forbids: its clauses, readings and families must exist, and only the regulator says it."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pitbook.rulebooks.catalogue import build, load, packaged_raw
from pitbook.rulebooks.errors import InvalidBook


def problems(book: str, place: str, value: Any) -> list[tuple[str, str]]:
    """Set a key of a packaged book, and return what is wrong with it then."""
    raw = deepcopy(packaged_raw(book))
    *path, last = place.split(".")
    holder = raw
    for part in path:
        holder = holder[part]
    holder[last] = value
    with pytest.raises(InvalidBook) as broken:
        build(raw, "copy.toml")
    return [(problem.key, problem.problem_text) for problem in broken.value.problems]


@pytest.mark.parametrize(
    ("book", "place", "value", "wrong"),
    [
        ("massachusetts-sic-bo", "forbids.wagers", "9(z)", "the register has no clause '9(z)'"),
        ("massachusetts-sic-bo", "forbids.selections", {"total": "9(z)"}, "the register has no clause '9(z)'"),
        ("massachusetts-sic-bo", "irregularity.no-roll.who_clause", "9(z)", "the register has no clause '9(z)'"),
        ("dice-ology", "wager.big-ones.after_win_clause", "(99)", "the register has no clause '(99)'"),
        ("dice-ology", "irregularity.power-failure.reading", "no-such", "there is no reading 'no-such'"),
        ("dice-ology", "wager.big-ones.window.readings", {"clear": "no-such"}, "there is no reading 'no-such'"),
    ],
)
def test_what_a_refusal_would_cite_must_exist(book: str, place: str, value: Any, wrong: str) -> None:
    assert any(key.startswith(place) and text == wrong for key, text in problems(book, place, value))


def test_selections_are_those_of_a_family_of_the_book() -> None:
    found = problems("massachusetts-sic-bo", "forbids.selections", {"no-such": "4(b)"})
    assert found == [("forbids.selections", "there is no wager 'no-such'")]


def test_an_unknown_key_is_a_problem() -> None:
    assert problems("massachusetts-sic-bo", "forbids.wager", "2(a)") == [("forbids.wager", "no such key")]


def test_a_book_without_the_section_forbids_nothing() -> None:
    raw = {key: value for key, value in packaged_raw("massachusetts-sic-bo").items() if key != "forbids"}
    assert build(raw, "copy.toml").not_offered("odd") == ()


def test_an_extending_book_keeps_what_the_regulator_forbids(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('[book]\nextends = "dice-works"\nid = "own"\n[offer]\nleaves_out = ["parlay"]\n')
    book = load(own)
    assert book.forbids.groups == ["general/groups"]
    assert book.not_offered("parlay/2x2") == ["general/groups"]
    own.write_text('[book]\nextends = "dice-works"\nid = "own"\n[forbids]\nwagers = "general/groups"\n')
    with pytest.raises(InvalidBook) as broken:
        load(own)
    assert [problem.key for problem in broken.value.problems] == ["forbids.wagers"]


def test_a_wager_that_a_licensee_leaves_out_is_house_policy(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('[book]\nextends = "dice-works"\nid = "own"\n[offer]\nleaves_out = ["all-lows"]\n')
    assert load(own).not_offered("all-lows") == ()
