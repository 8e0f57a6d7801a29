"""`pitbook check`: every problem of a book."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pitbook.cli.language import head, language, phrase, say
from pitbook.cli.output import print_json, print_table, print_words
from pitbook.cli.parameters import BookName, Json
from pitbook.messages import Message

if TYPE_CHECKING:
    from pitbook.messages import Language
    from pitbook.rulebooks.errors import BookError
    from pitbook.rulebooks.translation_check import Coverage

CHOICES_MAX = 100
"""The packaged book with the most choices besides the defaults has a dozen."""


def check(book: BookName, *, json: Json = False) -> int:
    """Report every problem of a book at once, under each choice of its readings and house options."""
    problems = _find_problems(book, "en" if json else language())
    chinese = _find_translation(book) if not problems else None
    problems += chinese.problems if chinese else []
    missing = chinese.missing if chinese else []
    for_table = _missing_for_table(book) if not problems else []
    if json:
        data = [
            {"file": one.file, "key": one.key, "wrong": one.problem_text, "right": one.solution_text}
            for one in problems
        ]
        print_json(
            {
                "book": book,
                "problems": data,
                "runs_a_table": not problems and not for_table,
                "missing_for_a_table": [need.text() for need in for_table],
                "not_translated": missing,
            }
        )
    elif problems:
        print_table(
            say("results.check.problems", book=book, count=len(problems)),
            head("key", "problem", "solution"),
            [(problem.key, phrase(problem.problem), phrase(problem.solution)) for problem in problems],
        )
    else:
        print(say("results.check.good", book=book))
    if for_table and not json:
        print_words(say("results.check.no-table", missing="; ".join(map(phrase, for_table))))
    if missing and not json:
        print(say("results.check.no-chinese", count=len(missing)))
    return 1 if problems else 0


def _missing_for_table(source: str) -> list[Message]:
    from pitbook.rulebooks.catalogue import load
    from pitbook.rulebooks.table_needs import needs_of_table

    return needs_of_table(load(source))


def _find_translation(source: str) -> Coverage:
    from pitbook.rulebooks.composition import parts_of
    from pitbook.rulebooks.translation_check import Coverage, check_translation

    found = [check_translation(part) for part in ([source] if Path(source).is_file() else parts_of(source))]
    if len(found) == 1:
        return found[0]
    problems = [problem for one in found for problem in one.problems]
    missing = [key for one in found for key in one.missing]
    return Coverage(None, problems, sum(one.texts for one in found), missing)


def _find_problems(source: str, language: Language) -> list[BookError]:
    """Return the problems of a book, or of each of several on one hand."""
    from pitbook.rulebooks.catalogue import load
    from pitbook.rulebooks.composition import parts_of

    parts = [source] if Path(source).is_file() else parts_of(source)
    problems = [problem for part in parts for problem in _problems_of(part, language)]
    if len(parts) > 1 and not problems:
        load(source)  # says whether they fit together
    return problems


def _problems_of(source: str, language: Language) -> list[BookError]:
    from pitbook.rulebooks.catalogue import load, other_choices
    from pitbook.rulebooks.errors import InvalidBook

    found: dict[BookError, None] = {}
    try:
        load(source)
    except InvalidBook as broken:
        found |= dict.fromkeys(broken.problems)
    if len(found) > CHOICES_MAX:
        return list(found)
    for kind, name, choice in other_choices(source)[:CHOICES_MAX]:
        try:
            readings, options = ({name: choice}, {}) if kind == "reading" else ({}, {name: choice})
            load(source, readings=readings, options=options)
        except InvalidBook as broken:
            for problem in broken.problems:
                if problem not in found:
                    chosen = {"key": problem.key, "kind": kind, "name": name, "choice": choice}
                    under = Message("cli.results.check.under", chosen).text(language)
                    found[replace(problem, key=under)] = None
    return list(found)
