"""`pitbook check`: every problem of a book."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.cli.output import print_json, print_table
from pitbook.cli.parameters import BookName, Json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.problems import Problem


def check(book: BookName, *, json: Json = False) -> int:
    """Report every problem of a book at once, under each choice of its readings and house options.

    Exit code 0: none; 1: problems.
    """
    problems = _problems(book)
    if json:
        fields = ("file", "key", "wrong", "right")
        data = [{field: getattr(problem, field) for field in fields} for problem in problems]
        print_json({"book": book, "problems": data})
    elif problems:
        print_table(
            f"{book}: {len(problems)} problem{'s' if len(problems) > 1 else ''}",
            ["key", "what is wrong", "what would be right"],
            [(problem.key, problem.wrong, problem.right) for problem in problems],
        )
    else:
        print(f"{book}: no problems")
    return 1 if problems else 0


def _problems(source: str) -> list[Problem]:
    from pitbook.rulebooks.catalogue import load
    from pitbook.rulebooks.problems import BrokenBook, Problem

    try:
        book = load(source)
    except BrokenBook as broken:
        return list(broken.problems)
    problems: dict[Problem, None] = {}
    for kind, name, choice in _choices(book):
        try:
            readings, options = ({name: choice}, {}) if kind == "reading" else ({}, {name: choice})
            load(source, readings=readings, options=options)
        except BrokenBook as broken:
            for problem in broken.problems:
                under = f"{problem.key} (with {kind} {name}={choice})"
                problems[Problem(problem.file, under, problem.wrong, problem.right)] = None
    return list(problems)


def _choices(book: Rulebook) -> Iterator[tuple[str, str, str]]:
    for name, reading in book.readings.items():
        yield from (("reading", name, choice) for choice in reading.choices)
    for name, option in book.options.items():
        yield from (("option", name, choice) for choice in option.choices)
