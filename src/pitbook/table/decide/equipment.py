"""The dice and the shakers of a table: put into use, taken out of use, repaired."""

from __future__ import annotations

from calendar import monthrange
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pitbook.dice_register.decide import REASON_MAX, is_valid_name, name_problem, serials_problem
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.dealers import check_attended
from pitbook.table.decide.suspension import ELECTRONIC, repair_tumbler
from pitbook.table.people import is_supervisor
from pitbook.table.refusals import Why
from pitbook.table.state import failed_kinds, idle, on_table, shaken, shaker_name

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from pitbook.dice_register.events import Fate
    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.text import Irregularity, Life
    from pitbook.table.decide.draft import Draft
    from pitbook.table.state import Table

DICE_LIFE = "dice-life"


def put_dice(draft: Draft, command: c.PutDice) -> None:
    """Put a set into the shaker in use; one that is in there is taken out first."""
    _check_not_thrown(draft)
    dice, forbids = draft.rules.equipment.get("dice"), draft.rules.forbids
    if not is_valid_name(command.set):
        draft.refuse(Why.DICE_MISSING, "name the set of dice")
    if not command.sealed and draft.rules.identity.game == "sic-bo":
        draft.refuse(Why.DICE_MISSING, "the dice are sealed or locked inside the shaker", forbids.loose_dice or ())
    if dice and dice.count and command.count not in (None, dice.count):
        draft.refuse(Why.DICE_MISSING, f"a set has {dice.count} dice, not {command.count}", forbids.dice or ())
    if draft.table.dice and draft.table.dice.set == command.set:
        draft.refuse(Why.DICE_REGISTER, f"the set {command.set!r} is in use already; take another")
    if draft.rules.identity.game == "sic-bo":
        _check_fillable(draft)
    serials, first_used = _check_register(draft, command)
    _check_age(draft, dice.life if dice else (), first_used, f"the set {command.set!r} was", "take another")
    take_out(draft, "replaced")
    draft.emit(e.DicePut(command.set, draft.context.at, command.sealed, first_used, serials))


def _check_not_thrown(draft: Draft) -> None:
    """Dice are exchanged between rounds, or in a round of Sic Bo before they are shaken: the wagers are not touched."""
    table = draft.table
    if not dice_movable(table):
        says = "the dice of this round have been shaken; they are exchanged after it"
        draft.refuse(Why.NOT_NOW, "dice are exchanged between rolls" if table.craps else says, reading=DICE_LIFE)


def dice_movable(table: Table) -> bool:
    """Whether dice may be put in or taken out now: between rounds, or at Sic Bo before this round's shake."""
    return idle(table) or not (table.craps or shaken(table))


def _check_fillable(draft: Draft) -> None:
    check_shaker_in_use(draft)
    if draft.table.shaker == "manual":
        check_attended(draft, "a manual shaker is filled only with a dealer at the table; take the table over first")


def _check_register(draft: Draft, command: c.PutDice) -> tuple[tuple[str, ...], str]:
    """Return the set's serial numbers and when it was first used, as the register of the house has them."""
    register, name = draft.context.register, command.set
    if wrong := serials_problem(register, name, command.serials):
        draft.refuse(Why.DICE_REGISTER, wrong)
    record = register.sets.get(name)
    if record is None:
        if wrong := name_problem(register, name):
            draft.refuse(Why.DICE_REGISTER, wrong)
        return command.serials, draft.context.at
    if record.standing == "in use":
        draft.refuse(Why.DICE_REGISTER, f"the set {name!r} is in use at {record.table}; take another")
    if record.is_retired:
        draft.refuse(Why.DICE_REGISTER, f"the set {name!r} was {record.standing}; take another")
    if command.serials and record.serials and sorted(command.serials) != sorted(record.serials):
        known = ", ".join(record.serials)
        draft.refuse(Why.DICE_REGISTER, f"the set {name!r} has other serial numbers: {known}")
    return record.serials or command.serials, record.first_used or draft.context.at


def take_out_dice(draft: Draft, command: c.TakeOutDice) -> None:
    _check_not_thrown(draft)
    dice = draft.table.dice
    if dice is None or dice.set != command.set:
        there = "there are no dice in the shaker" if dice is None else f"the set {dice.set!r} is in the shaker"
        draft.refuse(Why.NOTHING_TO_DO, f"{there}, not {command.set!r}" if dice else there)
    if not command.reason.strip() or len(command.reason) > REASON_MAX:
        draft.refuse(Why.NOTHING_TO_DO, f"say why the dice are taken out, in at most {REASON_MAX} characters")
    if command.fate != "kept" and not is_supervisor(draft.rules, draft.person.role):
        says = f"somebody above the dealers cancels or destroys dice, not a {draft.person.role}"
        draft.refuse(Why.WRONG_ROLE, says)
    take_out(draft, command.reason, command.fate)


def take_out(draft: Draft, reason: str, fate: Fate = "kept") -> None:
    """Record that the dice leave the shaker, if there are any. Damaged dice are never used again."""
    table = draft.table
    if table.dice is None:
        return
    if "dice" in failed_kinds(table) and fate == "kept":
        fate = "cancelled"
    draft.emit(e.DiceTakenOut(table.dice.set, draft.context.at, reason, fate))


def ends_at(life: Life, first_used: datetime) -> datetime:
    """Return when dice may no longer be used: hours later, or the same day of a later month (or its last day)."""
    if life.unit == "hours":
        return first_used + timedelta(hours=life.length)
    months = first_used.month - 1 + life.length
    year, month = first_used.year + months // 12, months % 12 + 1
    return first_used.replace(year=year, month=month, day=min(first_used.day, monthrange(year, month)[1]))


