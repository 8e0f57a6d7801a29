"""Widths of table columns, and line breaks in cells: between words, so that an id stays whole.

If there is no room for whole words, columns move together, then names are broken after a slash, then after a dash, and
finally anywhere. The first column, which identifies a row, stays whole for longer than the others.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.cells import cell_len, chop_cells

if TYPE_CHECKING:
    from collections.abc import Sequence

NON_BREAKING = re.compile(r"(?<=\d) (?=(?:to|for) \d)|(?<=\bto) (?=\d)|(?<=\bfor) (?=\d)")
"""The spaces inside odds such as "34 to 1"."""

LEVELS = (re.compile(r"(?!)"), re.compile(r"(?<=[/=,])(?=\w)"), re.compile(r"(?<=[/=,-])(?=\w)"))
"""Break points inside a word: none, after a slash or the like, after a dash too."""

WIDTH_MIN = 6
"""No column becomes narrower because others are wide."""

WORD_MAX = 48
"""A longer word is a hexadecimal number or the like, and may be broken anywhere."""


def fit_columns(columns: Sequence[Sequence[str]], width: int) -> tuple[list[int], int]:
    """Return the widths of columns (each with its heading among its cells) for a terminal, and the gap between them."""
    natural = [max(cell_len(line) for cell in column for line in cell.split("\n")) for column in columns]
    room = {gap: width - 2 - gap * (len(columns) - 1) for gap in (3, 2, 1)}
    if sum(natural) <= room[3]:
        return natural, 3
    for level in range(len(LEVELS) + 2):
        words = [_longest(column, level - (2 if place == 0 else 0)) for place, column in enumerate(columns)]
        for gap, left in room.items():
            if sum(words) <= left:
                return _narrow(natural, words, left), gap
    return _narrow(natural, [min(one, WIDTH_MIN) for one in natural], room[1]), 1


def _longest(column: Sequence[str], level: int) -> int:
    level = min(max(level, 0), len(LEVELS) - 1)
    return max(min(cell_len(unit), WORD_MAX) for cell in column for unit in split_units(cell, level))


def _narrow(widths: list[int], least: Sequence[int], room: int) -> list[int]:
    """Narrow the widest columns first, none below its least width."""
    widths = list(widths)
    while sum(widths) > room:
        able = [place for place, width in enumerate(widths) if width > least[place]]
        if not able:
            break
        widths[max(able, key=widths.__getitem__)] -= 1
    return widths


def split_units(text: str, level: int = 0) -> list[str]:
    """Return the unbreakable parts: words, or pieces of words.

    >>> split_units("PT1: 34 to 1; dice-works/all-lows")
    ['PT1:', '34 to 1;', 'dice-works/all-lows']
    >>> split_units("dice-works/all-lows", 1), split_units("dice-works/all-lows", 2)
    (['dice-works/', 'all-lows'], ['dice-', 'works/', 'all-', 'lows'])
    """
    words = [word.replace("\0", " ") for word in NON_BREAKING.sub("\0", text).split()] or [""]
    return [piece for word in words for piece in LEVELS[level].split(word)]


def wrap_cell(text: str, width: int) -> str:
    """Return a cell in lines of so many columns.

    >>> wrap_cell("PT1: 34 to 1; dice-works/all-lows", 19).split(chr(10))
    ['PT1: 34 to 1;', 'dice-works/all-lows']
    >>> wrap_cell("dice-works/all-lows", 12).split(chr(10))
    ['dice-works/', 'all-lows']
    """
    return "\n".join(line for one in text.split("\n") for line in _lines(one, width))


def _lines(text: str, width: int) -> list[str]:
    if cell_len(text) <= width:
        return [text]
    return _pack([piece for word in split_units(text) for piece in _split_word(word, width)], width)


def _split_word(word: str, width: int) -> list[str]:
    """Return a word, or its pieces if no line is long enough for it."""
    for level in range(len(LEVELS)):
        pieces = split_units(word, level)
        if max(map(cell_len, pieces)) <= width:
            return [" " + pieces[0], *pieces[1:]]
    return [" ", *chop_cells(word, width)]


def _pack(pieces: Sequence[str], width: int) -> list[str]:
    """Return lines with as many pieces as they hold; a piece with a space before it begins a word."""
    lines = [""]
    for piece in pieces:
        joined = (lines[-1] + piece).lstrip(" ")
        if cell_len(joined) <= width:
            lines[-1] = joined
        else:
            lines.append(piece.lstrip(" "))
    return lines
