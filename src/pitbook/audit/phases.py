"""Bets on a craps layout, each with its own state: line bets, come bets, odds, numbers, hardways.

A bet has its own point or follows the shooter's; it works by the rows of its phase, as it was called, or rests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from pitbook.audit.details import detail
from pitbook.audit.hand import find_call
from pitbook.audit.wagers import RETURNED, row_reached

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from fractions import Fraction

    from pitbook.audit.books import Book
    from pitbook.audit.conditions import Throw
    from pitbook.audit.details import Detail
    from pitbook.audit.odds import Odds
    from pitbook.audit.wagers import Rows, Wager


class Standing(Protocol):
    """A bet on the layout."""

    id: int
    player: str
    wager: str
    amount: int
    point: int | None
    """Its own point; None before it has travelled, and of a bet without one."""
    called: str | None
    """The player's call: "on", "off", or None."""


def working_rows(wager: Wager, point: int | None, called: str | None = None) -> Rows:
    """Return the rows by which a bet is decided on this point, or on a come-out roll (None); none while it is off.

    Called on, a bet works on every roll as it does with a point.
    """
    if called == "off":
        return ()
    if called == "on":
        return next(rows for on, rows in wager.phases.items() if on is not None)
    return wager.phases.get(point, ())


def decide(wager: Wager, throw: Throw, point: int | None, called: str | None = None) -> str | None:
    """Return the row that a bet reaches with a roll, or None if it is not decided."""
    return row_reached(working_rows(wager, point, called), throw)


def decided(book: Book, point: int | None, bets: Sequence[Standing], throw: Throw) -> dict[int, str]:
    """Return the row of every bet with its own state that a roll decides, by the bet's number.

    A bet that is placed behind another one goes back if that one is decided and it is not itself.
    """
    rows: dict[int, str] = {}
    tied = []
    for bet in bets:
        wager = book.every[bet.wager]
        if wager.kind != "phases":
            continue
        row = decide(wager, throw, bet.point if wager.own_point else point, bet.called)
        if row is not None:
            rows[bet.id] = row
        elif wager.tied is not None:
            tied.append(bet)
    for bet in tied:
        if any(parent.id in rows for parent in parents(book, bets, bet.player, bet.wager)):
            rows[bet.id] = RETURNED
    return rows


def parents(book: Book, bets: Iterable[Standing], player: str, wager: str) -> list[Standing]:
    """Return the player's bets behind which odds on this wager are placed."""
    tied = book.every[wager].tied
    if tied is None:
        return []
    return [bet for bet in bets if (bet.player, bet.wager) == (player, tied.parent) and bet.point == tied.point]


def odds_refused(
    book: Book, point: int | None, bets: Collection[Standing], player: str, odds: Wager, total: int
) -> Detail | None:
    """Return why these odds may not be placed behind the player's bet, or None."""
    tied = odds.tied
    if tied is None:
        return None
    on = tied.point or point
    flat = sum(bet.amount for bet in parents(book, bets, player, odds.id))
    if on is None or not flat:
        if on is None:
            return detail("odds-no-bet", player=player, parent=tied.parent)
        return detail("odds-no-bet-on", player=player, parent=tied.parent, point=on)
    most = most_odds(book, point, bets, player, odds)
    if total <= most:
        return None
    return detail("odds-too-high", total=total, most=most, flat=flat, parent=tied.parent, point=on)


def most_odds(book: Book, point: int | None, bets: Iterable[Standing], player: str, odds: Wager) -> int:
    """Return how much in odds may be placed behind a player's bet."""
    tied = odds.tied
    on = tied.point or point if tied else None
    if tied is None or on is None:
        return 0
    most = tied.multiple.get(on, 0) * sum(bet.amount for bet in parents(book, bets, player, odds.id))
    return int(most / _gain(odds, on)) if tied.by_win else most


def _gain(wager: Wager, point: int) -> Fraction:
    """Return what a stake of one wins on a point, before the commission."""
    table = next(iter(wager.pays.values()))
    return max(table[row].gain + table[row].commission for row, _ in wager.phases[point])


def take_down_refused(wager: Wager, bet: Standing, point: int | None) -> Detail | None:
    """Return why a bet on which a roll has been made cannot be taken down, or None."""
    rule = wager.take_down
    if rule is None or rule.when == "never":
        return detail("rolled-on" if rule is None else "never-down")
    own = bet.point if wager.own_point else point
    return detail("on-point", point=own) if rule.when == "before a point" and own is not None else None


def travelled(book: Book, wager: Wager, point: int | None, total: int) -> int | None:
    """Return a bet's own point after a roll that does not decide it."""
    return find_call(book.hand, point, total)[0] if wager.own_point else None


def stays_on_layout(wager: Wager, odds: Odds) -> bool:
    """Return whether a bet that is settled at these odds stays on the layout."""
    return wager.after_win == "stays up" and odds.gain > 0