def check_age(draft: Draft) -> None:
    """Refuse dice that have been in use for longer than the book allows in this shaker."""
    dice, table = draft.rules.equipment["dice"], draft.table
    if table.dice is not None:
        _check_age(draft, dice.life, table.dice.since, "the dice were", "exchange them for another set")


def _check_age(draft: Draft, lives: Sequence[Life], first_used: str, subject: str, advice: str) -> None:
    now, since = datetime.fromisoformat(draft.context.at), datetime.fromisoformat(first_used)
    for life in lives:
        if life.shaker in ("any", draft.table.shaker) and now > ends_at(life, since):
            unit = life.unit if life.length > 1 else life.unit.removesuffix("s")
            says = f"{subject} {life.counted_from} more than {life.length} {unit} ago; {advice}"
            draft.refuse(Why.DICE_EXPIRED, says, life.clause)


def put_away_shaker(draft: Draft, command: c.PutAwayShaker) -> None:
    exchange = _exchange(draft.rules)
    if exchange is None or not on_table(draft.table, "automated"):
        draft.refuse(Why.SHAKER, "no automated shaker is in use here")
    if not idle(draft.table):
        draft.refuse(Why.NOT_NOW, "shakers are exchanged between rounds", exchange.clause)
    if command.how not in exchange.put_away:
        ways = " or ".join("marked with a sign" if how == "sign" else how for how in exchange.put_away)
        draft.refuse(Why.SHAKER, f"the automated shaker is {ways}", exchange.clause)
    if command.how != "removed" and not command.dice_removed:
        draft.refuse(Why.SHAKER, "its dice are taken out, and it is covered or signed out of order", exchange.clause)
    if draft.table.shaker == "automated":
        take_out(draft, "the automated shaker is put away")
    draft.emit(e.ShakerPutAway(command.how))


def _exchange(rules: Rulebook) -> Irregularity | None:
    """How the book lets a manual shaker take an automated one's place."""
    return next((rule for rule in rules.irregularities.values() if rule.remedy == "replace equipment"), None)


def use_shaker(draft: Draft, command: c.UseShaker) -> None:
    table, shaker = draft.table, command.shaker
    if not idle(table):
        draft.refuse(Why.NOT_NOW, "shakers are exchanged between rounds")
    name = shaker_name(draft.rules, shaker)
    if name is None:
        draft.refuse(Why.SHAKER, f"the book has no {shaker} shaker")
    if table.shaker == shaker and on_table(table, shaker):
        draft.refuse(Why.SHAKER, f"the {shaker} shaker is in use already")
    if command.name and not is_valid_name(command.name):
        draft.refuse(Why.SHAKER, "a shaker's name is one short line")
    if name in table.failed:
        draft.refuse(Why.SHAKER, f"{name} is under repair; it is repaired before it is used (house policy)")
    if shaker == "manual":
        if on_table(table, "automated"):
            _refuse_second(draft)
        check_attended(draft, "a manual shaker is put into use only with a dealer at the table", shaker)
    take_out(draft, "another shaker is put into use")
    draft.emit(e.ShakerInUse(shaker, command.name))


def _refuse_second(draft: Draft) -> NoReturn:
    exchange = _exchange(draft.rules)
    says = "the automated shaker is put away before a manual one is used"
    draft.refuse(Why.SHAKER, says, exchange.clause if exchange else ())


def check_shaker_in_use(draft: Draft) -> None:
    """Refuse to fill or shake a shaker that was put away, or a manual one beside an automated one in use."""
    table = draft.table
    if table.shaker == "manual" and on_table(table, "automated"):
        _refuse_second(draft)
    if not on_table(table, table.shaker):
        exchange = _exchange(draft.rules)
        says = f"the {table.shaker} shaker was put away; bring it back and inspect it, or use another"
        draft.refuse(Why.SHAKER, says, exchange.clause if exchange else ())


def has_shaker(rules: Rulebook, shaker: str) -> bool:
    return shaker_name(rules, shaker) is not None


def shaker_state(table: Table, shaker: str) -> str | None:
    """Return where a shaker of the table is and how it is; None where the table has no such one."""
    name = shaker_name(table.rules, shaker)
    known = table.shakers.get(shaker)
    if name is None or (known is None and table.shaker != shaker):
        return None
    place = known.place if known else "in use"
    return "under repair" if name in table.failed and place == "in use" else place


def repair(draft: Draft, command: c.Repair) -> None:
    if command.equipment == ELECTRONIC and draft.table.automatic is not None:
        repair_tumbler(draft)
        return
    if command.equipment not in draft.table.failed:
        draft.refuse(Why.NOTHING_TO_DO, f"{command.equipment!r} has not failed")
    thing = draft.rules.equipment.get(command.equipment)
    if thing is not None and thing.kind == "dice":
        draft.refuse(Why.DICE_MISSING, "damaged dice are not repaired; put another set in")
    draft.emit(e.EquipmentRepaired(command.equipment))


def check_works(draft: Draft) -> None:
    """Refuse to throw with dice that were damaged, or a shaker that has failed."""
    for name in draft.table.failed:
        thing = draft.rules.equipment.get(name)
        if thing is None:
            continue
        if thing.kind == "dice":
            draft.refuse(Why.DICE_MISSING, "the dice are damaged; put another set in")
        if thing.kind == "shaker" and thing.shaker == draft.table.shaker:
            draft.refuse(Why.SHAKER, f"out of order: {name}; it is repaired or replaced first")
