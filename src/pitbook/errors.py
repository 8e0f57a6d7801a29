"""Input that a person can correct: one line that names the value and the nearest valid names."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


LONGEST = 80
"""A longer word or value is cut when it is shown."""
MOST_NAMES = 300
"""Among more names than this the nearest are not looked for: it would take seconds."""


class InputError(ValueError):
    """Input that a person can put right. Its text is one line: what, where, what to do instead."""


class InputErrors(InputError):
    """Several at once, one per line."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = tuple(lines)
        super().__init__("\n".join(self.lines))


def quoted(value: object) -> str:
    """A value as it was given, on one line and cut where it is long.

    >>> quoted("total 4"), len(quoted("x" * 10_000))
    ("'total 4'", 80)
    """
    shown = repr(value[: LONGEST + 1] if isinstance(value, str) else value)
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 1]}…"


def bracketed(clauses: Iterable[str]) -> str:
    """Clauses as they stand in a sentence; those that have brackets of their own get no others.

    >>> bracketed(["4(a)", "4(b)"]), bracketed(["(8)", "(9)(a)"])
    ('(4(a), 4(b))', '(8), (9)(a)')
    """
    named = list(clauses)
    told = ", ".join(named)
    return told if all(clause.startswith("(") for clause in named) else f"({told})"


def unknown(kind: str, name: str, known: Iterable[str], where: str = "") -> InputError:
    """A name that does not exist, with the nearest that do.

    >>> str(unknown("wager", "smal", ["small", "big"], "massachusetts-sic-bo"))
    "no wager 'smal' in massachusetts-sic-bo; did you mean small?"
    """
    place = f" in {where}" if where else ""
    return InputError(f"no {kind} {quoted(name)}{place}; {suggestion(name, known)}")


def suggestion(name: str, known: Iterable[str]) -> str:
    """The nearest names as a question, or all (or the first few) of them as a list."""
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
