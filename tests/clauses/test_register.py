"""Every clause of every text is in the register, every clause in the register has a test, every test can fail."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pytest

import pitbook.books
from pitbook.cli.clauses import clause_tests
from pitbook.rulebooks.catalogue import SHIPPED, load, packaged_raw
from pitbook.rulebooks.errors import InvalidBook
from pitbook.rulebooks.patches import get_key
from tests.clauses.clause_marks import ClauseTest, all_held
from tests.clauses.copies import Copy, patched
from tests.clauses.mutations import changed, leaves
from tests.clauses.numbering import NUMBERING
from tests.soaking import thorough

HELD: dict[tuple[str, str], list[ClauseTest]] = defaultdict(list)
for held in all_held():
    HELD[held.book, held.clause].append(held)

REGISTER = [(book, number) for book in SHIPPED for number in packaged_raw(book)["clauses"]]
MODELLED = [
    (book, number, datum) for book, number in REGISTER for datum in packaged_raw(book)["clauses"][number].get("by", ())
]
USUAL = MODELLED[::20]


@pytest.mark.parametrize("book", SHIPPED)
def test_the_register_has_every_clause_that_the_text_numbers_and_no_other(book: str) -> None:
    assert set(packaged_raw(book)["clauses"]) == NUMBERING[book]


@pytest.mark.parametrize(("book", "clause"), REGISTER)
def test_every_clause_in_the_register_is_held_by_a_test(book: str, clause: str) -> None:
    assert HELD[book, clause], f"no test holds {book} {clause}"


def test_no_test_holds_a_clause_that_is_not_in_the_register() -> None:
    assert {key for key, tests in HELD.items() if tests} <= set(REGISTER)


@pytest.mark.parametrize(("book", "clause", "datum"), [*USUAL, *thorough(*(x for x in MODELLED if x not in USUAL))])
def test_changing_what_models_a_clause_makes_its_test_fail(
    book: str, clause: str, datum: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for sign in ("CI", "BUILD_NUMBER"):  # pytest's marker for detailed assertion messages, which are not needed here
        monkeypatch.delenv(sign, raising=False)
    raw = packaged_raw(book)
    for key in leaves(raw, datum):
        tried = 0
        for other in changed(get_key(raw, key), key):
            if other == get_key(raw, key):
                continue
            mutant = Copy(patched(raw, {key: other}))
            try:
                mutant.under()
            except InvalidBook:
                continue
            tried += 1
            for held in HELD[book, clause]:
                try:
                    held.test(mutant, *held.arguments)
                except (AssertionError, KeyError, ValueError, pytest.fail.Exception):
                    break
            else:
                pytest.fail(f"{key} = {other!r}: no test of {book} {clause} notices")
            if not isinstance(other, list):
                break
        assert tried, f"no change of {key} gives a book that can be read"


def test_the_written_register_of_tests_is_current(update: bool) -> None:
    current: dict[str, dict[str, list[str]]] = {}
    for book, clause in REGISTER:
        current.setdefault(book, {})[clause] = [held.name for held in HELD[book, clause]]
    path = Path(pitbook.books.__file__).parent / "clause_tests.json"
    if update:
        path.write_text(json.dumps(current, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert clause_tests() == current, "run: python3 dev.py test tests/clauses/test_register.py --update"


@pytest.mark.parametrize("book", SHIPPED)
def test_every_clause_named_by_a_wager_is_modelled_or_defines(book: str) -> None:
    rules = load(book)
    for wager in rules.wagers.values():
        for clause in wager.clauses:
            assert rules.clauses[clause].kind in ("modelled", "definition")
