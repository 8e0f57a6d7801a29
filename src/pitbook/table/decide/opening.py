"""Setting a table up, its equipment and inspections, and whether all is in order for a round."""

from __future__ import annotations

from calendar import monthrange
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pitbook.dice import Roll, rolls
from pitbook.engine.illuminate import illuminate
from pitbook.engine.progress import fresh
from pitbook.mistakes import Mistake
from pitbook.money import format_amount
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.holding import ELECTRONIC, check_runs, repair_tumbler
from pitbook.table.decide.irregular import void
from pitbook.table.decide.rights import need_role
from pitbook.table.limits import ANY, NO_LIMIT, limit_in, text_limit
from pitbook.table.people import MANAGER, PLAYER, TUMBLER, is_staff, is_supervisor, rank
from pitbook.table.refusals import Why
from pitbook.table.state import idle, rules_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.text import Irregularity, Life
    from pitbook.table.decide.draft import Draft
    from pitbook.table.state import Table

LOOK_OVER = "inspect-equipment"
"""The step before opening in which the equipment is looked over, where a book has one."""


def open_table(draft: Draft, command: c.OpenTable) -> None:
    if draft.table.open:
        draft.refuse(Why.TABLE_OPEN_ALREADY, "the table is open already; close it first")
    _check_setup(draft, command.setup)
    draft.emit(e.TableOpened(command.setup))


def change_setup(draft: Draft, command: c.ChangeSetup) -> None:
    table, setup = draft.table, command.setup
    if not idle(table):
        draft.refuse(Why.NOT_NOW, "the set-up changes only between rounds")
    assert table.setup is not None
    if _fixed(setup) != _fixed(table.setup):
        says = "book, currency, shaker and how it is run are fixed while a table is open; close it first"
        draft.refuse(Why.CONFIGURATION, says)
    changed = (setup.readings, setup.options, setup.paytables) != (
        table.setup.readings,
        table.setup.options,
        table.setup.paytables,
    )
    if changed and table.bets:
        draft.refuse(Why.NOT_NOW, "readings, options and pay tables change only while no wager runs")
    _check_setup(draft, setup)
    other = (setup.readings, setup.options, setup.digest) != (
        table.setup.readings,
        table.setup.options,
        table.setup.digest,
    )
    if table.craps and other and table.progress != fresh(table.rules):
        draft.refuse(Why.NOT_NOW, "readings and options change before a come-out roll, while no lammer stands")
    draft.emit(e.SetupChanged(setup))


def _fixed(setup: c.Setup) -> tuple[object, ...]:
    """What does not change while a table is open."""
    automatic = setup.automatic
    return setup.book, setup.currency, setup.shaker, automatic is not None, bool(automatic and automatic.real_money)


def _check_setup(draft: Draft, setup: c.Setup) -> None:
    rules = _rules(draft, setup)
    run = setup.automatic
    if run and not (5 <= run.betting_seconds <= 600 and 1 <= run.rest_seconds <= 600 and run.play_stack > 0):
        draft.refuse(Why.CONFIGURATION, "an automatic table takes bets for 5 to 600 seconds, and rests for 1 to 600")
    if not setup.facility.strip():
        draft.refuse(Why.CONFIGURATION, "the facility's name is missing")
    if setup.currency != rules.identity.currency:
        says = f"the book's amounts are in {rules.identity.currency}; a licensee's own book names another currency"
        draft.refuse(Why.CONFIGURATION, says)
    for name, table in setup.paytables.items():
        wagers = [w for w in rules.wagers.values() if name in (w.id, w.family, w.group)]
        if not wagers or any(table not in wager.paytables for wager in wagers):
            draft.refuse(Why.CONFIGURATION, f"{name!r} has no pay table {table!r}")
    known = {ANY, *rules.every, *(w.family for w in rules.every.values()), *rules.groups}
    for name, limit in setup.limits.items():
        if name not in known:
            draft.refuse(Why.CONFIGURATION, f"a limit names {name!r}, which is no wager, family or group")
        if not 0 < limit.stake_min <= limit.stake_max:
            says = f"the limit of {name!r} runs from {_span(rules, limit)}: from more than nothing, to as much or more"
            draft.refuse(Why.CONFIGURATION, says)
    for wager in rules.wagers.values():
        inner, outer = limit_in(setup, rules, wager), text_limit(rules, wager)
        if inner.stake_min < outer.stake_min or inner.stake_max > outer.stake_max:
            clauses = wager.limits.clause if wager.limits else []
            says = (
                f"the limits of {wager.id} are wider than the text's: "
                f"it allows stakes from {_span(rules, outer)}, and these run from {_span(rules, inner)}"
            )
            draft.refuse(Why.CONFIGURATION, says, clauses)
    if setup.payout_max is not None and setup.payout_max <= 0:
        draft.refuse(Why.CONFIGURATION, "a limit on the table's payout must be more than nothing")
    lacking = _lacking(rules)
    if lacking:
        draft.refuse(Why.CONFIGURATION, f"{rules.id} cannot run a table: it has no {lacking}")
    if rules.identity.game == "sic-bo" and not _has_shaker(rules, setup.shaker):
        draft.refuse(Why.CONFIGURATION, f"{rules.id} knows no {setup.shaker} shaker")


