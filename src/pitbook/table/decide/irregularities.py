"""Irregularities: when they can be called, by whom, and the remedy that follows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from pitbook.ledger.transfers import Leg, Transfer, move
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.disputes import difference
from pitbook.table.decide.rights import check_confirmed, need_role
from pitbook.table.evolve import DECIDED
from pitbook.table.people import may_act
from pitbook.table.refusals import Reason
from pitbook.table.standing import commission_on
from pitbook.table.state import acts_done, betting_open, phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pitbook.rulebooks.text import Irregularity
    from pitbook.table.decide.draft import Draft
    from pitbook.table.people import Person
    from pitbook.table.state import Bet, Table


FREE_RULING = "free-ruling"
"""The reading on how someone decides what the book does not cover."""


def call(draft: Draft, command: c.Call) -> None:
    rule = draft.rules.irregularities.get(command.irregularity)
    if rule is None:
        draft.refuse(Reason.NOT_IN_THE_BOOK, "rounds.call.unknown", irregularity=command.irregularity)
    if draft.table.automatic is not None and rule.remedy != "refer":
        draft.refuse(Reason.AUTOMATIC, "rounds.call.automatic")
    need_role(draft, rule.called_by, rule.who_clause, or_above=rule.or_above)
    _check_when(draft, rule)
    if rule.shaker is not None and rule.shaker != draft.table.shaker:
        draft.refuse(Reason.NOT_NOW, "rounds.call.shaker", rule.clause, shaker=rule.shaker)
    if rule.remedy == "withdraw all or stay" and draft.table.power_failed:
        draft.refuse(Reason.NOTHING_TO_DO, "rounds.call.power-already")
    if rule.remedy == "refer":
        _check_referable(draft, command)
    _check_bets(draft, command, rule)
    present = _present(draft, command, rule)
    event = e.IrregularityCalled(
        irregularity=command.irregularity,
        remedy=rule.remedy,
        words=command.words,
        present=present,
        announced=rule.announce and rule.announce.en,
        witnessed=check_confirmed(draft, *(one for one in present if one.name != draft.person.name)),
        bets=command.bets,
        named_by=draft.person.name,
    )
    draft.emit(event)
    _remedy(draft, rule)
    if rule.remedy == "re-roll":
        cancel_roll(draft, command.words, rule.clause)


def cancel_roll(draft: Draft, words: str, clauses: Sequence[str] = ()) -> None:
    """Record a roll of craps that does not count: nothing moves, and the dice are rolled again."""
    table = draft.table
    if table.power_failed:
        refuse_without_power(draft, "rounds.power-failed")
    if phase(table) != "betting":
        draft.refuse(Reason.NOT_NOW, "rounds.roll-stands", clauses)
    if table.shooter is None:
        draft.refuse(Reason.NOT_NOW, "rounds.no-shooter", clauses)
    if not words.strip():
        draft.refuse(Reason.NOTHING_TO_DO, "rounds.reason")
    draft.emit(e.RollCancelled(words))


def _check_when(draft: Draft, rule: Irregularity) -> None:
    if not _in_phase(draft.table, rule):
        clauses, reading = grounds(rule)
        now = phase(draft.table)
        draft.refuse(Reason.NOT_NOW, "rounds.call.when", clauses, reading=reading, irregularity=rule.name, phase=now)
    if _too_late(draft.table, rule):
        draft.refuse(Reason.NOT_NOW, "rounds.call.paid", rule.clause, reading="no-roll-when", irregularity=rule.name)


def _check_referable(draft: Draft, command: c.Call) -> None:
    """Check a call that the book does not cover: it is described in words, and only one waits for a decision."""
    if command.irregularity in draft.table.round.undecided:
        caller = draft.table.round.callers.get(command.irregularity)
        if caller is None:
            draft.refuse(Reason.NOT_NOW, "rounds.call.undecided-unnamed", reading=FREE_RULING)
        draft.refuse(Reason.NOT_NOW, "rounds.call.undecided-first", reading=FREE_RULING, caller=caller)
    if not command.words.strip():
        draft.refuse(Reason.NOTHING_TO_DO, "rounds.call.what-happened", reading=FREE_RULING)


def _check_bets(draft: Draft, command: c.Call, rule: Irregularity) -> None:
    """Check that a call names wagers if and only if a supervisor decides on them."""
    table = draft.table
    if rule.remedy != "supervisor decides":
        if command.bets:
            draft.refuse(Reason.NOTHING_TO_DO, "rounds.call.names-no-bets", irregularity=rule.name)
        return
    if not table.bets and not table.round.taken:
        draft.refuse(Reason.NOTHING_TO_DO, "rounds.call.no-bets", rule.clause)
    if not command.bets:
        draft.refuse(Reason.NOTHING_TO_DO, "rounds.call.name-bets", rule.clause, reading="unclear-wagers")
    for number in command.bets:
        if number not in table.bets and number not in table.round.taken:
            draft.refuse(Reason.NO_SUCH_BET, "bets.no-such-bet", bet=number)


def grounds(rule: Irregularity) -> tuple[Sequence[str], str | None]:
    """Return the clauses that provide for an irregularity, or the reading where none does."""
    return (rule.clause, None) if rule.reading is None else ((), rule.reading)


def refuse_without_power(draft: Draft, message: str) -> NoReturn:
    """Refuse what has to wait until play resumes after a power failure."""
    rules = draft.rules.irregularities.values()
    rule = next(rule for rule in rules if rule.remedy == "withdraw all or stay")
    clauses, reading = grounds(rule)
    draft.refuse(Reason.SUSPENDED, message, clauses, reading=reading)


def can_happen(table: Table, rule: Irregularity) -> bool:
    """Return whether it can be called now, by whoever may."""
    if table.automatic is not None and rule.remedy != "refer":
        return False
    if rule.remedy == "withdraw all or stay" and table.power_failed:
        return False
    if rule.remedy == "supervisor decides" and not table.bets and not table.round.taken:
        return False
    if rule.remedy == "re-roll" and table.shooter is None:
        return False
    if rule.remedy == "refer" and any(table.rules.irregularities[one] is rule for one in table.round.undecided):
        return False
    return rule.shaker in (None, table.shaker) and _in_phase(table, rule) and not _too_late(table, rule)


def _in_phase(table: Table, rule: Irregularity) -> bool:
    """Return the phases of now: before the first step, open betting is also between rounds."""
    now = phase(table)
    between = "between rounds" in rule.when and now == "betting" and not table.round.done
    return "any" in rule.when or now in rule.when or between


def _too_late(table: Table, rule: Irregularity) -> bool:
    return rule.until is not None and rule.until in acts_done(table)


def check_decided(draft: Draft) -> None:
    """Refuse to continue while someone has yet to decide."""
    for name in draft.table.round.undecided:
        rule = draft.rules.irregularities[name]
        which, who = rule.name, rule.presence
        if rule.or_above:
            draft.refuse(Reason.NOT_NOW, "rounds.call.waits-or-above", rule.clause, irregularity=which, roles=who)
        draft.refuse(Reason.NOT_NOW, "rounds.call.waits", rule.clause, irregularity=which, roles=who)


def _present(draft: Draft, command: c.Call, rule: Irregularity) -> tuple[Person, ...]:
    """Return those in whose presence the book wants it done; one of them may call it, but nobody names themselves."""
    if any(person.name == draft.person.name for person in command.present):
        draft.refuse(Reason.OWN_ACT, "rights.own-witness", reading="witness", person=draft.person.name)
    if not rule.presence or rule.remedy in DECIDED:
        return ()
    there = dict.fromkeys((*command.present, draft.person))
    fitting = [p for p in there if may_act(draft.rules, p.role, rule.presence, or_above=rule.or_above)]
    if not fitting:
        if rule.or_above:
            draft.refuse(Reason.PRESENCE, "rights.present-or-above", rule.clause, roles=rule.presence)
        draft.refuse(Reason.PRESENCE, "rights.present", rule.clause, roles=rule.presence)
    return tuple(fitting)


def _remedy(draft: Draft, rule: Irregularity) -> None:
    match rule.remedy:
        case "return wagers":
            _return_all(draft)
        case "void and return":
            if rule.equipment:
                draft.emit(e.EquipmentFailed(rule.equipment, cease=False))
            void(draft)
        case "wagers stand":
            collected = _collected(draft)
            event = e.BettingReopened(collected)
            draft.emit(event, *(_return_to_layout(draft, line) for line in collected))
        case "settle by the dice, then cease":
            assert rule.equipment is not None
            draft.emit(e.EquipmentFailed(rule.equipment, cease=True))
            _waive(draft, "illuminate", after="enter dice")
        case "settle by the dice" | "finish the round":
            if rule.equipment:
                draft.emit(e.EquipmentFailed(rule.equipment, cease=False))
            _waive(draft, "illuminate", after="enter dice")
        case "outcome stands":
            if rule.equipment and draft.rules.equipment[rule.equipment].kind == "device":
                _waive(draft, "press deal", after="close betting")
        case "withdraw all or stay":
            draft.emit(e.PowerFailed())
        case "betting resumes":
            if not betting_open(draft.table):
                draft.emit(e.BettingReopened())
        case _:
            pass  # what remains is a note: the clause itself is applied where wagers are settled


def _return_all(draft: Draft) -> None:
    """Return every wager made for this throw, including those collected as losers."""
    bets, collected = _bets_on_throw(draft), _collected(draft)
    back = return_wagers(draft, bets, "returned")
    for line in collected:
        back += difference(draft, line, 0, "returned", back)
    draft.emit(e.WagersReturned(draft.table.round.number, tuple(bet.id for bet in bets), collected), *back)


def _collected(draft: Draft) -> tuple[e.Line, ...]:
    return tuple(line for line in settled_lines(draft.table) if line.net < 0)


def _return_to_layout(draft: Draft, line: e.Line) -> Transfer:
    return move(f"{line.wager}: stands again", draft.float, draft.escrow, line.honoured)


def settled_lines(table: Table) -> tuple[e.Line, ...]:
    """Return what was collected or paid in this round so far."""
    number = table.round.number
    return tuple(line for record in table.history if record.number == number for line in record.lines)


def _waive(draft: Draft, act: str, *, after: str) -> None:
    """Skip a step that the irregularity has overtaken, if it would be due."""
    done = acts_done(draft.table)
    step = next((s for s in draft.rules.procedure.round if s.act == act), None)
    if step is not None and step.id not in draft.table.round.done and after in done:
        draft.emit(e.StepWaived(step.id))


def void(draft: Draft) -> None:
    """End the round: return every wager made for it, and undo what was settled."""
    bets, number = _bets_on_throw(draft), draft.table.round.number
    parts = added_since(draft.table, draft.table.bets.values())
    undone = settled_lines(draft.table)
    event = e.RoundVoided(number, tuple(bet.id for bet in bets), undone, parts)
    back = [*return_wagers(draft, bets, "void round"), *return_parts(draft, parts, "void round")]
    for line in undone:
        back += difference(draft, line, 0, "void round", back)
    draft.emit(event, *back)


def _bets_on_throw(draft: Draft) -> list[Bet]:
    return [bet for bet in draft.table.bets.values() if not bet.running]


def return_wagers(draft: Draft, bets: Iterable[Bet], why: str) -> list[Transfer]:
    """Return stakes to their owners: a tip in the area is the dealers', whoever gave it."""
    return [return_stake(draft, bet, f"{bet.wager}: {why}", bet.amount, bet.commission) for bet in bets]


def return_parts(draft: Draft, parts: Iterable[e.Part], why: str) -> list[Transfer]:
    """Return parts of running bets to their players."""
    lying = draft.table.bets
    return [
        return_stake(draft, lying[part.bet], f"{lying[part.bet].wager}: {why}", part.amount, part.commission)
        for part in parts
    ]


def return_stake(draft: Draft, bet: Bet, why: str, amount: int, commission: int) -> Transfer:
    """Return a stake, or a part of it, to its owner, and the commission paid with it in cash chips."""
    legs = {draft.escrow: -amount - commission, draft.owner(bet.player, bet.kind): amount}
    if commission:
        cash = draft.player(bet.player)
        legs[cash] = legs.get(cash, 0) + commission
    return Transfer(why, tuple(Leg(account, moved) for account, moved in legs.items()))


def added_since(table: Table, bets: Iterable[Bet]) -> tuple[e.Part, ...]:
    """Return what was added to running bets since the last roll."""
    wagers = table.rules.wagers
    return tuple(
        e.Part(
            bet.id,
            bet.since_roll,
            bet.commission - commission_on(table, wagers[bet.wager], bet.amount - bet.since_roll),
        )
        for bet in bets
        if bet.since_roll
    )
