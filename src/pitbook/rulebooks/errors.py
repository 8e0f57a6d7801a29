"""Errors in a book, all at once: file, key, what is wrong, and how to correct it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pitbook.errors import InputError
from pitbook.messages import compose

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from pitbook.messages import Language, Message


@dataclass(frozen=True, slots=True)
class BookError:
    """One thing wrong with a book."""

    file: str
    key: str
    problem: Message
    solution: Message

    @property
    def problem_text(self) -> str:
        """The problem in English."""
        return str(self.problem)

    @property
    def solution_text(self) -> str:
        """The solution in English."""
        return str(self.solution)

    @property
    def message(self) -> Message:
        """The error as a message."""
        parts = {"file": self.file, "key": self.key, "wrong": self.problem, "right": self.solution}
        return compose("errors.rulebooks.problem", **parts)

    def __hash__(self) -> int:
        return hash((self.file, self.key))

    def __str__(self) -> str:
        return " ".join(self.message.text().split())


def problem(id: str, /, **params: Any) -> Message:  # noqa: A002
    """Return what is wrong with a book: a message of `errors.books.problem`."""
    return compose(f"errors.books.problem.{id}", **params)


def solution(id: str, /, **params: Any) -> Message:  # noqa: A002
    """Return how to correct it: a message of `errors.books.solution`."""
    return compose(f"errors.books.solution.{id}", **params)


class InvalidBook(InputError):
    """A book that cannot be used, with all of its errors."""

    def __init__(self, problems: Sequence[BookError]) -> None:
        self.problems = tuple(problems)
        super().__init__("rulebooks.problems", count=len(self.problems))

    def text(self, language: Language = "en") -> str:
        """Return the number of errors, then each of them in a line."""
        lines = (" ".join(one.message.text(language).split()) for one in self.problems)
        return "\n".join([self.message.text(language), *lines])
