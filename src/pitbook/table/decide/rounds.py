"""The steps of a round, in the book's own order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from pitbook.dice import Roll
from pitbook.engine.illuminate import illuminate
from pitbook.engine.progress import advance
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide import disputes
from pitbook.table.decide.dealers import check_answerable
from pitbook.table.decide.equipment import check_age, check_works
from pitbook.table.decide.irregularities import (
    added_since,
    call,
    cancel_roll,
    check_decided,
    refuse_without_power,
    return_parts,
    return_wagers,
)
from pitbook.table.decide.readiness import check_ready
from pitbook.table.decide.rights import check_confirmed, need_role, second_person
from pitbook.table.decide.settlement import collect, pay, settlement
from pitbook.table.decide.throws import check_throw
from pitbook.table.evolve import undo_roll
from pitbook.table.people import PLAYER, TUMBLER, is_staff, may_act
from pitbook.table.refusals import Reason
from pitbook.table.standing import area_of, bets_won, pays_row, rolled
from pitbook.table.state import (
    acts_done,
    areas_to_mark,
    due,
    failed_kinds,
    lammers_off,
    may_take,
    paytable_of,
    steps,
)

if TYPE_CHECKING:
    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.text import Irregularity, Step
    from pitbook.table.decide.draft import Draft
    from pitbook.table.people import Person
    from pitbook.table.state import Table


def take_step(draft: Draft, command: c.TakeStep) -> None:
    step = _known_step(draft, command.step)
    _check_who(draft, step)
    _check_due(draft, step)
    check_answerable(draft)
    if draft.table.power_failed:
        refuse_without_power(draft, "rounds.power-failed")
    _check_shaken(draft)
    _check_flat(draft)
    check_decided(draft)
    _check_others(draft, step, command)
    perform(draft, step, command)
    if due(draft.table) is None:
        draft.emit(e.RoundEnded(draft.table.round.number))


def perform(draft: Draft, step: Step, command: c.TakeStep) -> None:
    """Do what a step asks, after it was checked that it is due and who takes it."""
    match step.act:
        case "open betting" | "close betting" | "press deal" | "reset" | "clear" | "cover" | "illuminate":
            _simple(draft, step)
        case "reveal":
            draft.emit(e.StepTaken(step.id, announced=_announcement(step), flat=_seen_flat(draft, step, command)))
        case "shake":
            _shake(draft, step, command)
        case "check dice":
            _check_dice(draft, step, command)
        case "announce dice":
            draft.emit(e.StepTaken(step.id, dice=check_throw(draft, command.dice)))
        case "enter dice":
            _enter(draft, step, command)
        case "roll":
            _roll(draft, step, command)
        case "mark":
            draft.emit(e.StepTaken(step.id, areas=areas_to_mark(draft.table, step)))
        case "remove lammers":
            draft.emit(e.StepTaken(step.id, areas=lammers_off(draft.table, step)))
        case "collect losers":
            _settle(draft, step, command)
        case "pay winners":
            _settle(draft, step, command)
        case _:
            draft.refuse(Reason.NOT_DUE, "rounds.not-a-step", step.clause, act=step.act)


def _known_step(draft: Draft, name: str) -> Step:
    found = next((step for step in draft.rules.procedure.round if step.id == name), None)
    if found is None:
        draft.refuse(Reason.NOT_IN_THE_BOOK, "rounds.no-such-step", step=name)
    return found


def _check_due(draft: Draft, step: Step) -> None:
    now = due(draft.table)
    if not may_take(draft.table, step):
        ordered = [clause for clause in (now or step).clause if draft.rules.clauses[clause].kind != "definition"]
        if now is None:
            draft.refuse(Reason.NOT_DUE, "rounds.nothing-due", ordered or step.clause)
        draft.refuse(Reason.NOT_DUE, "rounds.not-due", ordered or step.clause, act=now.act)


def _check_who(draft: Draft, step: Step) -> None:
    if step.act == "roll":
        _check_shooter(draft, step)
    else:
        need_role(draft, step.who, step.clauses_on_who)


def _check_shooter(draft: Draft, step: Step) -> None:
    """Check that the current shooter rolls, or that staff record what the stick calls."""
    person, shooter = draft.person, draft.table.shooter
    if is_staff(draft.rules, person.role):
        return
    if person.role not in (PLAYER, *step.who):
        need_role(draft, step.who, step.clauses_on_who)
    if draft.context.remote:
        draft.refuse(Reason.WRONG_ROLE, "rounds.shooter-remote")
    if shooter is not None and person.name != shooter:
        draft.refuse(Reason.WRONG_ROLE, "rounds.not-shooter", step.clauses_on_who, shooter=shooter)


def _announcement(step: Step) -> str | None:
    """Return the words of a step as they are recorded, without a translation."""
    return step.announce and step.announce.en


def _simple(draft: Draft, step: Step) -> None:
    if step.act == "open betting" or (step.act == "close betting" and not draft.table.round.done):
        check_ready(draft)
    draft.emit(e.StepTaken(step.id, announced=_announcement(step)))
    if step.act == "clear":
        draft.emit(e.Illuminated(()))


def _shake(draft: Draft, step: Step, command: c.TakeStep) -> None:
    check_ready(draft, throwing=True)
    check_works(draft)
    check_age(draft)
    least = step.at_least or 1
    shakes = command.shakes if step.at_least else max(command.shakes, least)
    if shakes < least and (shakes < 1 or TOO_FEW not in draft.rules.irregularities):
        draft.refuse(Reason.TOO_FEW_SHAKES, "rounds.too-few-shakes", step.clause, least=least, shakes=shakes)
    draft.emit(e.StepTaken(step.id, shakes=shakes, flat=_seen_flat(draft, step, command)))


TOO_FEW = "too-few-tumbles"
"""If a book has a remedy for it, record a shake that was too short and stop the round there."""


def _check_shaken(draft: Draft) -> None:
    table = draft.table
    for step in steps(table):
        if step.act == "shake" and step.id in table.round.done and table.round.shakes < (step.at_least or 0):
            clauses, shakes = draft.rules.irregularities[TOO_FEW].clause, table.round.shakes
            draft.refuse(Reason.TOO_FEW_SHAKES, "rounds.call-too-few", clauses, least=step.at_least or 0, shakes=shakes)


def _seen_flat(draft: Draft, step: Step, command: c.TakeStep) -> bool:
    """Return whether all dice lie flat, as far as a step lets them be seen."""
    covered = step.act == "shake" and any(other.act == "reveal" for other in steps(draft.table))
    return command.flat or covered or not_flat(draft.rules) is None


def asks_flat(table: Table, step: Step) -> bool:
    """Return whether a step is the one to say whether all dice lie flat.

    That is its own step, or the one in which the cover comes off, or a shaker without a cover tosses them.
    """
    acts = [other.act for other in steps(table)]
    return step.act == next((act for act in ("check dice", "reveal", "shake") if act in acts), None)


NOT_FLAT = ("no-roll", "not-flat")
"""The irregularity of dice that do not lie flat, by the names that books give it."""


def not_flat(rules: Rulebook) -> tuple[str, Irregularity] | None:
    """Return the irregularity to call for a die that does not lie flat."""
    known = rules.irregularities
    return next(((name, known[name]) for name in NOT_FLAT if name in known), None)


def _check_flat(draft: Draft) -> None:
    found = not_flat(draft.rules)
    if not draft.table.round.flat and found is not None:
        _, rule = found
        draft.refuse(Reason.BAD_DICE, "rounds.not-flat", rule.clause, irregularity=rule.name)


def _check_others(draft: Draft, step: Step, command: c.TakeStep) -> None:
    """Refuse someone who names themselves, in whatever role, as the one who directs or confirms a step."""
    name = draft.person.name
    if command.directed_by is not None and command.directed_by.name == name:
        clauses = step.clause if step.directed_by else ()
        draft.refuse(Reason.OWN_ACT, "rights.pays-and-directs", clauses, person=name)
    if command.confirmed_by is not None and command.confirmed_by.name == name:
        draft.refuse(Reason.OWN_ACT, "rights.second-person")


def _check_dice(draft: Draft, step: Step, command: c.TakeStep) -> None:
    if not command.flat:
        found = not_flat(draft.rules)
        draft.refuse(Reason.BAD_DICE, "rounds.die-not-flat", found[1].clause if found else step.clause)
    draft.emit(e.StepTaken(step.id))


def _enter(draft: Draft, step: Step, command: c.TakeStep) -> None:
    dice = check_throw(draft, command.dice)
    announced = draft.table.round.announced
    if announced and dice != announced:
        called, entered = str(Roll.of(*announced)), str(Roll.of(*dice))
        draft.refuse(Reason.DICE_DIFFER, "rounds.dice-differ", step.clause, announced=called, entered=entered)
    draft.emit(e.StepTaken(step.id, dice=dice))
    _light(draft)


def _light(draft: Draft) -> None:
    """Light the winning areas, as the device does automatically; if it has failed, the dice themselves decide."""
    device = next((s for s in draft.rules.procedure.round if s.act == "illuminate"), None)
    if device is None:
        return
    if not _lights_work(draft):
        draft.emit(e.StepWaived(device.id))
        return
    draft.emit(e.StepTaken(device.id))
    draft.emit(e.Illuminated(_winning(draft)))


def _lights_work(draft: Draft) -> bool:
    return failed_kinds(draft.table).isdisjoint(("device", "layout"))


def _winning(draft: Draft) -> tuple[str, ...]:
    """Return the areas that win on the dice as entered."""
    tables = {wager: paytable_of(draft.table, wager) for wager in draft.rules.wagers}
    named = {wager: table for wager, table in tables.items() if table}
    return illuminate(draft.rules, Roll.of(*draft.table.round.entered), draft.table.progress, named)


def _roll(draft: Draft, step: Step, command: c.TakeStep) -> None:
    check_ready(draft, throwing=True)
    dice = check_throw(draft, command.dice)
    if draft.table.shooter is None:
        draft.refuse(Reason.NOT_NOW, "rounds.no-shooter", step.clauses_on_who)
    _check_line_bet(draft, step, draft.table.shooter)
    waiting = [bet for bet in draft.table.bets.values() if not bet.confirmed]
    if waiting:
        confirm = next(s for s in draft.rules.procedure.round if s.act == "confirm bet")
        draft.refuse(Reason.UNCONFIRMED, "bets.unconfirmed", confirm.clause, count=len(waiting))
    outcome = advance(draft.rules, draft.table.progress, Roll.of(*dice))
    bets = rolled(draft.table, dice)
    draft.emit(e.StepTaken(step.id, dice=dice))
    draft.emit(e.Rolled(dice, str(outcome.call), bets))
    draft.emit(e.Illuminated(_won(draft)))


def _check_line_bet(draft: Draft, step: Step, shooter: str) -> None:
    """Refuse a come-out roll by a shooter without the bet that the book asks for."""
    needed = step.needs_bet
    if needed is None or not needed.wagers or draft.table.point is not None or draft.person.role == TUMBLER:
        return
    offered = [wager for wager in needed.wagers if wager in draft.rules.wagers]
    if not any(draft.table.bets.on(shooter, wager) for wager in offered):
        areas = [draft.area(wager) for wager in offered]
        draft.refuse(Reason.NOT_NOW, "rounds.line-bet", needed.clause, shooter=shooter, areas=areas)


def _won(draft: Draft) -> tuple[str, ...]:
    """Return the areas that won on a roll of craps; where bets have their own state, those with a bet that won."""
    table = draft.table
    shared = {wager for wager, row in table.round.ended.items() if pays_row(table, wager, row)}
    won = shared | {area_of(table, bet) for bet in bets_won(table)}
    return tuple(wager for wager in draft.rules.wagers if wager in won)


def _settle(draft: Draft, step: Step, command: c.TakeStep) -> None:
    table = draft.table
    if not table.round.entered:
        draft.refuse(Reason.NOT_NOW, "rounds.not-entered", step.clause)
    electronic = draft.person.role == TUMBLER
    _check_witness(draft)
    director, confirmed_by = command.directed_by, command.confirmed_by
    if not electronic:
        _check_director(draft, step, director)
    if step.act == "pay winners" and not electronic and confirmed_by is None:
        _, winning = settlement(table)
        if any(line.envy or line.kind.startswith("tip") for line in winning if line.net >= 0):
            draft.refuse(Reason.PRESENCE, "rights.dealers-share")
    if confirmed_by is not None:
        second_person(draft, confirmed_by, supervisor=True)
    named = [one for one in (director, confirmed_by) if one is not None]
    draft.emit(
        e.StepTaken(
            step.id,
            areas=lammers_off(table, step),
            directed_by=director,
            confirmed_by=confirmed_by,
            witnessed=check_confirmed(draft, *named),
        )
    )
    if step.act == "collect losers":
        collect(draft)
    else:
        pay(draft)


def _check_director(draft: Draft, step: Step, director: Person | None) -> None:
    """Refuse a payment on nobody's word where the book names who directs it."""
    if not step.directed_by:
        if director is not None:
            second_person(draft, director)
        return
    if director is None or not may_act(draft.rules, director.role, step.directed_by):
        draft.refuse(Reason.PRESENCE, "rights.director", step.clause, roles=step.directed_by)
    if director.name == draft.person.name:
        draft.refuse(Reason.OWN_ACT, "rights.pays-and-directs", step.clause, person=director.name)


