"""Stake limits at a table: the house's, within the text's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.table.commands import OWN, Limit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Wager
    from pitbook.table.commands import Setup
    from pitbook.table.state import Bet, Table

ANY = "*"
NO_LIMIT = Limit(1, 10**14)


def limit_of(table: Table, wager_id: str) -> Limit:
    """Return the limit of a wager at this table."""
    assert table.setup is not None
    return limit_in(table.setup, table.rules, table.rules.every[wager_id])


def limit_in(setup: Setup, rules: Rulebook, wager: Wager) -> Limit:
    """Return the most specific limit of a set-up: of the wager, its family, its group, or all; else the text's."""
    limits = setup.limits
    for name in (wager.id, wager.family, wager.group or ANY, ANY) if limits else ():
        if name in limits:
            return limits[name]
    return text_limit(rules, wager)


def own_stake(table: Table, player: str, wager: str) -> int:
    """Return what a player has on a wager in cash and colour chips, made for this throw and in time."""
    return staked(table.bets.on(player, wager))


def _amount_beneath(table: Table, bet: Bet, *, settled: bool) -> int:
    """Return what the player had on the wager before this bet, on the layout or settled in this round.

    What has been settled comes first, then what was placed there, then what a ruling moved there.
    """
    taken = table.round.taken
    moved = {one.bet for one in table.round.rulings if one.stands_on != one.lay_on}

    def place(one: Bet) -> tuple[bool, bool, int]:
        return not settled if one.id == bet.id else one.id not in taken, one.id in moved, one.id

    there = [one for one in taken.values() if (one.player, one.wager) == (bet.player, bet.wager)]
    return staked(one for one in (*table.bets.on(bet.player, bet.wager), *there) if place(one) < place(bet))


def was_moved(table: Table, bet: Bet) -> bool:
    """Return whether a ruling moved a wager to its current area."""
    return any(one.bet == bet.id and one.lay_on != bet.wager for one in table.round.rulings)


def shares_limits(rules: Rulebook) -> bool:
    """Return whether tips and the player's own bet stay inside a wager's limits together."""
    return any(step.tip_limits == "together" for step in rules.procedure.round)


def staked(own: Iterable[Bet]) -> int:
    """Return what of a player's bets on one wager counts for its limits."""
    return sum(bet.amount for bet in own if bet.kind in OWN and not (bet.running or bet.late))


def is_under_minimum(table: Table, bet: Bet, *, settled: bool = False) -> bool:
    """Return whether a wager that was found on the layout is, or was when it was settled, under the minimum."""
    if not bet.found or bet.late:
        return False
    return bet.amount + _amount_beneath(table, bet, settled=settled) < limit_of(table, bet.wager).stake_min


def honoured(table: Table, bet: Bet) -> int:
    """Return the part of a bet that is settled: none of a late one, at most the maximum, one below the minimum once."""
    if bet.late or not bet.confirmed:
        return 0
    if not bet.found and not was_moved(table, bet):
        return bet.amount  # it was inside the limits when it was made
    if is_under_minimum(table, bet):
        return 0 if bet.player in table.under_minimum else bet.amount
    return min(bet.amount, max(0, limit_of(table, bet.wager).stake_max - _amount_beneath(table, bet, settled=False)))


def text_limit(rules: Rulebook, wager: Wager) -> Limit:
    """Return the limit that the text itself sets."""
    limits = wager.limits
    if limits is None:
        return NO_LIMIT
    low = rules.cents(limits.stake_min) if limits.stake_min else NO_LIMIT.stake_min
    high = rules.cents(limits.stake_max) if limits.stake_max else NO_LIMIT.stake_max
    return Limit(low, high)
