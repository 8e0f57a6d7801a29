"""Bets: placed, moved, raised, taken down, confirmed, found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.engine.standing import call_refused
from pitbook.ledger.transfers import move
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.bet_placement import (
    FOUND,
    RUNNING_BETS,
    BetPlacement,
    check_running,
    check_whole_chips,
    find_raisable,
    has_bet,
    limit_grounds,
    refuse_unknown,
    tip_step,
)
from pitbook.table.decide.irregularities import refuse_without_power, return_stake
from pitbook.table.decide.readiness import check_ready
from pitbook.table.decide.rights import acting_for, check_consent, need_role
from pitbook.table.decide.suspension import check_allowance, check_countdown, check_excluded
from pitbook.table.limits import limit_of, own_stake
from pitbook.table.people import PLAYER
from pitbook.table.refusals import Reason
from pitbook.table.standing import commission_on, excess_odds, own_bets, take_down_refused
from pitbook.table.state import acts_done, betting_open, phase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitbook.rulebooks.text import Step
    from pitbook.table.decide.draft import Draft
    from pitbook.table.state import Bet


def place_bets(draft: Draft, command: c.PlaceBets) -> None:
    step = _betting_step(draft)
    need_role(draft, [*step.who, "shooter"], step.clauses_on_who)
    name = acting_for(draft, command.player, step.clauses_on_who)
    if command.verbal_cash:
        draft.refuse(Reason.CASH_BET, "bets.verbal-cash", draft.rules.forbids.cash or ())
    if not command.bets:
        draft.refuse(Reason.NOTHING_TO_DO, "bets.none-chosen")
    _need_betting(draft)
    placement = BetPlacement(draft, name)
    for wanted in command.bets:
        placement.add(wanted)
    placement.finish()
    check_allowance(draft, name)
    _check_payout(draft)


def _betting_step(draft: Draft) -> Step:
    step = draft.rules.betting_step
    if step is None:
        draft.refuse(Reason.NOT_IN_THE_BOOK, "bets.no-betting")
    return step


def _need_betting(draft: Draft) -> None:
    _check_ceasing(draft)
    check_ready(draft)
    if draft.table.power_failed:
        refuse_without_power(draft, "bets.power-failed")
    if betting_open(draft.table):
        check_countdown(draft)
        return
    if not draft.table.round.done:
        opening = next((s for s in draft.rules.procedure.round if s.act == "open betting"), None)
        draft.refuse(Reason.BETTING_CLOSED, "bets.not-open", opening.clause if opening else ())
    draft.refuse(Reason.BETTING_CLOSED, "bets.closed", draft.rules.forbids.late_bets or ())


def _check_ceasing(draft: Draft) -> None:
    """Refuse new wagers once equipment has failed for which play ceases; the round in progress is settled."""
    if draft.table.round.ceasing:
        called = [draft.rules.irregularities[name] for name in draft.table.round.irregularities]
        rule = next(rule for rule in reversed(called) if rule.remedy == "settle by the dice, then cease")
        draft.refuse(Reason.SUSPENDED, "bets.play-ceases", rule.clause, reading="device-failed")


def _check_payout(draft: Draft) -> None:
    setup = draft.table.setup
    assert setup is not None
    if setup.payout_max is not None:
        worst = draft.context.liability.worst_payout(draft.table)
        if worst > setup.payout_max:
            draft.refuse(
                Reason.PAYOUT_LIMIT,
                "bets.payout",
                worst=draft.money(worst),
                most=draft.money(setup.payout_max),
                hand="yes" if draft.table.craps else "no",
            )


def take_down(draft: Draft, command: c.TakeDown) -> None:
    bet, amount = _own_bet(draft, command)
    _take_off(draft, bet, amount)


def _take_off(draft: Draft, bet: Bet, amount: int) -> None:
    """Take a stake off the layout; odds that the rest no longer allows come down with it."""
    _off(draft, bet, amount)
    _check_rest(draft, bet)
    if not draft.rules.wagers[bet.wager].own_state:
        return
    for odds, over in excess_odds(draft.table, bet.player):
        left = odds.amount - over
        least = limit_of(draft.table, odds.wager).stake_min
        _off(draft, odds, odds.amount if left < least else over, tied_to=bet.id)


def _off(draft: Draft, bet: Bet, amount: int, tied_to: int | None = None) -> None:
    wager = draft.rules.wagers[bet.wager]
    commission = bet.commission - commission_on(draft.table, wager, bet.amount - amount)
    event = e.BetTakenDown(bet.id, amount, commission, tied_to)
    draft.emit(event, return_stake(draft, bet, f"stake off {bet.wager}", amount, commission))


def _own_bet(draft: Draft, command: c.TakeDown | c.MoveBet) -> tuple[Bet, int]:
    step = _betting_step(draft)
    need_role(draft, [*step.who, "shooter"], step.clauses_on_who)
    name = acting_for(draft, command.player, step.clauses_on_who)
    if draft.table.power_failed:
        refuse_without_power(draft, "bets.all-or-none")
    if not betting_open(draft.table):
        clauses = draft.rules.forbids.late_changes or ()
        draft.refuse(Reason.BETTING_CLOSED, "bets.stays", clauses, reading=RUNNING_BETS)
    check_countdown(draft)
    own = draft.table.bets.on(name, command.wager)
    _check_control(draft, own, command)
    wager = draft.rules.wagers.get(command.wager)
    if wager is None:
        refuse_unknown(draft, command.wager)
    if not wager.own_state:
        check_running(draft, own, command.kind)
    bet = find_raisable(own, wager, command.kind, command.point)
    if bet is None:
        if command.point is not None:
            where, point = draft.area(command.wager), command.point
            draft.refuse(Reason.NO_SUCH_BET, "bets.none-on-point", player=name, area=where, point=point)
        draft.refuse(Reason.NO_SUCH_BET, "bets.none-there", player=name, area=draft.area(command.wager))
    locked = take_down_refused(draft.table, bet)
    if locked is not None:
        draft.refuse(Reason.RUNNING, locked.message, locked.clauses, reading=locked.reading)
    amount = bet.amount if command.amount is None else command.amount
    if not 0 < amount <= bet.amount:
        draft.refuse(Reason.BAD_AMOUNT, "bets.too-much", lies=draft.money(bet.amount), area=draft.area(bet.wager))
    if bet.kind == "colour":
        check_whole_chips(draft, name, amount)
    return bet, amount


def _check_control(draft: Draft, own: Sequence[Bet], command: c.TakeDown | c.MoveBet) -> None:
    """Check who controls the chips: a tip in the area is the dealers'; one on top comes off before the bet below."""
    if command.kind == "tip in the area" and has_bet(own, (command.kind,)):
        step = tip_step(draft, command.wager)
        draft.refuse(Reason.NO_SUCH_BET, "bets.tip-of-dealers", step.clause if step else ())
    if command.kind in c.OWN and has_bet(own, ("tip on top",)):
        draft.refuse(Reason.NOT_NOW, "bets.tip-first")


