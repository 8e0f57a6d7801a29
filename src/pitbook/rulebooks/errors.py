"""Errors in a book, all at once: file, key, what is wrong, and how to correct it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pitbook.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class BookError:
    """One thing wrong with a book."""

    file: str
    key: str
    wrong: str
    right: str

    def __str__(self) -> str:
        return " ".join(f"{self.file}: {self.key}: {self.wrong}; {self.right}".split())


class InvalidBook(InputError):
    """A book that cannot be used, with all of its errors."""

    def __init__(self, problems: Sequence[BookError]) -> None:
        self.problems = tuple(problems)
        count = f"{len(self.problems)} problem{'s' if len(self.problems) > 1 else ''}"
        super().__init__("\n".join([count, *map(str, self.problems)]))