def _span(rules: Rulebook, limit: c.Limit) -> str:
    """The stakes that a limit lets through, as people write them."""
    low = format_amount(limit.stake_min, rules.decimals)
    if limit.stake_max == NO_LIMIT.stake_max:
        return f"{low} upwards"
    return f"{low} to {format_amount(limit.stake_max, rules.decimals)}"


def _rules(draft: Draft, setup: c.Setup) -> Rulebook:
    try:
        return rules_of(
            setup.book, setup.digest, tuple(sorted(setup.readings.items())), tuple(sorted(setup.options.items()))
        )
    except (Mistake, ValueError) as wrong:
        draft.refuse(Why.CONFIGURATION, str(wrong))
        raise AssertionError from None


def _lacking(rules: Rulebook) -> str | None:
    """What a book that can be analysed may lack, and a table needs."""
    if PLAYER not in rules.roles:
        return f"role {PLAYER!r}"
    if not any(role.rank > 0 for role in rules.roles.values()):
        return "role above the players'"
    acts = {step.act for step in rules.procedure.round}
    needed = {"sic-bo": ("take bets", "close betting", "shake", "enter dice"), "craps": ("take bets", "roll")}
    for act in (*needed[rules.identity.game], "collect losers", "pay winners"):
        if act not in acts:
            return f"step to {act}"
    if rules.identity.game == "sic-bo" and "dice" not in rules.equipment:
        return "equipment called dice"
    return None


def _has_shaker(rules: Rulebook, shaker: str) -> bool:
    return any(thing.kind == "shaker" and thing.shaker == shaker for thing in rules.equipment.values())


def close_table(draft: Draft, _command: c.CloseTable) -> None:
    if not idle(draft.table) or draft.table.bets:
        draft.refuse(Why.NOT_NOW, "a table closes between rounds, when no wager runs")
    if draft.table.draw is not None and not draft.table.draw.voided:
        void(draft)
    draft.emit(e.TableClosed())


def start_shift(draft: Draft, command: c.StartShift) -> None:
    if not command.shift.strip() or command.shift == draft.table.shift:
        draft.refuse(Why.CONFIGURATION, "a new shift needs a name of its own")
    draft.emit(e.ShiftStarted(command.shift))


def start_day(draft: Draft, command: c.StartDay) -> None:
    if not idle(draft.table):
        draft.refuse(Why.NOT_NOW, "a gaming day begins between rounds")
    draft.emit(e.DayStarted(command.day))


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