def _check_witness(draft: Draft) -> None:
    """After a failure of the device, wagers are settled before someone whom the book names."""
    for name in draft.table.round.irregularities:
        rule = draft.rules.irregularities[name]
        others = [witness for witness in draft.table.round.witnesses if witness != draft.person.name]
        if rule.presence and rule.remedy.startswith("settle by the dice") and not others:
            draft.refuse(Reason.PRESENCE, "rounds.settled-before", rule.clause, roles=rule.presence)


def can_correct(table: Table) -> bool:
    """Return whether a wrong entry may be corrected: nothing has been settled by it yet."""
    if table.craps:
        before = table.before_roll
        return before is not None and not (before.settled or before.passed)
    acts = acts_done(table)
    return "announce dice" in acts and "collect losers" not in acts


def correct_dice(draft: Draft, command: c.CorrectDice) -> None:
    table = draft.table
    if table.craps:
        _correct_roll(draft, command)
        return
    if not can_correct(table):
        draft.refuse(Reason.NOT_NOW, "rounds.correct-when")
    draft.emit(e.DiceCorrected(check_throw(draft, command.dice), command.words))
    if "enter dice" in acts_done(table) and _lights_work(draft):
        draft.emit(e.Illuminated(_winning(draft)))


def _correct_roll(draft: Draft, command: c.CorrectDice) -> None:
    """Correct a roll of craps before its consequences are settled; return bets made since."""
    table = draft.table
    if not can_correct(table):
        draft.refuse(Reason.NOT_NOW, "rounds.correct-roll-when")
    correct_roll(draft, check_throw(draft, command.dice), command.words)


