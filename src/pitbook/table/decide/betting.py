"""Bets: placed, moved, raised, taken down, confirmed, found; chips bought and cashed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.engine.windows import window_closed
from pitbook.ledger.transfers import move
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.opening import check_ready
from pitbook.table.decide.rights import acting_for, need_role
from pitbook.table.limits import limit_of
from pitbook.table.refusals import Why
from pitbook.table.state import betting_open
from pitbook.table.view import worst_payout

if TYPE_CHECKING:
    from pitbook.rulebooks.text import Step
    from pitbook.table.decide.draft import Draft
    from pitbook.table.state import Bet

COLOUR = "colour-chips"


def buy_in(draft: Draft, command: c.BuyIn) -> None:
    name = acting_for(draft, command.player)
    if command.amount <= 0:
        draft.refuse(Why.BAD_AMOUNT, "chips are bought for more than nothing")
    if command.colour_value is not None:
        _check_colour(draft, name, command)
    event = e.BoughtIn(name, command.amount, command.colour_value, command.marker)
    draft.emit(
        event,
        move("cash for chips", draft.cage, draft.drop, command.amount),
        move("chips for cash", draft.float, draft.player(name), command.amount),
    )


def _check_colour(draft: Draft, name: str, command: c.BuyIn) -> None:
    chips = draft.rules.equipment.get(COLOUR)
    if chips is None:
        draft.refuse(Why.COLOUR_CHIPS, "this book knows no colour chips")
        return
    value = command.colour_value or 0
    if value <= 0 or command.amount % value:
        draft.refuse(Why.COLOUR_CHIPS, "colour chips have a value that divides the amount", chips.clause)
    if any(bet.player == name and bet.kind == "colour" for bet in draft.table.bets.values()):
        draft.refuse(Why.COLOUR_CHIPS, "their value is set at the purchase, and stays while they lie out", chips.clause)
    least = min(limit_of(draft.table, wager).stake_min for wager in draft.rules.wagers)
    if value > least and not command.marker:
        draft.refuse(Why.COLOUR_CHIPS, "above the table's minimum a marker shows their value", chips.clause)


def cash_out(draft: Draft, command: c.CashOut) -> None:
    name = acting_for(draft, command.player)
    if command.amount <= 0:
        draft.refuse(Why.BAD_AMOUNT, "more than nothing is cashed")
    account = draft.player(name)
    if draft.holds(account) < command.amount:
        draft.refuse(Why.NO_FUNDS, f"{name} holds {draft.holds(account)}")
    draft.emit(e.CashedOut(name, command.amount), move("cash for chips", account, draft.float, command.amount))


def place_bets(draft: Draft, command: c.PlaceBets) -> None:
    step = _betting_step(draft)
    need_role(draft, [*step.who, "shooter"], step.clause)
    name = acting_for(draft, command.player, step.clause)
    if command.verbal_cash:
        draft.refuse(Why.CASH_BET, "no verbal wagers with cash: chips lie on the layout", step.clause)
    if not command.bets:
        draft.refuse(Why.NOTHING_TO_DO, "no bet was named")
    _need_betting(draft, step)
    for wanted in command.bets:
        _place(draft, name, wanted)
    _check_payout(draft)


def _betting_step(draft: Draft) -> Step:
    return next(step for step in draft.rules.procedure.round if step.act == "take bets")


def _need_betting(draft: Draft, step: Step) -> None:
    check_ready(draft)
    if draft.table.power_failed:
        draft.refuse(Why.SUSPENDED, "the power has failed: wagers are only withdrawn until play resumes")
    if not betting_open(draft.table):
        closing = next((s for s in draft.rules.procedure.round if s.act in ("close betting", "roll")), step)
        late = draft.rules.irregularities.get("late-wager")
        clauses = [*closing.clause, *(late.clause if late else [])]
        says = "no more bets: betting is closed" if draft.table.round.done else "betting has not been opened"
        draft.refuse(Why.BETTING_CLOSED, says, clauses)


def _place(draft: Draft, name: str, wanted: c.Wanted, *, moving: bool = False) -> None:
    table, rules = draft.table, draft.rules
    if wanted.wager not in rules.wagers:
        reason = rules.withheld.get(wanted.wager, "the book has no such wager")
        draft.refuse(Why.UNKNOWN_WAGER, f"{wanted.wager!r} cannot be bet here: {reason}")
    wager = rules.wagers[wanted.wager]
    if wanted.amount <= 0:
        draft.refuse(Why.BAD_AMOUNT, "a stake is more than nothing")
    _check_kind(draft, name, wanted)
    closed = window_closed(rules, table.progress, wager)
    if closed:
        draft.refuse(Why.WINDOW_CLOSED, f"{wager.id} cannot be made now: {closed.reason}", closed.clauses)
    existing = _unlocked(draft, name, wanted.wager, wanted.kind)
    total = wanted.amount + (existing.amount if existing else 0)
    limit = limit_of(table, wager.id)
    clauses = tuple(wager.limits.clause) if wager.limits else ()
    if total < limit.stake_min:
        draft.refuse(Why.UNDER_MINIMUM, f"{total} on {wager.id} is under the minimum of {limit.stake_min}", clauses)
    if total > limit.stake_max:
        draft.refuse(Why.OVER_MAXIMUM, f"{total} on {wager.id} is over the maximum of {limit.stake_max}", clauses)
    account = draft.player(name)
    if not moving and draft.holds(account) < wanted.amount:
        draft.refuse(Why.NO_FUNDS, f"{name} holds {draft.holds(account)}, and the stake is {wanted.amount}")
    number = existing.id if existing else table.next_bet
    event = e.BetPlaced(number, name, wager.id, wanted.amount, wanted.kind, _confirmed(draft))
    draft.emit(event, move(f"stake on {wager.id}", account, draft.escrow, wanted.amount))


def _check_kind(draft: Draft, name: str, wanted: c.Wanted) -> None:
    if wanted.kind == "colour":
        value = draft.table.colours.get(name)
        chips = draft.rules.equipment.get(COLOUR)
        if chips is None or value is None or wanted.amount % value:
            clauses = chips.clause if chips else []
            draft.refuse(Why.COLOUR_CHIPS, f"{name} has no colour chips that make {wanted.amount}", clauses)
    if wanted.kind in ("tip in the area", "tip on top"):
        if not any(step.act == "place tip" for step in draft.rules.procedure.round):
            draft.refuse(Why.NOT_IN_THE_BOOK, "this book takes no bets for the dealers")
        if wanted.kind == "tip on top" and not any(
            bet.player == name and bet.wager == wanted.wager and bet.kind in ("cash", "colour")
            for bet in draft.table.bets.values()
        ):
            clauses = next(s.clause for s in draft.rules.procedure.round if s.act == "place tip")
            draft.refuse(Why.NO_SUCH_BET, "a tip on top lies on the player's own bet", clauses)


def _confirmed(draft: Draft) -> bool:
    """Where the book wants booked bets repeated aloud, a player's own entry waits for that."""
    confirming = any(step.act == "confirm bet" for step in draft.rules.procedure.round)
    return not confirming or draft.person.role not in ("player", "shooter")


