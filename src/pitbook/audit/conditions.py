"""Conditions on the dice as the set of throws that fulfil them."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations_with_replacement

Throw = tuple[int, ...]
"""The faces in ascending order."""

Throws = frozenset[Throw]


def all_throws(dice: int) -> Throws:
    """Return every throw of so many dice."""
    return frozenset(combinations_with_replacement(range(1, 7), dice))


@cache
def winning_throws(text: str, dice: int) -> Throws:
    """Return the throws for which a condition is true.

    >>> sorted(winning_throws("total 4..5 and not triple", 3))
    [(1, 1, 2), (1, 1, 3), (1, 2, 2)]
    """
    words = re.findall(r"\d+|[a-z]+|\.\.|>=|<=|==|[()<>=]", text)
    if "".join(words) != "".join(text.split()):
        raise ValueError(f"{text!r} cannot be read")
    every = all_throws(dice)
    found, rest = _any(words, every)
    if rest:
        raise ValueError(f"{text!r} goes on after its end: {rest}")
    return found


def _any(words: list[str], every: Throws) -> tuple[Throws, list[str]]:
    found, words = _all(words, every)
    while words[:1] == ["or"]:
        more, words = _all(words[1:], every)
        found |= more
    return found, words


def _all(words: list[str], every: Throws) -> tuple[Throws, list[str]]:
    found, words = _parse_one(words, every)
    while words[:1] == ["and"]:
        more, words = _parse_one(words[1:], every)
        found &= more
    return found, words


def _parse_one(words: list[str], every: Throws) -> tuple[Throws, list[str]]:
    match words:
        case ["not", *rest]:
            found, rest = _parse_one(rest, every)
            return every - found, rest
        case ["(", *rest]:
            found, rest = _any(rest, every)
            if rest[:1] != [")"]:
                raise ValueError("a parenthesis is not closed")
            return found, rest[1:]
        case ["triple" | "pair", *rest]:
            return frozenset(t for t in every if len(set(t)) == 1), rest
        case ["total", "odd" | "even" as which, *rest]:
            return frozenset(t for t in every if (sum(t) % 2 == 1) == (which == "odd")), rest
        case ["total", low, "..", high, *rest]:
            return frozenset(t for t in every if int(low) <= sum(t) <= int(high)), rest
        case ["total", total, *rest]:
            return frozenset(t for t in every if sum(t) == int(total)), rest
        case ["count", "(", face, ")", sign, times, *rest]:
            return frozenset(t for t in every if _compare(t.count(int(face)), sign, int(times))), rest
        case ["shows", *rest]:
            faces, rest = _faces(rest)
            return frozenset(t for t in every if all(t.count(f) >= faces.count(f) for f in faces)), rest
        case ["exactly", *rest]:
            faces, rest = _faces(rest)
            return frozenset({tuple(sorted(faces))}) & every, rest
        case ["three", "of", *rest]:
            faces, rest = _faces(rest)
            return frozenset(t for t in every if len(set(t)) == 3 and set(t) <= set(faces)), rest
    raise ValueError(f"{' '.join(words)!r} cannot be read")


def _compare(number: int, sign: str, other: int) -> bool:
    if sign in ("=", "=="):
        return number == other
    if sign in (">=", "<="):
        return number >= other if sign == ">=" else number <= other
    return number > other if sign == ">" else number < other


def _faces(words: list[str]) -> tuple[list[int], list[str]]:
    faces: list[int] = []
    while words and (words[0].isdigit() or (faces and words[0] == "and" and words[1:] and words[1].isdigit())):
        words = words[1:] if words[0] == "and" else words
        faces.append(int(words[0]))
        words = words[1:]
    return faces, words
