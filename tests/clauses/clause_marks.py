"""Marks that assign tests to clauses, read by the register test and by the mutation test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

TestT = TypeVar("TestT", bound=Callable[..., Any])


class ClauseTest(NamedTuple):
    """A clause and the test that covers it."""

    book: str
    clause: str
    test: Callable[..., Any]
    arguments: tuple[Any, ...]
    """What the test is called with after the copy."""
    name: str


def holds(book: str, clause: str) -> Callable[[TestT], TestT]:
    """Mark a test as covering a clause of a book, which it gets as `copy`."""

    def mark(test: TestT) -> TestT:
        test.holds = (book, clause)  # type: ignore[attr-defined]
        return test

    return mark


def all_held() -> Iterator[ClauseTest]:
    """Return every clause that a test in this folder covers."""
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        module = import_module(f"tests.clauses.{path.stem}")
        for name, test in vars(module).items():
            if name.startswith("test_") and hasattr(test, "holds"):
                book, clause = test.holds
                yield ClauseTest(book, clause, test, (), f"tests/clauses/{path.name}::{name}")
        for name, (test, facts) in getattr(module, "FACTS", {}).items():
            for book, clause, *arguments in facts:
                yield ClauseTest(
                    book, clause, test, tuple(arguments), f"tests/clauses/{path.name}::{name}[{book} {clause}]"
                )
