"""The same bet under different books or pay tables, side by side."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pitbook.analysis.signatures import Signature, signature
from pitbook.engine.analyse import Analysis, analyse
from pitbook.results import Result, Row, bars

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Wager


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Result):
    """One bet, and its figures in each book that offers it: one for every pay table there."""

    name: str
    chinese: str
    found: Mapping[str, Sequence[Analysis]]
    """By the book's name; books that do not offer the bet are left out."""

    @property
    def edges(self) -> list[Fraction]:
        """All house edges, in the order of books and pay tables."""
        return [figures.house_edge for several in self.found.values() for figures in several]

    def __repr__(self) -> str:
        return f"<Comparison of {self.name}: {', '.join(f'{float(edge):.4%}' for edge in self.edges)}>"

    def rows(self) -> list[Row]:
        """Return one row for each book and pay table."""
        return [
            {
                "bet": self.name,
                "book": book,
                "wager": figures.wager.id,
                "paytable": figures.paytable,
                "pays": " / ".join(str(end.odds) for end in figures.ends if end.odds.wins),
                "win_probability": figures.win_probability,
                "house_edge": figures.house_edge,
            }
            for book, several in self.found.items()
            for figures in several
        ]

    def picture(self) -> str:
        """Return the house edges as bars."""
        edges = {f"{row['book']} {row['paytable'] or ''}": float(row["house_edge"]) for row in self.rows()}
        return bars(edges, f"house edge of {self.name}", percent=True)


def compare(
    books: Sequence[Rulebook], wagers: Sequence[str] | None = None, names: Sequence[str] | None = None
) -> list[Comparison]:
    """Return every bet that is offered by two books at least, or under two pay tables, as the first book names it.

    Bets are matched by what decides them, not by their names: Singapore's specific triple is Massachusetts' three of
    a kind. One book under several options is matched by ids: the same bet may be decided differently there. With
    `wagers` (ids in any of the books) only those, even where nothing matches them. `names` tell books apart where
    their ids do not.
    """
    groups: dict[Signature | str, dict[str, list[Analysis]]] = {}
    wanted: set[Signature | str] = set()
    by_id = len(books) > 1 and len({book.id for book in books}) == 1
    for name, book in _named(books, names):
        for wager in book.wagers.values():
            key = wager.id if by_id else signature(wager.spec, book.dice)
            if wagers and wager.id in wagers:
                wanted.add(key)
            figures = [analyse(book, wager, table) for table in wager.paytables]
            groups.setdefault(key, {}).setdefault(name, []).extend(figures)
    rows = []
    for key, found in groups.items():
        several = sum(len(figures) for figures in found.values()) > 1
        if key in wanted if wagers else several and (len(books) == 1 or len(found) > 1):
            first = next(iter(found.values()))[0].wager
            rows.append(Comparison(first.name.en, first.name.zh, found))
    return rows


def only_in(
    books: Sequence[Rulebook], rows: Sequence[Comparison], names: Sequence[str] | None = None
) -> dict[str, list[str]]:
    """Return what a comparison has no row for: wagers that no other book offers, or that have only one pay table.

    By book; a family that is left out as a whole is named once: `three-singles (20)`.
    """
    return {
        book: [f"{wagers[0].family} ({len(wagers)})" if len(wagers) > 1 else wagers[0].id for wagers in groups]
        for book, groups in alone_in(books, rows, names).items()
    }


def alone_in(
    books: Sequence[Rulebook], rows: Sequence[Comparison], names: Sequence[str] | None = None
) -> dict[str, list[list[Wager]]]:
    """Like `only_in`, but return the wagers themselves: together where a whole family is left out, else one by one."""
    compared = {(book, figures.wager.id) for row in rows for book, several in row.found.items() for figures in several}
    left = {
        name: _by_family([one for one in book.wagers.values() if (name, one.id) not in compared], book)
        for name, book in _named(books, names)
    }
    return {book: alone for book, alone in left.items() if alone}


def _named(books: Sequence[Rulebook], names: Sequence[str] | None) -> list[tuple[str, Rulebook]]:
    return list(zip(names or [book.id for book in books], books, strict=True))


def _by_family(alone: Sequence[Wager], book: Rulebook) -> list[list[Wager]]:
    all_of = Counter(wager.family for wager in book.wagers.values())
    here = Counter(wager.family for wager in alone)
    groups: dict[str, list[Wager]] = {}
    for one in alone:
        whole = 1 < here[one.family] == all_of[one.family]
        groups.setdefault(f"family {one.family}" if whole else one.id, []).append(one)
    return list(groups.values())