def correct_roll(draft: Draft, dice: tuple[int, ...], words: str, undone: tuple[e.Line, ...] = ()) -> None:
    """Correct the last roll: return bets made since, reverse what was settled, and apply the true dice."""
    table, before = draft.table, draft.table.before_roll
    assert before is not None
    since = [bet for bet in table.bets.values() if not bet.running]
    parts = added_since(table, table.bets.values())
    event = e.DiceCorrected(dice, words, tuple(bet.id for bet in since), parts=parts, undone=undone)
    event = replace(event, bets=rolled(undo_roll(table, event, before), dice))
    back = [*return_wagers(draft, since, ROLL_CORRECTED), *return_parts(draft, parts, ROLL_CORRECTED)]
    for line in undone:
        back += disputes.reversal(draft, line, ROLL_CORRECTED, back)
    draft.emit(event, *back)
    draft.emit(e.Illuminated(_won(draft)))
    if due(draft.table) is None:
        draft.emit(e.RoundEnded(draft.table.round.number))


ROLL_CORRECTED = "the roll was put right"


def approve_resettlement(draft: Draft, command: c.ApproveResettlement) -> None:
    """Settle a past round by the true dice: at craps the last roll, whose steps are then taken again."""
    if not draft.table.craps:
        disputes.approve_resettlement(draft, command)
        return
    proposal = disputes.check_proposal(draft, command)
    disputes.check_last_roll(draft, command.round)
    undone = next(record.lines for record in draft.table.history if record.number == command.round)
    correct_roll(draft, proposal.dice, proposal.words, undone)


def call_no_roll(draft: Draft, command: c.CallNoRoll) -> None:
    if not draft.table.craps:
        draft.refuse(Reason.NOT_IN_THE_BOOK, "rounds.sic-bo-irregularity")
    if NO_ROLL in draft.rules.irregularities:
        call(draft, c.Call(NO_ROLL, command.words))
    else:
        cancel_roll(draft, command.words)


NO_ROLL = "no-roll"
"""The irregularity of a roll that does not count."""
