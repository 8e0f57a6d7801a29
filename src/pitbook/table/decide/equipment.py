"""The dice and the shakers of a table: put into use, taken out of use, repaired."""

from __future__ import annotations

from calendar import monthrange
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.holding import ELECTRONIC, repair_tumbler
from pitbook.table.refusals import Why
from pitbook.table.state import idle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.text import Irregularity, Life
    from pitbook.table.decide.draft import Draft
    from pitbook.table.state import Table


def put_dice(draft: Draft, command: c.PutDice) -> None:
    if not idle(draft.table):
        draft.refuse(Why.NOT_NOW, "dice are replaced between rounds")
    dice = draft.rules.equipment.get("dice")
    if not command.sealed and draft.rules.identity.game == "sic-bo":
        draft.refuse(Why.DICE_MISSING, "the dice are sealed or locked inside the shaker", dice.clause if dice else ())
    if dice and dice.count and command.count not in (None, dice.count):
        draft.refuse(Why.DICE_MISSING, f"a set has {dice.count} dice, not {command.count}", dice.clause)
    if draft.table.dice and draft.table.dice.set == command.set:
        says = f"the set {command.set!r} is in use already; take another"
        draft.refuse(Why.DICE_EXPIRED, says, dice.clause if dice else ())
    draft.emit(e.DicePut(command.set, draft.context.at, command.sealed))


def expired(life: Life, table: Table, at: str) -> bool:
    """Whether the dice have been in the shaker longer than they may."""
    assert table.dice is not None
    return datetime.fromisoformat(at) > ends_at(life, datetime.fromisoformat(table.dice.put_in))


def ends_at(life: Life, put_in: datetime) -> datetime:
    """When dice may no longer be used: hours later, or the same day of a later calendar month (or its last day)."""
    if life.unit == "hours":
        return put_in + timedelta(hours=life.length)
    months = put_in.month - 1 + life.length
    year, month = put_in.year + months // 12, months % 12 + 1
    return put_in.replace(year=year, month=month, day=min(put_in.day, monthrange(year, month)[1]))


def check_age(draft: Draft, lives: Sequence[Life]) -> None:
    table = draft.table
    for life in lives:
        if life.shaker in ("any", table.shaker) and expired(life, table, draft.context.at):
            unit = life.unit if life.length > 1 else life.unit.removesuffix("s")
            says = f"the dice were {life.counted_from} more than {life.length} {unit} ago; replace them"
            draft.refuse(Why.DICE_EXPIRED, says, life.clause)


def put_away_shaker(draft: Draft, command: c.PutAwayShaker) -> None:
    exchange = _exchange(draft.rules)
    if exchange is None or draft.table.shaker != "automated":
        draft.refuse(Why.SHAKER, "no automated shaker is exchanged here")
    if not idle(draft.table):
        draft.refuse(Why.NOT_NOW, "shakers are exchanged between rounds", exchange.clause)
    if command.how not in exchange.put_away:
        ways = " or ".join("marked with a sign" if how == "sign" else how for how in exchange.put_away)
        draft.refuse(Why.SHAKER, f"the automated shaker is {ways}", exchange.clause)
    if command.how != "removed" and not command.dice_removed:
        draft.refuse(Why.SHAKER, "its dice are taken out, and it is covered or signed out of order", exchange.clause)
    draft.emit(e.ShakerPutAway(command.how))


def _exchange(rules: Rulebook) -> Irregularity | None:
    """How the book lets a manual shaker take an automated one's place."""
    return next((rule for rule in rules.irregularities.values() if rule.remedy == "replace equipment"), None)


def use_shaker(draft: Draft, command: c.UseShaker) -> None:
    table = draft.table
    if not idle(table):
        draft.refuse(Why.NOT_NOW, "shakers are exchanged between rounds")
    if table.shaker == command.shaker or not has_shaker(draft.rules, command.shaker):
        draft.refuse(Why.SHAKER, f"a {command.shaker} shaker is in use already, or unknown to the book")
    exchange = _exchange(draft.rules)
    if command.shaker == "manual" and not table.automated_away:
        clauses = exchange.clause if exchange else []
        draft.refuse(Why.SHAKER, "the automated shaker is put away before a manual one is used", clauses)
    draft.emit(e.ShakerInUse(command.shaker))


def has_shaker(rules: Rulebook, shaker: str) -> bool:
    return any(thing.kind == "shaker" and thing.shaker == shaker for thing in rules.equipment.values())


def repair(draft: Draft, command: c.Repair) -> None:
    if command.equipment == ELECTRONIC and draft.table.automatic is not None:
        repair_tumbler(draft)
        return
    if command.equipment not in draft.table.failed:
        draft.refuse(Why.NOTHING_TO_DO, f"{command.equipment!r} has not failed")
    draft.emit(e.EquipmentRepaired(command.equipment))


def check_works(draft: Draft) -> None:
    """Refuses to throw with dice that were damaged, or a shaker that has failed."""
    for name in draft.table.failed:
        thing = draft.rules.equipment[name]
        if thing.kind == "dice" or (thing.kind == "shaker" and thing.shaker == draft.table.shaker):
            says = f"out of order: {name}; it is repaired or replaced first"
            draft.refuse(Why.DICE_MISSING if thing.kind == "dice" else Why.SHAKER, says)
