"""Errors in input that a person can correct: one line with the value and the nearest valid names."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 80
"""Longer values are shortened in messages."""
MOST_NAMES = 300
"""With more names than this, the nearest are not searched for, because it would take seconds."""


class InputError(ValueError):
    """Input that a person can correct. The message is one line: what is wrong, where, and what to do."""


class InputErrors(InputError):
    """Several input errors, one per line."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = tuple(lines)
        super().__init__("\n".join(self.lines))


def quoted(value: object) -> str:
    """Return a value as it was given, on one line and shortened.

    >>> quoted("total 4"), len(quoted("x" * 10_000))
    ("'total 4'", 80)
    """
    shown = repr(value[: LONGEST + 1] if isinstance(value, str) else value)
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 1]}…"


def bracketed(clauses: Iterable[str]) -> str:
    """Return clauses in brackets for a sentence, unless they have brackets of their own.

    >>> bracketed(["4(a)", "4(b)"]), bracketed(["(8)", "(9)(a)"])
    ('(4(a), 4(b))', '(8), (9)(a)')
    """
    named = list(clauses)
    text = ", ".join(named)
    return text if all(clause.startswith("(") for clause in named) else f"({text})"


def unknown(kind: str, name: str, known: Iterable[str], where: str = "") -> InputError:
    """Return the error for an unknown name, with the nearest known ones.

    >>> str(unknown("wager", "smal", ["small", "big"], "massachusetts-sic-bo"))
    "no wager 'smal' in massachusetts-sic-bo; did you mean small?"
    """
    place = f" in {where}" if where else ""
    return InputError(f"no {kind} {quoted(name)}{place}; {suggestion(name, known)}")


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return the nearest names as a question, or the first few names as a list."""
    names = list(known)
    wanted, among = name[:LONGEST].lower(), names if len(names) <= MOST_NAMES else []
    near = get_close_matches(wanted, among, n=3, cutoff=0.55)
    near += [other for other in among if wanted in other.lower().split("/") and other not in near][:3]
    if near:
        return f"did you mean {' or '.join(near[:3])}?"
    if not names:
        return "there is none"
    listed = ", ".join(names[:12])
    return f"there are {listed}{', …' if len(names) > 12 else ''}"
