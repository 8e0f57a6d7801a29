"""What players' own limits leave them at automatic tables, over all the tables of the house."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.people.limits import limits_at, may_play
from pitbook.table.decide.draft import Allowance
from pitbook.table.state import Play

if TYPE_CHECKING:
    from pitbook.house.house import House
    from pitbook.table.commands import Command
    from pitbook.table.people import Person
    from pitbook.table.state import Table


def allowance(house: House, here: Table, command: Command, person: Person, at: str) -> Allowance:
    """What a player may still stake, lose, and how long they may still play, as other tables have committed it.

    Who has shut themselves out is out at every table; limits are for automatic ones.

    Bets of one player change the same account, which each command locks: what other tables have committed is all there
    is. On one SQLite file, a server lets a player with limits ask for one thing at a time.
    """
    name = getattr(command, "player", None) or person.name
    people = house.people if here.automatic is not None else house.people_seen
    account = people.find(name)
    if account is None:
        return Allowance()
    excluded = may_play(account, at)
    if excluded or here.automatic is None:
        return Allowance(excluded=excluded)
    limits, day = limits_at(account, at), at[:10]
    most, at_once = limits.loss_per_day.get(here.money), limits.stake_at_once.get(here.money)
    if most is None and at_once is None and limits.seconds_per_day is None:
        return Allowance()
    tables = [here, *(house.table(other) for other in house.tables() if other != here.id)]
    tables = [table for table in tables if table.automatic is not None]
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
