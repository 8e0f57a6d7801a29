"""What people get wrong: a named mistake with one clear line, and the nearest right names."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class Mistake(ValueError):
    """Input that a person can put right. Its text is one line: what, where, what to do instead."""


def unknown(kind: str, name: str, known: Iterable[str], where: str = "") -> Mistake:
    """A name that does not exist, with the nearest that do.

    >>> str(unknown("wager", "smal", ["small", "big"], "massachusetts-sic-bo"))
    "no wager 'smal' in massachusetts-sic-bo; did you mean small?"
    """
    place = f" in {where}" if where else ""
    return Mistake(f"no {kind} {name!r}{place}; {suggestion(name, known)}")


def suggestion(name: str, known: Iterable[str]) -> str:
    """The nearest names as a question, or all (or the first few) of them as a list."""
    names = list(known)
    near = get_close_matches(name.lower(), names, n=3, cutoff=0.55)
    near += [other for other in names if name.lower() in other.lower().split("/") and other not in near][:3]
    if near:
        return f"did you mean {' or '.join(near[:3])}?"
    if not names:
        return "there is none"
    listed = ", ".join(names[:12])
    return f"there are {listed}{', …' if len(names) > 12 else ''}"
