"""Players' own limits at automatic tables, over all tables of the house in the journal's order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.house.state import HouseState
from pitbook.journal.entries import HOUSE
from pitbook.people.limits import limits_at, play_problem
from pitbook.table.decide.draft import Allowance
from pitbook.table.state import Play, Table

if TYPE_CHECKING:
    from pitbook.house.house import House
    from pitbook.journal.decisions import Sequences
    from pitbook.people.state import People
    from pitbook.table.commands import Command
    from pitbook.table.people import Person


def allowance(
    house: House, others: Sequences[Table | HouseState], here: Table, command: Command, person: Person, at: str
) -> Allowance:
    """Return what a player may still stake and lose, and how long they may still play.

    Exclusions apply at every table, limits at automatic ones. Bets of a player with limits are decided one after the
    other, whichever process takes them, so that each sees the results of the others.
    """
    name = getattr(command, "player", None) or person.name
    account = _people(house, others, here).find(name)
    if account is None:
        return Allowance()
    excluded = play_problem(account, at)
    if excluded or here.automatic is None:
        return Allowance(excluded=excluded)
    limits, day = limits_at(account, at), at[:10]
    most, at_once = limits.loss_per_day.get(here.money), limits.stake_at_once.get(here.money)
    if most is None and at_once is None and limits.seconds_per_day is None:
        return Allowance()
    others.lock(f"limits of {name}")
    seen = (others.view(other) for other in house.tables() if other != here.id)
    tables = [here, *(table for table in seen if isinstance(table, Table) and table.automatic is not None)]
    plays = {table.id: table.plays.get(name, Play()) if table.play_day == day else Play() for table in tables}
    same = [table for table in tables if table.money == here.money]
    lost = sum(plays[table.id].lost for table in same)
    lying = sum(bet.amount for table in same if table is not here for bet in table.bets.of(name))
    played = sum(play.seconds for play in plays.values())
    return Allowance(
        lose_max=None if most is None else most - lost - lying,
        stake_max=None if at_once is None else at_once - lying,
        seconds_max=None if limits.seconds_per_day is None else limits.seconds_per_day - played,
    )


def _people(house: House, others: Sequences[Table | HouseState], here: Table) -> People:
    """Return the people as the transaction sees them at an automatic table, elsewhere as last seen."""
    if here.automatic is None:
        return house.people_seen
    own = others.view(HOUSE)
    assert isinstance(own, HouseState)
    return own.people
