"""The dice and the shakers of a table: put into use, taken out of use, repaired."""

from __future__ import annotations

from calendar import monthrange
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pitbook.dice_register.decide import NAME_MAX, REASON_MAX, is_valid_name, name_problem, serials_problem
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.dealers import check_attended
from pitbook.table.decide.suspension import ELECTRONIC, repair_tumbler
from pitbook.table.people import is_supervisor
from pitbook.table.refusals import Reason
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
        draft.refuse(Reason.DICE_MISSING, "equipment.name-set", most=NAME_MAX)
    if not command.sealed and draft.rules.identity.game == "sic-bo":
        draft.refuse(Reason.DICE_MISSING, "equipment.sealed", forbids.loose_dice or ())
    if dice and dice.count and command.count not in (None, dice.count):
        clauses = forbids.dice or ()
        draft.refuse(Reason.DICE_MISSING, "equipment.dice-count", clauses, count=dice.count, given=command.count)
    if draft.table.dice and draft.table.dice.set == command.set:
        draft.refuse(Reason.DICE_REGISTER, "equipment.set-in-use", set=command.set)
    if draft.rules.identity.game == "sic-bo":
        _check_fillable(draft)
    serials, first_used = _check_register(draft, command)
    _check_age(draft, dice.life if dice else (), first_used)
    take_out(draft, "replaced")
    draft.emit(e.DicePut(command.set, draft.context.at, command.sealed, first_used, serials))


def _check_not_thrown(draft: Draft) -> None:
    """Check that dice are exchanged between rounds, or in a round of Sic Bo before the shake; wagers stay."""
    table = draft.table
    if not dice_movable(table):
        if table.craps:
            draft.refuse(Reason.NOT_NOW, "equipment.dice-between-rolls", reading=DICE_LIFE)
        draft.refuse(Reason.NOT_NOW, "equipment.dice-when", reading=DICE_LIFE)


def dice_movable(table: Table) -> bool:
    """Return whether dice may be put in or taken out now: between rounds, or at Sic Bo before this round's shake."""
    return idle(table) or not (table.craps or shaken(table))


def _check_fillable(draft: Draft) -> None:
    check_shaker_in_use(draft)
    if draft.table.shaker == "manual":
        check_attended(draft)


def _check_register(draft: Draft, command: c.PutDice) -> tuple[tuple[str, ...], str]:
    """Return the set's serial numbers and when it was first used, as the register of the house has them."""
    register, name = draft.context.register, command.set
    if wrong := serials_problem(register, name, command.serials):
        draft.refuse(Reason.DICE_REGISTER, wrong)
    record = register.sets.get(name)
    if record is None:
        if wrong := name_problem(register, name):
            draft.refuse(Reason.DICE_REGISTER, wrong)
        return command.serials, draft.context.at
    if record.standing == "in use":
        draft.refuse(Reason.DICE_REGISTER, "equipment.set-elsewhere", set=name, table=record.table or "")
    if record.is_retired:
        draft.refuse(Reason.DICE_REGISTER, "equipment.set-retired", set=name, standing=record.standing)
    if command.serials and record.serials and sorted(command.serials) != sorted(record.serials):
        draft.refuse(Reason.DICE_REGISTER, "equipment.other-serials", set=name, serials=record.serials)
    return record.serials or command.serials, record.first_used or draft.context.at


def take_out_dice(draft: Draft, command: c.TakeOutDice) -> None:
    _check_not_thrown(draft)
    dice = draft.table.dice
    if dice is None:
        draft.refuse(Reason.NOTHING_TO_DO, "equipment.no-dice")
    if dice.set != command.set:
        draft.refuse(Reason.NOTHING_TO_DO, "equipment.other-set", there=dice.set, set=command.set)
    if not command.reason.strip() or len(command.reason) > REASON_MAX:
        draft.refuse(Reason.NOTHING_TO_DO, "equipment.reason", most=REASON_MAX)
    if command.fate != "kept" and not is_supervisor(draft.rules, draft.person.role):
        draft.refuse(Reason.WRONG_ROLE, "rights.supervisor", role=draft.person.role)
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
        _check_age(draft, dice.life, table.dice.since)


