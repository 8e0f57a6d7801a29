"""Irregularities: when they can happen, who may call them, and what is done then."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from pitbook.ledger.transfers import move
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.afterwards import difference
from pitbook.table.decide.rights import acting_for, check_confirmed, need_role
from pitbook.table.evolve import DECIDED
from pitbook.table.people import may_act
from pitbook.table.refusals import Why
from pitbook.table.state import acts_done, betting_open, phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pitbook.ledger.transfers import Transfer
    from pitbook.rulebooks.text import Irregularity
    from pitbook.table.decide.draft import Draft
    from pitbook.table.people import Person
    from pitbook.table.state import Bet, Table


def call(draft: Draft, command: c.Call) -> None:
    rule = draft.rules.irregularities.get(command.irregularity)
    if rule is None:
        draft.refuse(Why.NOT_IN_THE_BOOK, f"the book has no irregularity {command.irregularity!r}")
    if draft.table.automatic is not None and rule.remedy != "refer":
        draft.refuse(Why.AUTOMATIC, "it cannot happen here: the electronic tumbler has no such part")
    need_role(draft, rule.called_by, rule.who_clause, or_above=rule.or_above)
    if not _in_phase(draft.table, rule):
        now = phase(draft.table)
        clauses, reading = grounds(rule)
        says = f"{command.irregularity} cannot happen while the round is {now}"
        draft.refuse(Why.NOT_NOW, says, clauses, reading=reading)
    if rule.shaker is not None and rule.shaker != draft.table.shaker:
        draft.refuse(Why.NOT_NOW, f"no {rule.shaker} shaker is in use", rule.clause)
    if rule.remedy == "withdraw all or stay" and draft.table.power_failed:
        draft.refuse(Why.NOTHING_TO_DO, "the power has failed already")
    if rule.remedy == "supervisor decides" and not draft.table.bets:
        draft.refuse(Why.NOTHING_TO_DO, "no wager lies on the layout", rule.clause)
    present = _present(draft, command, rule)
    witnessed = check_confirmed(draft, *(one for one in present if one.name != draft.person.name))
    draft.emit(
        e.IrregularityCalled(command.irregularity, rule.remedy, command.words, present, rule.announce, witnessed)
    )
    _remedy(draft, rule)


def can_happen(table: Table, rule: Irregularity) -> bool:
    """Whether it can be called now, by whoever may."""
    if table.automatic is not None and rule.remedy != "refer":
        return False
    if rule.remedy == "withdraw all or stay" and table.power_failed:
        return False
    if rule.remedy == "supervisor decides" and not table.bets:
        return False
    return rule.shaker in (None, table.shaker) and _in_phase(table, rule)


def _in_phase(table: Table, rule: Irregularity) -> bool:
    """Before the first step, betting that is open is also between rounds."""
    now = phase(table)
    between = "between rounds" in rule.when and now == "betting" and not table.round.done
    return "any" in rule.when or now in rule.when or between


def _present(draft: Draft, command: c.Call, rule: Irregularity) -> tuple[Person, ...]:
    """Those in whose presence the book wants it done, whoever calls it included. Who decides, comes to decide."""
    if not rule.presence or rule.remedy in DECIDED:
        return ()
    there = dict.fromkeys((*command.present, draft.person))
    fitting = [p for p in there if may_act(draft.rules, p.role, rule.presence, or_above=rule.or_above)]
    if not fitting:
        who = " or ".join(rule.presence) + (" or above" if rule.or_above else "")
        draft.refuse(Why.PRESENCE, f"this is done in the presence of the {who}; say who is there", rule.clause)
    return tuple(fitting)


def _remedy(draft: Draft, rule: Irregularity) -> None:
    match rule.remedy:
        case "return wagers":
            bets = _made_for_this_throw(draft)
            event = e.WagersReturned(draft.table.round.number, tuple(bet.id for bet in bets))
            draft.emit(event, *return_wagers(draft, bets, "returned"))
        case "void and return":
            if rule.equipment:
                draft.emit(e.EquipmentFailed(rule.equipment, cease=False))
            void(draft)
        case "wagers stand":
            draft.emit(e.BettingReopened())
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


def _waive(draft: Draft, act: str, *, after: str) -> None:
    """Passes over a step that the irregularity has overtaken, if it is the one that would be due."""
    done = acts_done(draft.table)
    step = next((s for s in draft.rules.procedure.round if s.act == act), None)
    if step is not None and step.id not in draft.table.round.done and after in done:
        draft.emit(e.StepWaived(step.id))


def void(draft: Draft) -> None:
    """Ends the round; every wager that was made for it goes back, and what was settled of it is undone."""
    bets, number = _made_for_this_throw(draft), draft.table.round.number
    undone = tuple(line for record in draft.table.history if record.number == number for line in record.lines)
    event = e.RoundVoided(number, tuple(bet.id for bet in bets), undone)
    back = return_wagers(draft, bets, "void round")
    for line in undone:
        back += difference(draft, line, 0, "void round", back)
    draft.emit(event, *back)


def _made_for_this_throw(draft: Draft) -> list[Bet]:
    return [bet for bet in draft.table.bets.values() if not bet.running]


def return_wagers(draft: Draft, bets: Iterable[Bet], why: str) -> list[Transfer]:
    """Stakes back to whoever they belong to: a tip in the area is the dealers', whoever gave it."""
    return [move(f"{bet.wager}: {why}", draft.escrow, draft.owner(bet.player, bet.kind), bet.amount) for bet in bets]