def _check_rest(draft: Draft, bet: Bet) -> None:
    beneath = draft.table.bets.get(bet.id)
    left = beneath.amount if beneath else 0
    if bet.kind in c.OWN and not draft.rules.wagers[bet.wager].own_state:
        left = own_stake(draft.table, bet.player, bet.wager)
    least = limit_of(draft.table, bet.wager).stake_min
    if 0 < left < least:
        clauses, reading = limit_grounds(draft, draft.rules.wagers[bet.wager], "stake_min")
        draft.refuse(
            Reason.UNDER_MINIMUM,
            "bets.rest-too-small",
            clauses,
            reading=reading,
            left=draft.money(left),
            area=draft.area(bet.wager),
            least=draft.money(least),
        )


def move_bet(draft: Draft, command: c.MoveBet) -> None:
    bet, amount = _own_bet(draft, command)
    _take_off(draft, bet, amount)
    _check_ceasing(draft)
    placement = BetPlacement(draft, bet.player)
    placement.add(c.BetRequest(command.to, amount, command.kind))
    placement.finish()
    check_allowance(draft, bet.player)
    _check_payout(draft)


def call_bets(draft: Draft, command: c.CallBets) -> None:
    """Call a player's bets on or off, or leave it to their rule again whether they work."""
    step = _betting_step(draft)
    need_role(draft, [*step.who, "shooter"], step.clauses_on_who)
    name = acting_for(draft, command.player, step.clauses_on_who)
    if draft.table.power_failed:
        refuse_without_power(draft, "rounds.power-failed")
    if not betting_open(draft.table):
        draft.refuse(Reason.BETTING_CLOSED, "bets.call-when")
    check_countdown(draft)
    how = None if command.how == "rule" else command.how
    called = [bet for bet in _to_call(draft, name, command) if bet.called != how]
    if not called:
        draft.refuse(Reason.NOTHING_TO_DO, "bets.called-already", player=name)
    by = None if draft.person.role in (PLAYER, "shooter") else draft.person.name
    draft.emit(e.BetsCalled(name, tuple(bet.id for bet in called), how, by))