def check_equipment(draft: Draft, command: c.CheckEquipment) -> None:
    check_inspector(draft)
    thing = draft.rules.equipment.get(command.equipment)
    if thing is None or not thing.requires:
        draft.refuse(Why.NOT_IN_THE_BOOK, f"the book asks nothing of {command.equipment!r}")
        return
    if len(command.points) != len(thing.requires):
        draft.refuse(
            Why.INSPECTION_FAILED, f"{command.equipment} has {len(thing.requires)} points to check", thing.clause
        )
    draft.emit(e.EquipmentChecked(command.equipment, command.points))


def check_inspector(draft: Draft) -> None:
    """Equipment is looked over by whom the book names, and where it names nobody by somebody above the dealers."""
    step = next((step for step in draft.rules.procedure.opening if step.id == LOOK_OVER), None)
    if step is not None:
        need_role(draft, step.who, step.clause)
    elif draft.person.role != MANAGER and not is_supervisor(draft.rules, draft.person.role):
        draft.refuse(Why.WRONG_ROLE, f"somebody above the dealers does this, not a {draft.person.role}")


def inspect(draft: Draft, command: c.Inspect) -> None:
    inspection = draft.rules.inspections.get(command.inspection)
    if inspection is None:
        draft.refuse(Why.NOT_IN_THE_BOOK, f"the book has no inspection {command.inspection!r}")
        return
    need_role(draft, inspection.who, inspection.clause, or_above=inspection.or_above)
    if not idle(draft.table):
        draft.refuse(Why.NOT_NOW, "equipment is inspected between rounds", inspection.clause)
    if inspection.how == "enter three values":
        roll = _roll(draft, command.entered)
        passed = set(command.lit) == set(illuminate(draft.rules, roll))
    else:
        passed = command.proper >= inspection.times
    draft.emit(e.Inspected(command.inspection, passed, command.entered, command.lit, command.proper))


def _roll(draft: Draft, dice: tuple[int, ...]) -> Roll:
    if len(dice) != draft.rules.dice or not all(1 <= face <= 6 for face in dice):
        draft.refuse(Why.BAD_DICE, f"{draft.rules.dice} dice, each from 1 to 6, are entered")
    roll = Roll.of(*dice)
    assert roll in rolls(draft.rules.dice)
    return roll


def take_over(draft: Draft, _command: c.TakeOver) -> None:
    keepers, clauses = _keepers(draft)
    need_role(draft, keepers, clauses)
    if draft.table.dealer == draft.person.name:
        draft.refuse(Why.NOTHING_TO_DO, f"{draft.person.name} deals here already")
    draft.emit(e.DealerTookOver(draft.person.name))


def _keepers(draft: Draft) -> tuple[list[str], list[str]]:
    """Who answers for the shaker in use, or else the lowest of the staff; and the clauses on them."""
    rules = draft.rules
    shakers = (thing for thing in rules.equipment.values() if thing.kind == "shaker")
    keepers = [role for thing in shakers if thing.shaker == draft.table.shaker for role in thing.keeper]
    staff = [name for name in rules.roles if is_staff(rules, name)]
    lowest = min(rank(rules, name) for name in staff)
    found = keepers or [name for name in staff if rank(rules, name) == lowest]
    return found, [clause for role in found for clause in rules.roles[role].clause]


def leave_table(draft: Draft, _command: c.LeaveTable) -> None:
    if draft.table.dealer != draft.person.name:
        draft.refuse(Why.NOTHING_TO_DO, f"{draft.person.name} does not deal here")
    if draft.table.shaker == "manual" and draft.rules.identity.game == "sic-bo":
        _, clauses = _keepers(draft)
        draft.refuse(Why.UNATTENDED, "a manual shaker is not left unattended; another dealer takes over", clauses)
    draft.emit(e.DealerLeft())


def put_away_shaker(draft: Draft, command: c.PutAwayShaker) -> None:
    exchange = _exchange(draft.rules)
    if exchange is None or draft.table.shaker != "automated":
        draft.refuse(Why.SHAKER, "no automated shaker is exchanged here")
        return
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
    if table.shaker == command.shaker or not _has_shaker(draft.rules, command.shaker):
        draft.refuse(Why.SHAKER, f"a {command.shaker} shaker is in use already, or unknown to the book")
    exchange = _exchange(draft.rules)
    if command.shaker == "manual" and not table.automated_away:
        clauses = exchange.clause if exchange else []
        draft.refuse(Why.SHAKER, "the automated shaker is put away before a manual one is used", clauses)
    draft.emit(e.ShakerInUse(command.shaker))


