"""`pitbook check`: every problem of a book."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pitbook.cli.output import print_json, print_table, print_words
from pitbook.cli.parameters import BookName, Json

if TYPE_CHECKING:
    from pitbook.rulebooks.errors import BookError
    from pitbook.rulebooks.translation_check import Coverage

CHOICES_MAX = 100
"""The packaged book with the most choices besides the defaults has a dozen."""


def check(book: BookName, *, json: Json = False) -> int:
    """Report every problem of a book at once, under each choice of its readings and house options.

    Problems of its translation are among them, if it has one. Also lists what a table would need that the book does
    not have, and how many texts have no Chinese; neither is a problem. Exit code 0: no problems; 1: problems.
    """
    problems = _find_problems(book)
    chinese = _find_translation(book) if not problems else None
    problems += chinese.problems if chinese else []
    missing = chinese.missing if chinese else []
    for_table = _missing_for_table(book) if not problems else []
    if json:
        fields = ("file", "key", "wrong", "right")
        data = [{field: getattr(problem, field) for field in fields} for problem in problems]
        print_json(
            {
                "book": book,
                "problems": data,
                "runs_a_table": not problems and not for_table,
                "missing_for_a_table": for_table,
                "not_translated": missing,
            }
        )
    elif problems:
        print_table(
            f"{book}: {len(problems)} problem{'s' if len(problems) > 1 else ''}",
            ["key", "what is wrong", "what would be right"],
            [(problem.key, problem.wrong, problem.right) for problem in problems],
        )
    else:
        print(f"{book}: no problems")
    if for_table and not json:
        print_words(f"it cannot run a table; that needs {'; '.join(for_table)}")
    if missing and not json:
        few = "1 text has" if len(missing) == 1 else f"{len(missing)} texts have"
        print(f"{few} no Chinese, and will be shown in English")
    return 1 if problems else 0


def _missing_for_table(source: str) -> list[str]:
    from pitbook.rulebooks.catalogue import load
    from pitbook.rulebooks.table_needs import missing_for_table

    return missing_for_table(load(source))


def _find_translation(source: str) -> Coverage:
    from pitbook.rulebooks.composition import parts_of
    from pitbook.rulebooks.translation_check import Coverage, check_translation

    found = [check_translation(part) for part in ([source] if Path(source).is_file() else parts_of(source))]
    if len(found) == 1:
        return found[0]
    problems = [problem for one in found for problem in one.problems]
    missing = [key for one in found for key in one.missing]
    return Coverage(None, problems, sum(one.texts for one in found), missing)


def _find_problems(source: str) -> list[BookError]:
    """Return the problems of a book, or of each of several on one hand."""
    from pitbook.rulebooks.catalogue import load
    from pitbook.rulebooks.composition import parts_of

    parts = [source] if Path(source).is_file() else parts_of(source)
    problems = [problem for part in parts for problem in _problems_of(part)]
    if len(parts) > 1 and not problems:
        load(source)  # says whether they fit together
    return problems


def _problems_of(source: str) -> list[BookError]:
    from pitbook.rulebooks.catalogue import load, other_choices
    from pitbook.rulebooks.errors import BookError, InvalidBook

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
                    under = f"{problem.key} (with {kind} {name}={choice})"
                    found[BookError(problem.file, under, problem.wrong, problem.right)] = None
    return list(found)