def _to_call(draft: Draft, name: str, command: c.CallBets) -> list[Bet]:
    """Return the bets that a command is about; refuse one that its rule does not let be called."""
    table, wagers = draft.table, draft.rules.wagers
    if not command.wagers:
        found = [bet for bet in own_bets(table, name) if wagers[bet.wager].calls]
        if not found:
            draft.refuse(Reason.NO_SUCH_BET, "bets.none-to-call", player=name)
        return found
    found = []
    for wager in dict.fromkeys(command.wagers):
        if wager not in wagers:
            refuse_unknown(draft, wager)
        bets = [bet for bet in own_bets(table, name) if bet.wager == wager]
        refused = call_refused(wagers[wager], "off" if command.how == "rule" else command.how)
        if refused is not None:
            draft.refuse(Reason.NOT_IN_THE_BOOK, refused.message, refused.clauses, reading=refused.reading)
        if not bets:
            draft.refuse(Reason.NO_SUCH_BET, "bets.none-there", player=name, area=draft.area(wager))
        found += bets
    return found


def confirm_bets(draft: Draft, command: c.ConfirmBets) -> None:
    step = next((s for s in draft.rules.procedure.round if s.act == "confirm bet"), None)
    if step is None:
        draft.refuse(Reason.NOT_IN_THE_BOOK, "bets.confirmation-unused")
    need_role(draft, step.who, step.clause)
    waiting = [
        bet.id for bet in draft.table.bets.values() if not bet.confirmed and command.player in (None, bet.player)
    ]
    if not waiting:
        draft.refuse(Reason.NOTHING_TO_DO, "bets.none-to-confirm")
    draft.emit(e.BetsConfirmed(tuple(waiting)))


def record_found(draft: Draft, command: c.RecordFound) -> None:
    """Record a wager found on the layout that is late or outside the limits; its clauses say how it is settled."""
    irregularities = draft.rules.irregularities
    table = draft.table
    name = acting_for(draft, command.player)
    check_excluded(draft)
    if not {"late-wager", "under-minimum", "over-maximum"} & set(irregularities):
        draft.refuse(Reason.NOT_IN_THE_BOOK, "bets.no-clause")
    if command.wager not in draft.rules.wagers:
        refuse_unknown(draft, command.wager)
    if command.amount <= 0:
        draft.refuse(Reason.BAD_AMOUNT, "bets.stake")
    limit = limit_of(table, command.wager)
    stake = command.amount + own_stake(table, name, command.wager)
    if command.late:
        rule = irregularities.get("late-wager")
        if betting_open(table):
            draft.refuse(Reason.NOT_NOW, "bets.not-late", rule.clause if rule else (), reading=FOUND)
    else:
        rule = irregularities.get("under-minimum" if stake < limit.stake_min else "over-maximum")
        if limit.stake_min <= stake <= limit.stake_max:
            draft.refuse(Reason.NOTHING_TO_DO, "bets.within-limits")
    if rule is None:
        draft.refuse(Reason.NOT_IN_THE_BOOK, "bets.no-clause")
    now = phase(table)
    if now not in rule.when or "pay winners" in acts_done(table):
        draft.refuse(Reason.NOT_NOW, "bets.found-when", rule.clause, phases=rule.when)
    if command.kind == "colour":
        check_whole_chips(draft, name, command.amount)
    account = draft.chips(name, command.kind)
    if draft.holds(account) < command.amount:
        draft.refuse(Reason.NO_FUNDS, "chips.short", player=name, held=draft.money(draft.holds(account)))
    consent = check_consent(draft, name)  # nobody can take this wager down again
    wager, amount = command.wager, command.amount
    event = e.WagerFound(table.next_bet, name, wager, amount, command.late, command.kind, consent)
    draft.emit(event, move(f"found on {command.wager}", account, draft.escrow, command.amount))
