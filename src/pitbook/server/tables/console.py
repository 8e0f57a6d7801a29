"""What the dealer's console needs besides: what can go wrong now, who plays here, the shooter's hand, past rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pitbook.dice import Total
from pitbook.table.decide.irregularities import can_happen
from pitbook.table.people import may_act
from pitbook.wager.hand import COME_OUT, Call, step

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pitbook.table.state import Table

PLAYERS_MAX = 60
"""So many are told; a table seats fewer."""
PAST = 10
"""So many past rounds can be chosen for a dispute or a correction."""


def irregularities(table: Table, held: Iterable[str]) -> list[dict[str, Any]]:
    """What can be called now, and whether somebody in these roles may call it."""
    roles = list(held)
    return [
        {
            "id": name,
            "name": rule.name.model_dump(),
            "says": rule.says,
            "clause": list(rule.clause),
            "remedy": rule.remedy,
            "announce": rule.announce,
            "called_by": list(rule.called_by),
            "presence": list(rule.presence),
            "or_above": rule.or_above,
            "names_bets": rule.remedy == "supervisor decides",
            "mine": any(may_act(table.rules, role, rule.called_by, or_above=rule.or_above) for role in roles),
        }
        for name, rule in table.rules.irregularities.items()
        if can_happen(table, rule)
    ]


def players_at(table: Table) -> list[str]:
    """Who has lately played here: whose bets lie or were settled, who has the dice, whose colour chips are out."""
    found = {bet.player for bet in table.bets.values()} | set(table.purses)
    found |= {line.player for record in table.history[-PAST:] for line in record.lines}
    if table.shooter is not None:
        found.add(table.shooter)
    return sorted(found)[:PLAYERS_MAX]


class Chips(NamedTuple):
    """What a player holds at a table, in minor units."""

    cash: int
    colour: int = 0


NO_CHIPS = Chips(0)


def players(table: Table, holds: Mapping[str, Chips]) -> list[dict[str, Any]]:
    """Return the players of `players_at` with their cash chips and their colour chips."""
    return [
        {
            "name": name,
            "holds": holds[name].cash if name in holds else None,
            **colour_chips(table, name, holds.get(name, NO_CHIPS).colour),
        }
        for name in players_at(table)
    ]


def colour_chips(table: Table, player: str, held: int) -> dict[str, Any]:
    """Return a player's purse of colour chips and what one is worth; null while they have none out."""
    own = table.purses.get(player)
    lying = sum(bet.amount for bet in table.bets.of(player) if bet.kind == "colour")
    if own is None or not held + lying:
        return {"colour_value": None, "purse": None}
    purse = {"colour": own.colour, "value": own.value, "held": held, "lying": lying}
    return {"colour_value": own.value, "purse": purse}


def past(table: Table) -> list[dict[str, Any]]:
    """The last rounds that are over, the newest first."""
    over = [record for record in table.history if record.number < table.round.number]
    return [{"round": record.number, "dice": list(record.dice)} for record in reversed(over[-PAST:])]


def hand(table: Table) -> list[dict[str, Any]]:
    """The rolls since the last seven-out, with what the stick calls; that roll too, until the next one."""
    thrown = [record.dice for record in table.history if record.number < table.round.number and record.dice]
    if table.round.entered:
        thrown.append(table.round.entered)
    rolls: list[dict[str, Any]] = []
    now, over = COME_OUT, False
    for dice in thrown if table.craps else ():
        if over:
            rolls = []
        now, call = step(now, Total(sum(dice)))
        rolls.append({"dice": list(dice), "call": str(call)})
        over = call is Call.SEVEN_OUT
    return rolls
