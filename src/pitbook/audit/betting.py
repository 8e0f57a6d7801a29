"""Bets: placed, taken down, confirmed, found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.audit.craps import window_closed
from pitbook.audit.errors import CheckFailed, ensure
from pitbook.audit.inspections import check_ready
from pitbook.audit.patrons import check_behalf, check_consent, check_patron
from pitbook.audit.procedure import betting_open, check_countdown
from pitbook.audit.state import OWN, Bet, transfer

if TYPE_CHECKING:
    from pitbook.audit.books import Wager
    from pitbook.audit.state import Body, Moves, State, Who


def _offered(state: State, name: str) -> Wager:
    wager = state.wager(name)
    if wager is None:
        raise CheckFailed(f"{name} is not offered at this table")
    return wager


def _own_stake(state: State, player: str, wager: str) -> int:
    """Return a player's stake on a wager in own chips, for this throw and in time."""
    return sum(bet.amount for bet in state.on(player, wager) if bet.kind in OWN and not bet.running and not bet.late)


def _every_stake(state: State, player: str, wager: str) -> int:
    """Return a player's stake on a wager, including tips."""
    return sum(bet.amount for bet in state.on(player, wager) if not bet.late)


def bets_placed(state: State, event: Body, who: Who) -> Moves:
    """Check several bets of a player at once, whose stakes are moved together."""
    player, bets = event["player"], event["bets"]
    check_behalf(state, event, who)
    ensure(len(bets) > 1, "several bets are told of, and there is one, or none")
    for bet in bets:
        ensure("player" not in bet, "one of the bets names a player of its own")
        _placed(state, {**bet, "player": player})
    taken: dict[str, int] = {}
    for bet in bets:
        account = state.chips(player, bet["kind"])
        taken[account] = taken.get(account, 0) - bet["amount"]
    return [(*taken.items(), (state.escrow, -sum(taken.values())))]


def bet_placed(state: State, event: Body, who: Who) -> Moves:
    check_behalf(state, event, who)
    return _placed(state, event)


def _placed(state: State, event: Body) -> Moves:
    number, player, name, amount, kind = (event[key] for key in ("bet", "player", "wager", "amount", "kind"))
    ensure(betting_open(state), "a bet is made while betting is closed", "late")
    check_countdown(state, "a bet is made")
    ensure(not state.power_failed, "a bet is made while the power has failed")
    ceased = state.round.ceasing or any(state.failed.values())
    ensure(not ceased, "a bet is made after the failure of equipment for which play ceases")
    ensure(amount > 0, "a stake of nothing")
    check_patron(state, player)
    check_ready(state)
    wager = _offered(state, name)
    closed = window_closed(state.point, state.areas, wager)
    if closed:
        raise CheckFailed(f"{name} cannot be made now: {closed}")
    _check_kind(state, event)
    _check_confirmed(state, event)
    bet = state.bets.get(number)
    if bet is None:
        if number != state.next_bet:
            raise CheckFailed(f"the next bet is number {state.next_bet}, not {number}")
        total = amount + (_own_stake(state, player, name) if kind in OWN else 0)
        if state.book.tips_together:
            total = amount + _every_stake(state, player, name)
        state.put(Bet(number, player, name, amount, kind, event["confirmed"]))
    else:
        ensure((bet.player, bet.wager, bet.kind) == (player, name, kind), f"bet {number} is another bet")
        ensure(not bet.running, f"a roll has been made on bet {number}")
        ensure(not bet.found, f"bet {number} was found on the layout, and cannot be raised")
        bet.amount += amount
        bet.confirmed = event["confirmed"]
        state.at_stake += amount
        total = _own_stake(state, player, name) if kind in OWN else bet.amount
        if state.book.tips_together:
            total = _every_stake(state, player, name)
    least, most = state.limit(wager)
    if not least <= total <= most:
        raise CheckFailed(f"{total} on {name} is outside the limits of {least} to {most}")
    return [transfer(state.chips(player, kind), state.escrow, amount)]


def _check_kind(state: State, event: Body) -> None:
    kind = event["kind"]
    if kind == "colour":
        ensure(state.makes(event["player"], event["amount"]), f"{event['player']} has no colour chips for that")
    elif kind != "cash":
        ensure(any(step.act == "place tip" for step in state.book.steps), "this book takes no tips")
        if kind == "tip on top":
            lies = any(bet.kind in OWN for bet in state.on(event["player"], event["wager"]))
            ensure(lies, "there is no bet beneath the tip")


def _check_confirmed(state: State, event: Body) -> None:
    if not event["confirmed"] or state.automatic:
        return
    ensure(not state.book.repeats_aloud, "a bet counts as confirmed without having been repeated aloud")


def bet_taken_down(state: State, event: Body, _who: Who) -> Moves:
    bet = state.bets.get(event["bet"])
    amount = event["amount"]
    if bet is None:
        raise CheckFailed(f"there is no bet {event['bet']}")
    ensure(betting_open(state), "a bet is taken down while betting is closed", "late")
    check_countdown(state, "a bet is taken down")
    ensure(not state.power_failed, "a bet is taken down while the power has failed")
    ensure(not bet.running, f"a roll has been made on bet {bet.id}")
    ensure(bet.kind != "tip in the area", "a tip in the area is the dealers'")
    ensure(0 < amount <= bet.amount, f"{amount} is taken off a bet of {bet.amount}")
    whole = bet.kind != "colour" or state.makes(bet.player, amount)
    ensure(whole, f"{amount} is not a whole number of {bet.player}'s colour chips")
    if amount == bet.amount:
        state.take(bet.id)
    else:
        bet.amount -= amount
        state.at_stake -= amount
    return [transfer(state.escrow, state.owner(bet.player, bet.kind), amount)]


def bets_confirmed(state: State, event: Body, _who: Who) -> Moves:
    ensure(event["bets"], "no bet is confirmed")
    for number in event["bets"]:
        ensure(number in state.bets, f"there is no bet {number}")
        ensure(not state.bets[number].confirmed, f"bet {number} was confirmed before", "order")
        state.bets[number].confirmed = True
    return []


def wager_found(state: State, event: Body, who: Who) -> Moves:
    number, player, name, amount, late = (event[key] for key in ("bet", "player", "wager", "amount", "late"))
    ensure(number == state.next_bet, f"the next bet is number {state.next_bet}, not {number}")
    ensure("pay winners" not in state.round.acts, "a wager is found after the winners were paid")
    ensure(amount > 0, "a stake of nothing")
    least, most = state.limit(_offered(state, name))
    if late:
        ensure(not betting_open(state), "betting is open: nothing is late")
        rule = "late-wager"
    else:
        stake = amount + _own_stake(state, player, name)
        rule = "under-minimum" if stake < least else "over-maximum"
        ensure(not least <= stake <= most, "the stake is inside the limits")
    ensure(rule in state.book.irregularities, f"the book has no clause on a wager like that ({rule})")
    kind = event.get("kind", "cash")
    ensure(kind != "colour" or state.makes(player, amount), f"{player} has no colour chips for that")
    if "consent" in event:  # missing in older records
        check_patron(state, player)
        check_consent(state, event, who)
    state.put(Bet(number, player, name, amount, kind, confirmed=True, found=True, late=late))
    return [transfer(state.chips(player, kind), state.escrow, amount)]
