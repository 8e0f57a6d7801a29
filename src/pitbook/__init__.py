"""Pitbook runs casino dice tables by the book.

>>> import pitbook
>>> book = pitbook.rulebook("singapore-mbs-sic-bo-v6")
>>> book["small"].chance, book["small"].edge
(Fraction(35, 72), Fraction(1, 36))
>>> played = book.settle({"small": "5", "total/6": "2.50"}, "1-2-3")
>>> [(outcome.bet.wager, outcome.result, outcome.net) for outcome in played.outcomes]
[('small', 'win', 500), ('total/6', 'win', 4500)]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pitbook.dice import Roll as Roll
    from pitbook.engine.play import Act as Act
    from pitbook.engine.play import Bet as Bet
    from pitbook.engine.strategy import Layout as Layout
    from pitbook.engine.strategy import Rule as Rule
    from pitbook.engine.strategy import Wish as Wish
    from pitbook.errors import InputError as InputError
    from pitbook.front.book import Book as Book
    from pitbook.front.book import rulebook as rulebook
    from pitbook.front.session import Session as Session
    from pitbook.front.table import Table as Table
    from pitbook.money import Odds as Odds
    from pitbook.rulebooks.catalogue import PACKAGED as PACKAGED
    from pitbook.rulebooks.errors import InvalidBook as InvalidBook
    from pitbook.wager.games import End as End
    from pitbook.wager.games import Game as Game

_HOMES = {
    "Roll": "pitbook.dice",
    "Act": "pitbook.engine.play",
    "Bet": "pitbook.engine.play",
    "Layout": "pitbook.engine.strategy",
    "Rule": "pitbook.engine.strategy",
    "Wish": "pitbook.engine.strategy",
    "InputError": "pitbook.errors",
    "Book": "pitbook.front.book",
    "rulebook": "pitbook.front.book",
    "Session": "pitbook.front.session",
    "Table": "pitbook.front.table",
    "Odds": "pitbook.money",
    "PACKAGED": "pitbook.rulebooks.catalogue",
    "InvalidBook": "pitbook.rulebooks.errors",
    "End": "pitbook.wager.games",
    "Game": "pitbook.wager.games",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605 - the names are fixed above


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that `import pitbook` costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'pitbook' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