def withdraw(draft: Draft, command: c.Withdraw) -> None:
    name = acting_for(draft, command.player)
    if not draft.table.power_failed:
        says = "wagers are withdrawn only if the power fails before an outcome"
        draft.refuse(Why.NOT_NOW, says, _against_withdrawal(draft))
    mine = [bet for bet in draft.table.bets.values() if bet.player == name and bet.kind != "tip in the area"]
    bets = [bet for bet in mine if not bet.running]
    if not bets:
        draft.refuse(Why.NO_SUCH_BET, f"{name} has no wager that may be withdrawn")
    event = e.PlayerWithdrew(name, tuple(bet.id for bet in bets))
    draft.emit(event, *return_wagers(draft, bets, "withdrawn"))


def _against_withdrawal(draft: Draft) -> Sequence[str]:
    """The clauses by which play goes on after a power failure, or by which a wager stays once betting is closed."""
    called = (draft.rules.irregularities[name] for name in draft.table.round.irregularities)
    after = next((rule for rule in called if rule.remedy == "finish the round" and rule.equipment is None), None)
    if after is not None:
        return after.clause
    return () if betting_open(draft.table) else draft.rules.forbids.late_changes or ()


def refuse_without_power(draft: Draft, says: str) -> NoReturn:
    """Refuse what has to wait until play resumes after a power failure."""
    rules = draft.rules.irregularities.values()
    rule = next(rule for rule in rules if rule.remedy == "withdraw all or stay")
    clauses, reading = grounds(rule)
    draft.refuse(Why.SUSPENDED, says, clauses, reading=reading)


def grounds(rule: Irregularity) -> tuple[Sequence[str], str | None]:
    """Return the clauses that provide for an irregularity, or the reading where none does."""
    return (rule.clause, None) if rule.reading is None else ((), rule.reading)


def resume(draft: Draft, _command: c.Resume) -> None:
    if not draft.table.power_failed:
        draft.refuse(Why.NOTHING_TO_DO, "play goes on already")
    draft.emit(e.PlayResumed())


def rule_on_bet(draft: Draft, command: c.RuleOnBet) -> None:
    rule = next((r for r in draft.rules.irregularities.values() if r.remedy == "supervisor decides"), None)
    if rule is None:
        draft.refuse(Why.NOT_IN_THE_BOOK, "this book gives nobody the right to move a wager")
    need_role(draft, rule.presence, rule.clause, or_above=rule.or_above)
    name = next(key for key, value in draft.rules.irregularities.items() if value is rule)
    if name not in draft.table.round.irregularities:
        draft.refuse(Why.NOT_NOW, f"{name} was not called in this round", rule.clause)
    bet = draft.table.bets.get(command.bet)
    if bet is None:
        draft.refuse(Why.NO_SUCH_BET, f"there is no bet {command.bet}")
    if command.treat_as is not None and command.treat_as not in draft.rules.wagers:
        reason, clauses = draft.rules.not_offered(command.treat_as)
        draft.refuse(Why.UNKNOWN_WAGER, f"{command.treat_as!r} is not a wager here: {reason}", clauses)
    returned = return_wagers(draft, [bet], "returned by decision") if command.treat_as is None else []
    draft.emit(e.BetRuled(command.bet, command.treat_as, command.words), *returned)


def rule_in_words(draft: Draft, command: c.RuleInWords) -> None:
    rule = next((r for r in draft.rules.irregularities.values() if r.remedy == "refer"), None)
    if rule is None:
        draft.refuse(Why.NOT_IN_THE_BOOK, "this book refers nothing to anybody")
    need_role(draft, rule.presence, rule.clause, or_above=rule.or_above)
    if not command.words.strip():
        draft.refuse(Why.NOTHING_TO_DO, "a decision is recorded in words", rule.clause)
    if command.void and draft.table.automatic is not None:
        draft.refuse(Why.AUTOMATIC, "at an automatic table two persons make a round void: propose it")
    draft.emit(e.Ruled(command.words))
    if command.void:
        void(draft)
