"""Pitbook runs casino dice tables by the book.

>>> import pitbook
>>> book = pitbook.rulebook("singapore-mbs-sic-bo-v6")
>>> book.wager("small").chance
Fraction(35, 72)
>>> played = book.settle({"small": "5", "total/6": "2.50"}, "1-2-3")
>>> [(outcome.bet.wager, outcome.result, outcome.net) for outcome in played.outcomes]
[('small', 'win', 500), ('total/6', 'win', 4500)]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pitbook.book import Book as Book
    from pitbook.book import rulebook as rulebook
    from pitbook.dice import Roll as Roll
    from pitbook.engine.play import Bet as Bet
    from pitbook.errors import InputError as InputError
    from pitbook.money import Odds as Odds
    from pitbook.rulebooks.catalogue import PACKAGED as PACKAGED
    from pitbook.rulebooks.errors import InvalidBook as InvalidBook

_HOMES = {
    "Book": "pitbook.book",
    "rulebook": "pitbook.book",
    "Roll": "pitbook.dice",
    "Bet": "pitbook.engine.play",
    "InputError": "pitbook.errors",
    "Odds": "pitbook.money",
    "PACKAGED": "pitbook.rulebooks.catalogue",
    "InvalidBook": "pitbook.rulebooks.errors",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605 - the names are fixed above


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that `import pitbook` costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'pitbook' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
