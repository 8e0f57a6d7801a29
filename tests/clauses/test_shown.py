"""Clauses that only define, or that only people can obey: they are shown to whoever reads the book."""

from __future__ import annotations

import json

import pytest

from pitbook.cli import main
from pitbook.rulebooks.catalogue import SHIPPED, packaged_raw
from tests.clauses.copies import Copy

SHOWN = [
    (book, number, book, number)
    for book in SHIPPED
    for number, clause in packaged_raw(book)["clauses"].items()
    if clause["kind"] != "modelled"
]


def check_shown(copy: Copy, book: str, number: str) -> None:
    """The register has the clause in words, and nothing pretends to model it."""
    clause = copy.rules.clauses[number]
    assert len(clause.says.split()) >= 2
    assert not clause.by


FACTS = {"test_a_clause_that_software_cannot_obey_is_shown_to_people": (check_shown, SHOWN)}


@pytest.mark.parametrize(("book", "number"), [case[:2] for case in SHOWN])
def test_a_clause_that_software_cannot_obey_is_shown_to_people(
    book: str, number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    check_shown(Copy.packaged(book), book, number)
    with pytest.raises(SystemExit) as stopped:
        main(["clauses", book, "--json"])
    assert stopped.value.code == 0
    output = {entry["clause"]: entry for entry in json.loads(capsys.readouterr().out)["clauses"]}
    assert output[number]["says"]["en"] == packaged_raw(book)["clauses"][number]["says"]
    assert output[number]["kind"] in ("physical", "definition")
