"""Rulings on wagers: which ones may be ruled on, and the money that must move."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pitbook.audit.errors import CheckFailed, ensure
from pitbook.audit.settling import (
    check_line,
    correction_transfers,
    expected_line,
    honoured,
    is_low,
    line_transfers,
    row_of,
)
from pitbook.audit.state import HISTORY, PastRound

if TYPE_CHECKING:
    from pitbook.audit.state import Actor, Bet, Body, Moves, State

RULED = "ruled"
"""In place of the row and the odds of a wager that was paid by a ruling."""


def bet_ruled(state: State, event: Body, _who: Actor) -> Moves:
    now, number, stands = state.round, event["bet"], event["treat_as"]
    called = any(state.book.irregularities[name].remedy == "supervisor decides" for name in now.irregularities)
    ensure(called, "no-ruling-called")
    ensure(now.unclear is None or number in now.unclear, "not-unclear", number=number)
    ensure(stands is None or state.wager(stands), "not-offered-here", wager=stands)
    lies = number in state.bets
    bet = _find_bet(state, number)
    _decided_on(state, number)
    if not lies:
        return _settled_bet_ruled(state, event, bet)
    ensure(not event.get("settled"), "still-on-layout", number=number)
    if stands is None:
        return state.return_bets([state.take(number)])
    _note_move(state, bet, stands)
    state.change_wager(number, stands)
    return []


def _settled_bet_ruled(state: State, event: Body, bet: Bet) -> Moves:
    """Check a ruling on a wager settled in this round: that is undone, and it is settled as ruled."""
    now, stands = state.round, event["treat_as"]
    old = _line(state, bet.id)
    if stands is None:
        del now.lay[bet.id]
        new = expected_line(state.book, state.setup, bet, 0, "")
    else:
        _note_move(state, bet, stands)
        now.lay[bet.id] = bet = replace(bet, wager=stands)
        row = row_of(state, bet)
        if row is None:
            raise CheckFailed("settled-continues", about="settlement", bet=bet.id, wager=stands)
        new = expected_line(state.book, state.setup, bet, honoured(state, bet), row)
    ensure(event["undone"] == [old], "settled-otherwise", bet=bet.id)
    ensure(len(event["settled"]) == 1, "ruling-not-settled", bet=bet.id)
    check_line(event["settled"][0], new)
    _replace(state, [old], event["settled"])
    return correction_transfers(state, old, new["net"], [])


def _note_move(state: State, bet: Bet, stands: str) -> None:
    """Note whether a wager is elsewhere than where it was placed."""
    first = state.round.first.setdefault(bet.id, bet.wager)
    if first == stands:
        state.round.moved.discard(bet.id)
    else:
        state.round.moved.add(bet.id)


def ruled(state: State, event: Body, who: Actor) -> Moves:
    name = next(name for name, rule in state.book.irregularities.items() if rule.remedy == "refer")
    if "called_by" not in event:  # older records: words, and perhaps a void round after them
        state.round.undecided.discard(name)
        state.round.may_void = True
        return []
    ensure(bool(event["words"].strip()), "ruling-no-words")
    waiting = state.referred.pop(name, None)
    if waiting is None and name in state.round.undecided:  # older records do not name callers
        waiting = state.round.callers[name]
    ensure(waiting is not None, "nobody-called", who=who.name, name=name)
    caller = waiting or ""
    ensure(event["called_by"] == caller, "other-called", caller=caller, called_by=event["called_by"])
    ensure(caller != who.name, "own-call", who=who.name)
    state.round.undecided.discard(name)
    lines = event["settled"]
    money = event["void"] or lines
    ensure(not (state.automatic and money), "ruling-automatic")
    ensure(not (event["void"] and lines), "void-returns")
    if event["void"]:
        state.expect = ["RoundVoided"]
    return _settled_by_decision(state, lines, event["undone"])


def _settled_by_decision(state: State, lines: list[Body], given: list[Body]) -> Moves:
    now = state.round
    numbers = [line["bet"] for line in lines]
    ensure(len(set(numbers)) == len(numbers), "ruling-twice")
    undone: list[Body] = []
    moves: Moves = []
    for line in lines:
        bet = _find_bet(state, line["bet"])
        right = expected_line(state.book, state.setup, bet, 0, "")
        if line["honoured"]:
            ensure(line["net"] > 0, "ruling-pays-nothing", bet=bet.id)
            right |= {"honoured": bet.amount, "row": RULED, "pays": RULED, "net": line["net"]}
        check_line(line, right)
        if bet.id in state.bets:
            moves += line_transfers(state, right)
            state.take(bet.id)
        else:
            old = _line(state, bet.id)
            undone.append(old)
            moves += correction_transfers(state, old, line["net"], moves)
            del now.lay[bet.id]
        if line["honoured"]:
            now.lay[bet.id] = bet
        _decided_on(state, bet.id)
    ensure(given == undone, "ruling-undoes-other")
    _replace(state, undone, lines)
    return moves


def _find_bet(state: State, number: int) -> Bet:
    bet = state.bets.get(number) or state.round.lay.get(number)
    if bet is None:
        raise CheckFailed("no-bet-in-round", number=number)
    return bet


def _decided_on(state: State, number: int) -> None:
    now = state.round
    now.unruled.discard(number)
    if not now.unruled:
        rules = state.book.irregularities
        now.undecided = {name for name in now.undecided if rules[name].remedy != "supervisor decides"}


def _line(state: State, number: int) -> Body:
    return next(line for line in state.lines() if line["bet"] == number)


def _replace(state: State, undone: list[Body], settled: list[Body]) -> None:
    """Update the round's lines and the inventory after a ruling has settled wagers differently."""
    now = state.round
    for sign, lines in ((-1, undone), (1, settled)):
        won = sum(line["net"] + line["envy"] for line in lines)
        state.add_to_books(wagered=sign * sum(line["honoured"] for line in lines), won=-sign * won)
    past = next((one for one in state.history if one.number == now.number), None)
    new = {line["bet"]: line for line in settled}
    merged = [new.pop(line["bet"], line) for line in (past.lines if past else [])]
    merged += [line for line in new.values() if line["honoured"]]
    if past is None and merged:
        past = PastRound(now.number, now.entered, [], state.book, state.setup)
        state.history = [*state.history, past][-HISTORY:]
    if past is not None:
        past.lines = merged
    paid = (now.lay[line["bet"]] for line in merged if line["honoured"] and line["bet"] in now.lay)
    now.low = {bet.player for bet in paid if is_low(state, bet, over=True)}
