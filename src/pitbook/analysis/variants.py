"""A book's figures under every choice of the readings that matter to a wager."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from pitbook.engine.analyse import Analysis, analyse
from pitbook.errors import InputError
from pitbook.rulebooks.catalogue import load

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from pitbook.rulebooks.model import Rulebook

Readings = tuple[tuple[str, str], ...]
COMBINATIONS_MAX = 256


@dataclass(frozen=True, slots=True)
class Variant:
    """A wager's figures, with the book and the readings that they were computed under."""

    book: Rulebook
    analysis: Analysis
    readings: Mapping[str, str]
    """The readings that matter to this wager, and their choices in force."""


def variants(
    book: Rulebook,
    wagers: Sequence[str] | None = None,
    paytables: Mapping[str, str] | None = None,
    *,
    reload: Callable[[Mapping[str, str]], Rulebook] | None = None,
) -> list[Variant]:
    """Return every wager named (or all) under every pay table (or the one named for it).

    With `reload`, which gives the same book under other readings, each is also taken under every combination of the
    readings that matter to it.
    """
    again = cache(lambda readings: reload(dict(readings)) if reload else book)
    found: list[Variant] = []
    for wager_id in wagers or book.wagers:
        wager = book.wager(wager_id)
        chosen = (paytables or {}).get(wager_id)
        relevant = book.readings_of(wager)
        for readings in _combinations(book, relevant) if reload else [relevant]:
            under = again(tuple(readings.items())) if reload else book
            found += [
                Variant(under, analyse(under, under.wager(wager_id), table), readings)
                for table in ([chosen] if chosen else wager.paytables)
            ]
    return found


def _combinations(book: Rulebook, relevant: Mapping[str, str]) -> list[dict[str, str]]:
    """Return all combinations of choices, the ones in force first."""
    choices = [
        [chosen, *(choice for choice in book.readings[name].choices if choice != chosen)]
        for name, chosen in relevant.items()
    ]
    count = prod(map(len, choices))
    if count > COMBINATIONS_MAX:
        raise InputError("analysis.readings", count=f"{count:,}")
    return [dict(zip(relevant, combination, strict=True)) for combination in product(*choices)]


def reloader(source: str | Path, options: Mapping[str, str] | None = None) -> Callable[[Mapping[str, str]], Rulebook]:
    """Return a function that loads a book under other readings."""
    return lambda readings: load(source, readings=readings, options=options)
