"""The same bet under different books or pay tables, side by side."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pitbook.analysis.signatures import Signature, signature
from pitbook.engine.analyse import Analysis, analyse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Wager


@dataclass(frozen=True, slots=True)
class Comparison:
    """One bet, and its figures in each book that offers it: one for every pay table there."""

    name: str
    chinese: str
    found: Mapping[str, Sequence[Analysis]]
    """By book id; books that do not offer the bet are left out."""

    @property
    def edges(self) -> list[Fraction]:
        """All house edges, in the order of books and pay tables."""
        return [figures.house_edge for several in self.found.values() for figures in several]


def compare(books: Sequence[Rulebook], wagers: Sequence[str] | None = None) -> list[Comparison]:
    """Every bet that is offered by two books at least, or under two pay tables; named as the first book names it.

    Bets are matched by what decides them, not by their names: Singapore's specific triple is Massachusetts' three of
    a kind. With `wagers` (ids in any of the books) only those, even where nothing matches them.
    """
    groups: dict[Signature, dict[str, list[Analysis]]] = {}
    wanted: set[Signature] = set()
    for book in books:
        for wager in book.wagers.values():
            key = signature(wager.spec, book.dice)
            if wagers and wager.id in wagers:
                wanted.add(key)
            figures = [analyse(book, wager, table) for table in wager.paytables]
            groups.setdefault(key, {}).setdefault(book.id, []).extend(figures)
    rows = []
    for key, found in groups.items():
        several = sum(len(figures) for figures in found.values()) > 1
        if key in wanted if wagers else several and (len(books) == 1 or len(found) > 1):
            first = next(iter(found.values()))[0].wager
            rows.append(Comparison(first.name.en, first.name.zh, found))
    return rows


def only_in(books: Sequence[Rulebook], rows: Sequence[Comparison]) -> dict[str, list[str]]:
    """What a comparison has no row for: wagers that no other book offers, or that have one pay table only.

    By book; a family that is left out as a whole is named once: `three-singles (20)`.
    """
    shown = {(book, figures.wager.id) for row in rows for book, several in row.found.items() for figures in several}
    left = {
        book.id: _by_family([one for one in book.wagers.values() if (book.id, one.id) not in shown], book)
        for book in books
    }
    return {book: names for book, names in left.items() if names}


def _by_family(alone: Sequence[Wager], book: Rulebook) -> list[str]:
    all_of = Counter(wager.family for wager in book.wagers.values())
    here = Counter(wager.family for wager in alone)
    whole = {family for family, times in here.items() if 1 < times == all_of[family]}
    names = [f"{one.family} ({here[one.family]})" if one.family in whole else one.id for one in alone]
    return list(dict.fromkeys(names))
