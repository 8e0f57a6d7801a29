"""The errors and assertions of the auditor's checks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Collection

About = Literal[
    "missing", "link", "hash", "signed", "time", "rules", "settlement", "money", "stray", "book", "end", "snapshot",
    "cut", "key", "balances", "guards", "checkpoint", "role", "order", "witness", "announcement", "late",
    "detached",
]  # fmt: skip
"""The kind of an error; `rules` if the rules do not allow what happened."""


class CheckFailed(Exception):
    """A failed check; the caller adds where, unless it is given."""

    def __init__(self, why: str, sequence: int | None = None, *, about: About = "rules") -> None:
        super().__init__(why)
        self.sequence = sequence
        self.about: About = about


class Unreadable(Exception):
    """The journal or the checkpoint cannot be read at all."""


def cite_clauses(clauses: Collection[str]) -> str:
    """Return the clauses of a rule in words."""
    names = list(clauses)
    if not names:
        return "house policy"
    return f"clause {names[0]}" if len(names) == 1 else f"clauses {', '.join(names[:-1])} and {names[-1]}"


def ensure(holds: object, why: str, about: About = "rules") -> None:
    """Raise `CheckFailed` unless a condition is true."""
    if not holds:
        raise CheckFailed(why, about=about)
