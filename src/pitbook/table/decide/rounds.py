"""The steps of a round, in the book's own order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.dice import Roll
from pitbook.engine.illuminate import illuminate
from pitbook.engine.progress import advance
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.opening import check_ready
from pitbook.table.decide.rights import need_role, second_person
from pitbook.table.decide.settling import collect, pay, settlement
from pitbook.table.people import is_staff, may_act
from pitbook.table.refusals import Why
from pitbook.table.state import betting_open, due, paytable_of, phase

if TYPE_CHECKING:
    from pitbook.rulebooks.text import Step
    from pitbook.table.decide.draft import Draft


def take_step(draft: Draft, command: c.TakeStep) -> None:
    step = _due_step(draft, command.step)
    _check_who(draft, step)
    if draft.table.power_failed:
        draft.refuse(Why.SUSPENDED, "the power has failed: play resumes first", step.clause)
    match step.act:
        case "open betting" | "close betting" | "press deal" | "reveal" | "clear" | "cover" | "illuminate":
            _simple(draft, step)
        case "shake":
            _shake(draft, step, command)
        case "check dice":
            _check_dice(draft, step, command)
        case "announce dice":
            draft.emit(e.StepTaken(step.id, dice=_faces(draft, step, command)))
        case "enter dice":
            _enter(draft, step, command)
        case "roll":
            _roll(draft, step, command)
        case "mark" | "remove lammers":
            draft.emit(e.StepTaken(step.id))
        case "collect losers":
            _settle(draft, step, command)
        case "pay winners":
            _settle(draft, step, command)
        case _:
            draft.refuse(Why.NOT_DUE, f"{step.id} is not a step that is taken", step.clause)
    if due(draft.table) is None:
        draft.emit(e.RoundEnded(draft.table.round.number))


def _due_step(draft: Draft, name: str) -> Step:
    known = {step.id: step for step in draft.rules.procedure.round}
    if name not in known:
        draft.refuse(Why.NOT_IN_THE_BOOK, f"the book has no step {name!r}")
    now = due(draft.table)
    if now is None or now.id != name:
        what = f"{now.id} is due now: {now.says}" if now else "nothing is due"
        draft.refuse(Why.NOT_DUE, f"{name} is not due; {what}", now.clause if now else ())
    return known[name]


def _check_who(draft: Draft, step: Step) -> None:
    if step.act == "roll" and is_staff(draft.rules, draft.person.role):
        return  # the shooter rolls, and staff record what the stick calls
    need_role(draft, step.who, step.clause)


def _simple(draft: Draft, step: Step) -> None:
    if step.act == "open betting" or (step.act == "close betting" and not draft.table.round.done):
        check_ready(draft)
    draft.emit(e.StepTaken(step.id, announced=step.announce))
    if step.act == "clear":
        draft.emit(e.Illuminated(()))


def _shake(draft: Draft, step: Step, command: c.TakeStep) -> None:
    check_ready(draft)
    if step.at_least and command.shakes < step.at_least:
        draft.refuse(Why.TOO_FEW_SHAKES, f"at least {step.at_least} shakes, not {command.shakes}", step.clause)
    draft.emit(e.StepTaken(step.id, shakes=max(command.shakes, 1)))


def _check_dice(draft: Draft, step: Step, command: c.TakeStep) -> None:
    if not command.flat:
        rule = draft.rules.irregularities.get("not-flat")
        says = "a die is not flat: call the irregularity"
        draft.refuse(Why.BAD_DICE, says, rule.clause if rule else step.clause)
    draft.emit(e.StepTaken(step.id))


def _faces(draft: Draft, step: Step, command: c.TakeStep) -> tuple[int, ...]:
    if len(command.dice) != draft.rules.dice or not all(1 <= face <= 6 for face in command.dice):
        draft.refuse(Why.BAD_DICE, f"{draft.rules.dice} dice, each from 1 to 6", step.clause)
    return tuple(sorted(command.dice))


def _enter(draft: Draft, step: Step, command: c.TakeStep) -> None:
    dice = _faces(draft, step, command)
    announced = draft.table.round.announced
    if announced and dice != announced:
        says = f"{announced} was announced, {dice} was entered; a supervisor puts it right"
        draft.refuse(Why.DICE_DIFFER, says, step.clause)
    draft.emit(e.StepTaken(step.id, dice=dice))
    _light(draft)


def _light(draft: Draft) -> None:
    """The device lights the winning areas by itself; where it has failed, the dice themselves decide."""
    device = next((s for s in draft.rules.procedure.round if s.act == "illuminate"), None)
    broken = any(draft.rules.equipment[name].kind == "device" for name in draft.table.failed)
    if device is None:
        return
    if broken:
        draft.emit(e.StepWaived(device.id))
        return
    tables = {wager: paytable_of(draft.table, wager) for wager in draft.rules.wagers}
    named = {wager: table for wager, table in tables.items() if table}
    roll = Roll.of(*draft.table.round.entered)
    draft.emit(e.StepTaken(device.id))
    draft.emit(e.Illuminated(illuminate(draft.rules, roll, draft.table.progress, named)))


def _roll(draft: Draft, step: Step, command: c.TakeStep) -> None:
    check_ready(draft)
    dice = _faces(draft, step, command)
    if draft.table.shooter is None:
        draft.refuse(Why.NOT_NOW, "nobody has the dice; name the shooter", step.clause)
    waiting = [bet for bet in draft.table.bets.values() if not bet.confirmed]
    if waiting:
        confirm = next(s for s in draft.rules.procedure.round if s.act == "confirm bet")
        draft.refuse(Why.UNCONFIRMED, f"{len(waiting)} bets wait to be confirmed", confirm.clause)
    outcome = advance(draft.rules, draft.table.progress, Roll.of(*dice))
    draft.emit(e.StepTaken(step.id, dice=dice))
    draft.emit(e.Rolled(dice, str(outcome.call)))
    lit = tuple(
        wager
        for wager, row in outcome.ended.items()
        if draft.rules.wagers[wager].pays[paytable_of(draft.table, wager)][row].wins
    )
    draft.emit(e.Illuminated(lit))


def _settle(draft: Draft, step: Step, command: c.TakeStep) -> None:
    table = draft.table
    _check_witness(draft)
    if step.directed_by:
        director = command.directed_by
        if director is None or not may_act(draft.rules, director.role, step.directed_by):
            who = " or ".join(step.directed_by)
            draft.refuse(Why.PRESENCE, f"winners are paid as the {who} directs; say who did", step.clause)
    if step.act == "pay winners":
        _, winning = settlement(table)
        for_dealers = any(line.envy or line.kind.startswith("tip") for line in winning if line.net >= 0)
        if for_dealers:
            if command.confirmed_by is None:
                draft.refuse(Why.PRESENCE, "the box or the floor confirms what the dealers get (house policy)")
                return
            second_person(draft, command.confirmed_by, supervisor=True)
    draft.emit(e.StepTaken(step.id, directed_by=command.directed_by, confirmed_by=command.confirmed_by))
    if step.act == "collect losers":
        collect(draft)
    else:
        pay(draft)


def _check_witness(draft: Draft) -> None:
    """After a failure of the device, wagers are settled before somebody whom the book names."""
    for name in draft.table.round.irregularities:
        rule = draft.rules.irregularities[name]
        if rule.presence and rule.remedy.startswith("settle by the dice") and not draft.table.round.witnesses:
            draft.refuse(Why.PRESENCE, f"the wagers are settled before the {rule.presence[0]}", rule.clause)


def correct_dice(draft: Draft, command: c.CorrectDice) -> None:
    table = draft.table
    acts = [s.act for s in draft.rules.procedure.round if s.id in table.round.done]
    if "announce dice" not in acts or "collect losers" in acts or table.craps:
        draft.refuse(Why.NOT_NOW, "dice are put right after they were announced and before anything is settled")
    dice = command.dice
    if len(dice) != draft.rules.dice or not all(1 <= face <= 6 for face in dice):
        draft.refuse(Why.BAD_DICE, f"{draft.rules.dice} dice, each from 1 to 6")
    draft.emit(e.DiceCorrected(tuple(sorted(dice)), command.words))
    if "enter dice" in acts:
        tables = {wager: paytable_of(draft.table, wager) for wager in draft.rules.wagers}
        named = {wager: name for wager, name in tables.items() if name}
        draft.emit(e.Illuminated(illuminate(draft.rules, Roll.of(*dice), draft.table.progress, named)))


def new_shooter(draft: Draft, command: c.NewShooter) -> None:
    if not draft.table.craps:
        draft.refuse(Why.NOT_IN_THE_BOOK, "only craps has a shooter")
    if draft.table.shooter is not None and draft.table.point is not None:
        draft.refuse(Why.NOT_NOW, f"{draft.table.shooter} has a point to make")
    draft.emit(e.ShooterNamed(command.shooter))


def pass_dice(draft: Draft, _command: c.PassDice) -> None:
    reading = draft.rules.readings.get("pass-the-dice")
    clauses = reading.clause if reading else []
    table = draft.table
    if table.shooter is None or (draft.person.role in ("player", "shooter") and draft.person.name != table.shooter):
        draft.refuse(Why.NOT_NOW, "only the shooter passes the dice", clauses)
    if table.point is not None or not betting_open(table):
        draft.refuse(Why.NOT_NOW, "the dice are passed before a come-out roll only", clauses)
    draft.emit(e.DicePassed())


def call_no_roll(draft: Draft, command: c.CallNoRoll) -> None:
    if not draft.table.craps:
        draft.refuse(Why.NOT_IN_THE_BOOK, "at Sic Bo this is called as an irregularity")
    if phase(draft.table) != "betting":
        draft.refuse(Why.NOT_NOW, "a roll that was called stands; dispute it")
    draft.emit(e.RollCancelled(command.words))