def _check_age(draft: Draft, lives: Sequence[Life], first_used: str) -> None:
    now, since = datetime.fromisoformat(draft.context.at), datetime.fromisoformat(first_used)
    for life in lives:
        if life.shaker in ("any", draft.table.shaker) and now > ends_at(life, since):
            if life.unit == "hours":
                draft.refuse(Reason.DICE_EXPIRED, "equipment.expired-hours", life.clause, length=life.length)
            draft.refuse(Reason.DICE_EXPIRED, "equipment.expired-months", life.clause, length=life.length)


def put_away_shaker(draft: Draft, command: c.PutAwayShaker) -> None:
    exchange = _exchange(draft.rules)
    if exchange is None or not on_table(draft.table, "automated"):
        draft.refuse(Reason.SHAKER, "equipment.shaker.no-automated")
    if not idle(draft.table):
        draft.refuse(Reason.NOT_NOW, "equipment.shaker.between-rounds", exchange.clause)
    if command.how not in exchange.put_away:
        draft.refuse(Reason.SHAKER, "equipment.shaker.put-away", exchange.clause, ways=exchange.put_away)
    if command.how != "removed" and not command.dice_removed:
        draft.refuse(Reason.SHAKER, "equipment.shaker.emptied", exchange.clause)
    if draft.table.shaker == "automated":
        take_out(draft, "the automated shaker is put away")
    draft.emit(e.ShakerPutAway(command.how))


def _exchange(rules: Rulebook) -> Irregularity | None:
    """Return how the book lets a manual shaker take an automated one's place."""
    return next((rule for rule in rules.irregularities.values() if rule.remedy == "replace equipment"), None)


def use_shaker(draft: Draft, command: c.UseShaker) -> None:
    table, shaker = draft.table, command.shaker
    if not idle(table):
        draft.refuse(Reason.NOT_NOW, "equipment.shaker.between-rounds")
    name = shaker_name(draft.rules, shaker)
    if name is None:
        draft.refuse(Reason.SHAKER, "equipment.shaker.unknown", shaker=shaker)
    if table.shaker == shaker and on_table(table, shaker):
        draft.refuse(Reason.SHAKER, "equipment.shaker.in-use", shaker=shaker)
    if command.name and not is_valid_name(command.name):
        draft.refuse(Reason.SHAKER, "equipment.shaker.name")
    if name in table.failed:
        draft.refuse(Reason.SHAKER, "equipment.out-of-order", equipment=draft.equipment(name))
    if shaker == "manual":
        if on_table(table, "automated"):
            _refuse_second_shaker(draft)
        check_attended(draft, shaker)
    take_out(draft, "another shaker is put into use")
    draft.emit(e.ShakerInUse(shaker, command.name))


def _refuse_second_shaker(draft: Draft) -> NoReturn:
    exchange = _exchange(draft.rules)
    draft.refuse(Reason.SHAKER, "equipment.shaker.automated-first", exchange.clause if exchange else ())


def check_shaker_in_use(draft: Draft) -> None:
    """Refuse to fill or shake a shaker that was put away, or a manual one beside an automated one in use."""
    table = draft.table
    if table.shaker == "manual" and on_table(table, "automated"):
        _refuse_second_shaker(draft)
    if not on_table(table, table.shaker):
        exchange = _exchange(draft.rules)
        clauses = exchange.clause if exchange else ()
        draft.refuse(Reason.SHAKER, "equipment.shaker.was-put-away", clauses, shaker=table.shaker)


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
        draft.refuse(Reason.NOTHING_TO_DO, "equipment.not-failed", equipment=command.equipment)
    thing = draft.rules.equipment.get(command.equipment)
    if thing is not None and thing.kind == "dice":
        draft.refuse(Reason.DICE_MISSING, "equipment.dice-not-repaired")
    draft.emit(e.EquipmentRepaired(command.equipment))


def check_works(draft: Draft) -> None:
    """Refuse to throw with dice that were damaged, or a shaker that has failed."""
    for name in draft.table.failed:
        thing = draft.rules.equipment.get(name)
        if thing is None:
            continue
        if thing.kind == "dice":
            draft.refuse(Reason.DICE_MISSING, "equipment.damaged")
        if thing.kind == "shaker" and thing.shaker == draft.table.shaker:
            draft.refuse(Reason.SHAKER, "equipment.out-of-order", equipment=thing.name)
