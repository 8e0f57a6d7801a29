"""Pays of wagers: the odds of each row by pay table, commissions and divided stakes."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from pitbook.audit.odds import LOSE, PUSH, Odds, less_commission, read_odds

if TYPE_CHECKING:
    from collections.abc import Iterable

Pays = dict[str | None, dict[str, Odds]]
"""Odds by pay table, of which the first is the default, and row."""

FIXED = {"lose": LOSE, "push": PUSH}
"""Rows whose pay no book states, except in a ladder of rows."""


class Commission(NamedTuple):
    """The house's commission on a bet."""

    share: Fraction
    of_win: bool
    """Whether it is a share of the win, not of the bet."""
    with_bet: bool
    """Whether it is paid with the bet, not from a win."""


def read_pays(
    text: Any,
    tables: tuple[str, ...],
    selection: str | None,
    selections: tuple[str, ...],
    rows: tuple[str, ...],
) -> Pays:
    """Return the odds of the rows, from one text, a list by pay table, or names of selections or rows."""

    def look_up(value: Any, table: str | None, row: str) -> str:
        if isinstance(value, str):
            return value
        if isinstance(value, list):
            return look_up(value[tables.index(str(table))], table, row)
        keys = set(value)
        name = table if keys <= set(tables) else selection if keys <= set(selections) else row
        return look_up(value[name], table, row)

    stated = [row for row in rows if row not in FIXED]
    return {table: {row: read_odds(look_up(text, table, row)) for row in stated} for table in tables or (None,)}


def fixed_rows(rows: Iterable[str]) -> dict[str, Odds]:
    """Return the pay of rows that need no statement: a loss, a returned stake."""
    return {row: FIXED[row] for row in rows if row in FIXED}


def divided_odds(parts: list[Odds]) -> Odds:
    """Return the odds of a stake in equal parts: what the winning parts gain less the parts that lose.

    >>> divided_odds([Odds(Fraction(15)), LOSE]).gain
    Fraction(7, 1)
    """
    return Odds(sum((part.gain for part in parts), Fraction(0)) / len(parts))


def read_commission(text: dict[str, Any] | None) -> Commission | None:
    """Return the commission of a wager, if it has one."""
    if text is None:
        return None
    return Commission(Fraction(text["percent"], 100), text["of"] == "win", text["charged"] == "when bet")


def charge(pays: dict[str, Odds], commission: Commission) -> None:
    """Take the commission off each win, and off each loss if it is paid with the bet."""
    win = max(odds.gain for odds in pays.values())
    for row, odds in pays.items():
        if odds.gain > 0 or (odds.gain < 0 and commission.with_bet):
            gain = odds.gain if odds.gain > 0 else win
            pays[row] = less_commission(odds, commission.share * (gain if commission.of_win else 1))
