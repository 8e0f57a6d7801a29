"""Everything that is wrong with a book, at once: file, key, what is wrong, what would be right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pitbook.mistakes import Mistake

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a book."""

    file: str
    key: str
    wrong: str
    right: str

    def __str__(self) -> str:
        return " ".join(f"{self.file}: {self.key}: {self.wrong}; {self.right}".split())


class BrokenBook(Mistake):
    """A book that cannot be used, with all of its problems."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        count = f"{len(self.problems)} problem{'s' if len(self.problems) > 1 else ''}"
        super().__init__("\n".join([count, *map(str, self.problems)]))
