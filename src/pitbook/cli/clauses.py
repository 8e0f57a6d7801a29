"""`pitbook clauses`: the register of every clause of a text, and the test that covers each."""

from __future__ import annotations

import json as json_module
from importlib import resources

from pitbook.cli.language import head, named, say
from pitbook.cli.output import print_json, print_table
from pitbook.cli.parameters import BookName, Json, open_book


def clauses(book: BookName, *, json: Json = False) -> None:
    """List every clause of a text: what it says in short, what models it, which test covers it."""
    rules = open_book(book, None, None)
    held = clause_tests().get(rules.id, {})
    if json:
        print_json(
            {
                "book": rules.id,
                "clauses": [
                    {"clause": number, **clause.model_dump(), "tests": held.get(number, [])}
                    for number, clause in rules.clauses.items()
                ],
            }
        )
        return
    print_table(
        say("results.clauses.title", book=named(rules.identity.title), count=len(rules.clauses)),
        head("clause", "kind", "says", "modelled-by", "held-by"),
        [
            (
                number,
                say(f"results.clause-kinds.{clause.kind}"),
                named(clause.says),
                "\n".join(clause.by),
                "\n".join(test.rpartition("::")[2] for test in held.get(number, [])),
            )
            for number, clause in rules.clauses.items()
        ],
    )


def clause_tests() -> dict[str, dict[str, list[str]]]:
    """Return the tests of every clause by book, as the test suite last recorded them."""
    path = resources.files("pitbook.books") / "clause_tests.json"
    held: dict[str, dict[str, list[str]]] = json_module.loads(path.read_text(encoding="utf-8"))
    return held
