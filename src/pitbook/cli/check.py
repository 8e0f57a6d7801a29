"""`pitbook check`: every problem of a book."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.cli.output import print_json, print_table
from pitbook.cli.parameters import BookName, Json

if TYPE_CHECKING:
    from pitbook.rulebooks.errors import BookError
    from pitbook.rulebooks.translations import Translated

MOST_CHOICES = 100
"""The packaged book with most choices beside the defaults has a dozen."""


def check(book: BookName, *, json: Json = False) -> int:
    """Report every problem of a book at once, under each choice of its readings and house options.

    With those of its translation, if it has one; how many sentences have none is told, and no problem.
    Exit code 0: none; 1: problems.
    """
    problems = _problems(book)
    chinese = _translated(book) if not problems else None
    problems += chinese.problems if chinese else []
    missing = chinese.missing if chinese else []
    if json:
        fields = ("file", "key", "wrong", "right")
        data = [{field: getattr(problem, field) for field in fields} for problem in problems]
        print_json({"book": book, "problems": data, "not_translated": missing})
    elif problems:
        print_table(
            f"{book}: {len(problems)} problem{'s' if len(problems) > 1 else ''}",
            ["key", "what is wrong", "what would be right"],
            [(problem.key, problem.wrong, problem.right) for problem in problems],
        )
    else:
        print(f"{book}: no problems")
    if missing and not json:
        few = "1 sentence has" if len(missing) == 1 else f"{len(missing)} sentences have"
        print(f"{few} no Chinese, and will be shown in English")
    return 1 if problems else 0


def _translated(source: str) -> Translated:
    from pitbook.rulebooks.translations import translated

    return translated(source)


def _problems(source: str) -> list[BookError]:
    from pitbook.rulebooks.catalogue import load, other_choices
    from pitbook.rulebooks.errors import BookError, InvalidBook

    found: dict[BookError, None] = {}
    try:
        load(source)
    except InvalidBook as broken:
        found |= dict.fromkeys(broken.problems)
    if len(found) > MOST_CHOICES:
        return list(found)
    for kind, name, choice in other_choices(source)[:MOST_CHOICES]:
        try:
            readings, options = ({name: choice}, {}) if kind == "reading" else ({}, {name: choice})
            load(source, readings=readings, options=options)
        except InvalidBook as broken:
            for problem in broken.problems:
                if problem not in found:
                    under = f"{problem.key} (with {kind} {name}={choice})"
                    found[BookError(problem.file, under, problem.wrong, problem.right)] = None
    return list(found)