def _unlocked(draft: Draft, name: str, wager: str, kind: c.Kind) -> Bet | None:
    return next(
        (
            bet
            for bet in draft.table.bets.values()
            if (bet.player, bet.wager, bet.kind) == (name, wager, kind) and not bet.running and not bet.found
        ),
        None,
    )


def _check_payout(draft: Draft) -> None:
    setup = draft.table.setup
    assert setup is not None
    if setup.payout_max is not None:
        worst = worst_payout(draft.table)
        if worst > setup.payout_max:
            says = f"one throw could then cost {worst}; this table pays {setup.payout_max} at the most"
            draft.refuse(Why.PAYOUT_LIMIT, says)


def take_down(draft: Draft, command: c.TakeDown) -> None:
    bet, amount = _own_bet(draft, command)
    event = e.BetTakenDown(bet.id, amount)
    draft.emit(event, move(f"stake off {bet.wager}", draft.escrow, draft.player(bet.player), amount))
    _check_rest(draft, bet)


def _own_bet(draft: Draft, command: c.TakeDown | c.MoveBet) -> tuple[Bet, int]:
    step = _betting_step(draft)
    need_role(draft, [*step.who, "shooter"], step.clause)
    name = acting_for(draft, command.player, step.clause)
    if not betting_open(draft.table):
        late = draft.rules.irregularities.get("late-withdrawal")
        clauses = late.clause if late else step.clause
        draft.refuse(Why.BETTING_CLOSED, "betting is closed: the wager stays live", clauses)
    if draft.table.power_failed:
        draft.refuse(Why.SUSPENDED, "after a power failure a player withdraws all wagers, or none")
    bet = _unlocked(draft, name, command.wager, command.kind)
    if bet is None:
        runs = any(
            (b.player, b.wager, b.kind) == (name, command.wager, command.kind) for b in draft.table.bets.values()
        )
        if runs:
            reading = draft.rules.readings.get("running-bets")
            clauses = reading.clause if reading else []
            draft.refuse(Why.RUNNING, "a roll has been made on it: it can be neither taken down nor changed", clauses)
        draft.refuse(Why.NO_SUCH_BET, f"{name} has no {command.kind} bet on {command.wager}")
        raise AssertionError
    amount = bet.amount if command.amount is None else command.amount
    if not 0 < amount <= bet.amount:
        draft.refuse(Why.BAD_AMOUNT, f"{bet.amount} lies on {bet.wager}; {amount} cannot be taken off")
    return bet, amount


