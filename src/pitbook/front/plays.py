"""Amounts and ways to play, as people write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pitbook.engine.strategy import Rule, Strategy, strategy_of
from pitbook.errors import InputError, quoted
from pitbook.money import Cents, parse_amount

if TYPE_CHECKING:
    from pitbook.rulebooks.model import Rulebook

Amount = str | int
"""An amount in a book's currency: "2.50", or whole units as an int."""
Plan = Mapping[str, Amount] | Sequence[Rule] | Strategy | str
"""Bets that are made again each round; or a craps strategy: its rules, a function of the layout, or its name."""


def cents(rules: Rulebook, amount: Amount) -> Cents:
    """Return an amount in minor units of a book's currency."""
    if type(amount) not in (str, int):
        raise InputError("games.not-an-amount", amount=quoted(amount))
    text = amount if isinstance(amount, str) else str(min(amount, 10**16))
    return parse_amount(text, rules.decimals)


def stakes(rules: Rulebook, bets: Mapping[str, Amount]) -> dict[str, Cents]:
    """Return bets in minor units of a book's currency."""
    if not isinstance(bets, Mapping):
        raise InputError("games.not-bets", bets=quoted(bets))
    return {wager_id: cents(rules, amount) for wager_id, amount in bets.items()}


def whole(number: int, what: str) -> int:
    """Return a number of things, if it is an integer."""
    if type(number) is not int:
        raise InputError("games.not-whole", number=quoted(number), what=what)
    return number


def strategy_from(rules: Rulebook, play: Sequence[Rule] | Strategy | str) -> Strategy:
    """Return a craps strategy from its rules, from its name or file, or as it is."""
    if isinstance(play, str):
        from pitbook.simulation.strategies import read_strategy

        return read_strategy(rules, play)[1]
    return play if callable(play) else strategy_of(rules, play)