def repair(draft: Draft, command: c.Repair) -> None:
    if command.equipment == ELECTRONIC and draft.table.automatic is not None:
        repair_tumbler(draft)
        return
    if command.equipment not in draft.table.failed:
        draft.refuse(Why.NOTHING_TO_DO, f"{command.equipment!r} has not failed")
    draft.emit(e.EquipmentRepaired(command.equipment))


def check_ready(draft: Draft) -> None:
    """Refuses to begin a round while something that the book asks for is missing; one that has begun is finished."""
    table, rules = draft.table, draft.rules
    if table.automatic is not None:
        if draft.person.role != TUMBLER:
            check_runs(draft)
        return
    begins = idle(table)
    if begins:
        _check_ceased(draft)
    if rules.identity.game == "sic-bo":
        _check_shaker(draft, begins=begins)
    for name, thing in rules.equipment.items():
        if begins and thing.checklist and name not in table.checked and thing.shaker in (None, table.shaker):
            draft.refuse(Why.NOT_INSPECTED, f"{name} has not been checked against the book", thing.clause)
    if rules.identity.game == "sic-bo" and table.dealer is None:
        draft.refuse(Why.UNATTENDED, "no dealer has taken the table over")


def _check_ceased(draft: Draft) -> None:
    rules = draft.rules.irregularities.values()
    for name, cease in draft.table.failed.items():
        if cease:
            rule = next(rule for rule in rules if rule.equipment == name)
            until = rule.cease_until or f"{name} is repaired"
            draft.refuse(Why.SUSPENDED, f"play has ceased until {until}", rule.clause)


def _check_shaker(draft: Draft, *, begins: bool) -> None:
    """The dice are in the shaker; as a round begins they are fresh, and what must be inspected has been."""
    dice = draft.rules.equipment["dice"]
    if draft.table.dice is None:
        draft.refuse(Why.DICE_MISSING, "there are no dice in the shaker", dice.clause)
    if begins:
        check_works(draft)
        _check_age(draft, dice.life)
        _check_inspected(draft)


def check_works(draft: Draft) -> None:
    """Refuses to throw with dice that were damaged, or a shaker that has failed."""
    for name in draft.table.failed:
        thing = draft.rules.equipment[name]
        if thing.kind == "dice" or (thing.kind == "shaker" and thing.shaker == draft.table.shaker):
            says = f"out of order: {name}; it is repaired or replaced first (house policy)"
            draft.refuse(Why.DICE_MISSING if thing.kind == "dice" else Why.SHAKER, says)


def _check_age(draft: Draft, lives: Sequence[Life]) -> None:
    table = draft.table
    for life in lives:
        if life.shaker in ("any", table.shaker) and expired(life, table, draft.context.at):
            unit = life.unit if life.length > 1 else life.unit.removesuffix("s")
            says = f"the dice were {life.counted_from} more than {life.length} {unit} ago; replace them"
            draft.refuse(Why.DICE_EXPIRED, says, life.clause)


def _check_inspected(draft: Draft) -> None:
    table, rules = draft.table, draft.rules
    for name, inspection in rules.inspections.items():
        if inspection.shaker is not None and inspection.shaker != table.shaker:
            continue
        if is_due(table, name):
            when = "in this shift" if inspection.when == "each shift" else inspection.when
            says = f"{inspection.equipment} has not been inspected {when}"
            draft.refuse(Why.NOT_INSPECTED, says, inspection.clause)


def is_due(table: Table, inspection: str) -> bool:
    """Whether an inspection has not been passed, or not in this shift where each one wants it."""
    done = table.inspected.get(inspection)
    return done is None or (table.rules.inspections[inspection].when == "each shift" and done != table.shift)


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