def _check_rest(draft: Draft, bet: Bet) -> None:
    left = draft.table.bets.get(bet.id)
    if left is not None and left.amount < limit_of(draft.table, bet.wager).stake_min:
        draft.refuse(Why.UNDER_MINIMUM, f"{left.amount} would stay on {bet.wager}, under the minimum; take all of it")


def move_bet(draft: Draft, command: c.MoveBet) -> None:
    bet, amount = _own_bet(draft, command)
    taken = e.BetTakenDown(bet.id, amount)
    draft.emit(taken, move(f"stake off {bet.wager}", draft.escrow, draft.player(bet.player), amount))
    _check_rest(draft, bet)
    _place(draft, bet.player, c.Wanted(command.to, amount, command.kind), moving=True)
    _check_payout(draft)


def confirm_bets(draft: Draft, command: c.ConfirmBets) -> None:
    step = next((s for s in draft.rules.procedure.round if s.act == "confirm bet"), None)
    if step is None:
        draft.refuse(Why.NOT_IN_THE_BOOK, "this book does not ask for bets to be confirmed")
        return
    need_role(draft, step.who, step.clause)
    waiting = [
        bet.id for bet in draft.table.bets.values() if not bet.confirmed and command.player in (None, bet.player)
    ]
    if not waiting:
        draft.refuse(Why.NOTHING_TO_DO, "no bet waits to be confirmed", step.clause)
    draft.emit(e.BetsConfirmed(tuple(waiting)))


def record_found(draft: Draft, command: c.RecordFound) -> None:
    """A wager outside the limits or late, found on the layout: settled, in its way, by the clauses on that."""
    irregularities = draft.rules.irregularities
    table = draft.table
    if command.wager not in draft.rules.wagers:
        draft.refuse(Why.UNKNOWN_WAGER, f"the book has no wager {command.wager!r}")
    if command.amount <= 0:
        draft.refuse(Why.BAD_AMOUNT, "a stake is more than nothing")
    limit = limit_of(table, command.wager)
    inside = limit.stake_min <= command.amount <= limit.stake_max
    if command.late:
        rule = irregularities.get("late-wager")
        if betting_open(table):
            draft.refuse(Why.NOT_NOW, "betting is open: nothing is late", rule.clause if rule else ())
    else:
        rule = irregularities.get("under-minimum" if command.amount < limit.stake_min else "over-maximum")
        if inside:
            draft.refuse(Why.NOTHING_TO_DO, "the stake is inside the limits; it is placed as a bet")
    if rule is None:
        draft.refuse(Why.NOT_IN_THE_BOOK, "this book has no clause on such a wager; it is given back")
        return
    if not table.round.done or "pay" in table.round.done:
        draft.refuse(Why.NOT_NOW, "a wager is found during a round", rule.clause)
    account = draft.player(command.player)
    if draft.holds(account) < command.amount:
        draft.refuse(Why.NO_FUNDS, f"{command.player} holds {draft.holds(account)}")
    event = e.WagerFound(table.next_bet, command.player, command.wager, command.amount, command.late)
    draft.emit(event, move(f"found on {command.wager}", account, draft.escrow, command.amount))
