"""Views for the dealer's console: irregularities, players, the shooter's hand, past rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pitbook.dice import Total
from pitbook.server.schemas.tables import HandRoll, IrregularityView, Name, PlayerInfo, PurseInfo, RoundResult
from pitbook.table.decide.irregularities import can_happen
from pitbook.table.people import may_act
from pitbook.wager.hand import COME_OUT, Call, step

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pitbook.table.state import Table

PLAYERS_MAX = 60
"""The most players that are listed; a table seats fewer."""
PAST_ROUNDS = 10
"""How many past rounds can be chosen for a dispute or a correction."""


def irregularities(table: Table, held: Iterable[str]) -> list[IrregularityView]:
    """Return what can be called now, and whether someone in these roles may call it."""
    roles = list(held)
    return [
        IrregularityView(
            name,
            Name.of(rule.name),
            Name.of(rule.says),
            rule.clause,
            rule.remedy,
            Name.of(rule.announce) if rule.announce else None,
            rule.called_by,
            rule.presence,
            rule.or_above,
            names_bets=rule.remedy == "supervisor decides",
            mine=any(may_act(table.rules, role, rule.called_by, or_above=rule.or_above) for role in roles),
            reading=rule.reading,
        )
        for name, rule in table.rules.irregularities.items()
        if can_happen(table, rule)
    ]


def players_at(table: Table) -> list[str]:
    """Return who has recently played here: with bets, settled or not, the dice, colour chips or a place at the rail."""
    found = {bet.player for bet in table.bets.values()} | set(table.purses) | set(table.rail)
    found |= {line.player for record in table.history[-PAST_ROUNDS:] for line in record.lines}
    if table.shooter is not None:
        found.add(table.shooter)
    return sorted(found)[:PLAYERS_MAX]


class Chips(NamedTuple):
    """A player's holdings at a table, in minor units."""

    cash: int
    colour: int = 0


NO_CHIPS = Chips(0)


def players(table: Table, holds: Mapping[str, Chips]) -> list[PlayerInfo]:
    """Return the players of `players_at` with their cash chips and their colour chips."""
    found = []
    for name in players_at(table):
        purse = find_purse(table, name, holds.get(name, NO_CHIPS).colour)
        cash = holds[name].cash if name in holds else None
        found.append(PlayerInfo(name, cash, purse.value if purse else None, purse))
    return found


def find_purse(table: Table, player: str, held: int) -> PurseInfo | None:
    """Return a player's purse of colour chips, or None if all are redeemed."""
    own = table.purses.get(player)
    on_layout = sum(bet.amount for bet in table.bets.of(player) if bet.kind == "colour")
    return PurseInfo(own.colour, own.value, held, on_layout) if own is not None and held + on_layout else None


def past_results(table: Table) -> list[RoundResult]:
    """Return the last finished rounds, newest first."""
    over = [record for record in table.history if record.number < table.round.number]
    return [RoundResult(record.number, record.dice) for record in reversed(over[-PAST_ROUNDS:])]


def rolls_of_hand(table: Table) -> list[HandRoll]:
    """Return the rolls since the last seven-out with their calls; that roll too, until the next one."""
    thrown = [record.dice for record in table.history if record.number < table.round.number and record.dice]
    if table.round.entered:
        thrown.append(table.round.entered)
    rolls: list[HandRoll] = []
    now, over = COME_OUT, False
    for dice in thrown if table.craps else ():
        if over:
            rolls = []
        now, call = step(now, Total(sum(dice)), table.rules.hand)
        rolls.append(HandRoll(dice, str(call)))
        over = call is Call.SEVEN_OUT
    return rolls
