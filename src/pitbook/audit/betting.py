"""Bets: placed, taken down, confirmed, found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.audit.details import cite_clauses, detail
from pitbook.audit.errors import CheckFailed, ensure
from pitbook.audit.inspections import check_ready
from pitbook.audit.patrons import check_behalf, check_consent, check_patron
from pitbook.audit.phases import most_odds, odds_refused, take_down_refused
from pitbook.audit.procedure import betting_open, check_countdown
from pitbook.audit.roles import PLAYERS
from pitbook.audit.settling import held_commission
from pitbook.audit.side_bets import window_closed
from pitbook.audit.state import OWN, Bet, transfer

if TYPE_CHECKING:
    from pitbook.audit.state import Actor, Body, Moves, State
    from pitbook.audit.wagers import Wager

CALLED = {"on": "called-on", "off": "called-off", None: "called-by-rule"}
"""The texts for how bets are called."""


def _offered(state: State, name: str) -> Wager:
    wager = state.wager(name)
    if wager is None:
        raise CheckFailed("not-offered", wager=name)
    return wager


def _own_stake(state: State, player: str, wager: str) -> int:
    """Return a player's stake on a wager in own chips, for this throw and in time."""
    return sum(bet.amount for bet in state.on(player, wager) if bet.kind in OWN and not bet.running and not bet.late)


def _every_stake(state: State, player: str, wager: str) -> int:
    """Return a player's stake on a wager, including tips."""
    return sum(bet.amount for bet in state.on(player, wager) if not bet.late)


def bets_placed(state: State, event: Body, who: Actor) -> Moves:
    """Check several bets of a player at once, whose stakes are moved together."""
    player, bets = event["player"], event["bets"]
    check_behalf(state, event, who)
    ensure(len(bets) > 1, "not-several")
    _check_taking_bets(state, player)
    taken: dict[str, int] = {}
    for bet in bets:
        ensure("player" not in bet, "own-player")
        _placed(state, player, bet)
        for account, amount in _paid_from(state, player, bet).items():
            taken[account] = taken.get(account, 0) - amount
    return [(*taken.items(), (state.escrow, -sum(taken.values())))]


def _paid_from(state: State, player: str, bet: Body) -> dict[str, int]:
    """Return what a stake takes from each account; commission is paid in cash chips."""
    paid = {state.chips(player, bet["kind"]): bet["amount"]}
    if bet.get("commission"):
        cash = state.player(player)
        paid[cash] = paid.get(cash, 0) + bet["commission"]
    return paid


def bet_placed(state: State, event: Body, who: Actor) -> Moves:
    player = event["player"]
    check_behalf(state, event, who)
    _check_taking_bets(state, player)
    _placed(state, player, event)
    if not event.get("commission"):
        return [transfer(state.chips(player, event["kind"]), state.escrow, event["amount"])]
    paid = _paid_from(state, player, event)
    return [(*((account, -amount) for account, amount in paid.items()), (state.escrow, sum(paid.values())))]


def _check_taking_bets(state: State, player: str) -> None:
    """Check that the table takes bets now, and takes them from this player."""
    ensure(betting_open(state), "bet-closed", "late")
    check_countdown(state, "made")
    ensure(not state.power_failed, "bet-power")
    ceased = state.round.ceasing or any(state.failed.values())
    ensure(not ceased, "bet-ceased")
    check_patron(state, player)
    check_ready(state)


def _placed(state: State, player: str, event: Body) -> None:
    name, amount = event["wager"], event["amount"]
    ensure(amount > 0, "no-stake")
    wager = _offered(state, name)
    closed = window_closed(state.point, state.areas, wager)
    if closed:
        raise CheckFailed("bet-window", wager=name, reason=closed)
    _check_kind(state, player, event, wager)
    _check_confirmed(state, event, wager)
    total = (_put_standing if wager.kind == "phases" else _put_bet)(state, player, event, wager)
    least, most = state.limit(wager)
    if not least <= total <= most:
        raise CheckFailed("bet-limits", total=total, wager=name, least=least, most=most)


def _put_bet(state: State, player: str, event: Body, wager: Wager) -> int:
    """Add a stake to the layout; return what counts toward the limits of its wager."""
    number, amount, kind = event["bet"], event["amount"], event["kind"]
    if event.get("commission"):
        raise CheckFailed("no-commission", number=number, wager=wager.id)
    bet = state.bets.get(number)
    if bet is None:
        _check_number(state, number)
        total = amount + (_own_stake(state, player, wager.id) if kind in OWN else 0)
        if wager.book in state.book.tips_together:
            total = amount + _every_stake(state, player, wager.id)
        state.put(Bet(number, player, wager.id, amount, kind, event["confirmed"]))
        return int(total)
    _check_same(bet, player, event)
    if bet.running:
        raise CheckFailed("roll-made", number=number)
    state.add_to(bet, amount, 0)
    bet.confirmed = event["confirmed"]
    if wager.book in state.book.tips_together:
        return _every_stake(state, player, wager.id)
    return _own_stake(state, player, wager.id) if kind in OWN else bet.amount


def _put_standing(state: State, player: str, event: Body, wager: Wager) -> int:
    """Add a stake that has its own state; return what counts toward the limits of its wager.

    A player has one bet on a wager and kind of chips that has not travelled: a running one is raised.
    """
    number, amount, kind = event["bet"], event["amount"], event["kind"]
    own = state.on(player, wager.id)
    why = odds_refused(state.book, state.point, state.bets.values(), player, wager, amount + sum(b.amount for b in own))
    if why is not None:
        tied = wager.tied.clauses if wager.tied else ()
        raise CheckFailed("bet-odds", wager=wager.id, reason=why, rule=cite_clauses(tied))
    bet = state.bets.get(number)
    if bet is None:
        _check_number(state, number)
        other = next((b for b in own if b.kind == kind and b.point is None and not b.found), None)
        ensure(other is None, "not-raised", player=player, bet=other.id if other else "", wager=wager.id)
        bet = Bet(number, player, wager.id, 0, kind, event["confirmed"])
        state.put(bet)
    _check_same(bet, player, event)
    ensure(bet.point is None, "travelled-raised", number=number, point=bet.point)
    commission = held_commission(state, wager.id, bet.amount + amount) - bet.commission
    given = event.get("commission", 0)
    ensure(given == commission, "commission-paid", number=number, given=given, commission=commission)
    state.add_to(bet, amount, commission)
    bet.confirmed = event["confirmed"]
    return bet.amount


def _check_number(state: State, number: int) -> None:
    if number != state.next_bet:
        raise CheckFailed("next-bet", next_bet=state.next_bet, number=number)


def _check_same(bet: Bet, player: str, event: Body) -> None:
    if (bet.player, bet.wager, bet.kind) != (player, event["wager"], event["kind"]):
        raise CheckFailed("another-bet", bet=bet.id)
    if bet.found:
        raise CheckFailed("found-raised", bet=bet.id)


def _check_kind(state: State, player: str, event: Body, wager: Wager) -> None:
    kind = event["kind"]
    if kind == "colour":
        ensure(state.is_whole_chips(player, event["amount"]), "no-colour-chips-for-it", player=player)
    elif kind != "cash":
        ensure(wager.book in state.book.tipping, "no-tips")
        if kind == "tip on top":
            lies = any(bet.kind in OWN for bet in state.on(player, event["wager"]))
            ensure(lies, "tip-no-bet")


def _check_confirmed(state: State, event: Body, wager: Wager) -> None:
    if not event["confirmed"] or state.automatic:
        return
    ensure(wager.book not in state.book.repeats_aloud, "not-repeated")


def bet_taken_down(state: State, event: Body, _who: Actor) -> Moves:
    bet = state.bets.get(event["bet"])
    amount, tied_to = event["amount"], event.get("tied_to")
    if bet is None:
        raise CheckFailed("no-bet", bet=event["bet"])
    wager = state.book.every[bet.wager]
    ensure(betting_open(state), "down-closed", "late")
    check_countdown(state, "taken-down-late")
    ensure(not state.power_failed, "down-power")
    if tied_to is not None or state.coming_down:
        _check_with_parent(state, event)
    elif bet.running or wager.take_down is not None:
        _check_take_down(state, bet, wager)
    ensure(bet.kind != "tip in the area", "tip-is-dealers")
    ensure(0 < amount <= bet.amount, "down-too-much", given=amount, amount=bet.amount)
    whole = bet.kind != "colour" or state.is_whole_chips(bet.player, amount)
    ensure(whole, "not-whole-chips", amount=amount, player=bet.player)
    commission = bet.commission - held_commission(state, bet.wager, bet.amount - amount)
    given = event.get("commission", 0)
    ensure(given == commission, "commission-back", given=given, bet=bet.id, commission=commission)
    if amount > bet.since_roll:
        note_change(state, bet)
    if amount == bet.amount:
        state.take(bet.id)
    else:
        state.add_to(bet, -amount, -commission)
        least = state.limit(wager)[0]
        ensure(wager.kind != "phases" or bet.amount >= least, "left-under", amount=bet.amount, bet=bet.id, least=least)
    if tied_to is None and wager.kind == "phases":
        state.coming_down = excess_odds(state, bet)
        state.expect = ["BetTakenDown"] * len(state.coming_down)
    return [state.return_part(bet, amount, commission)]


def _check_take_down(state: State, bet: Bet, wager: Wager) -> None:
    why = take_down_refused(wager, bet, state.point)
    if why is not None:
        rule = cite_clauses(wager.take_down.clauses) if wager.take_down else detail("no-take-down")
        raise CheckFailed("taken-down", bet=bet.id, wager=wager.id, player=bet.player, reason=why, rule=rule)


def _check_with_parent(state: State, event: Body) -> None:
    """Check that odds which their bet no longer allows come down with it."""
    given = event["bet"], event["amount"], event.get("tied_to")
    right = state.coming_down.pop(0) if state.coming_down else None
    ensure(given == right, "down-with-it", given=given, right=right)


def excess_odds(state: State, parent: Bet) -> list[tuple[int, int, int]]:
    """Return the odds that the rest of a bet no longer allows: each with how much of it, or all that would be too low.

    They come down with the bet behind which they were placed.
    """
    found = []
    own = [bet for bet in state.bets.values() if bet.player == parent.player]
    for odds in sorted(own, key=lambda one: one.id):
        wager = state.book.every[odds.wager]
        if wager.tied is None or wager.tied.parent != parent.wager:
            continue
        stands = sum(bet.amount for bet in own if bet.wager == odds.wager)
        over = min(odds.amount, stands - most_odds(state.book, state.point, own, parent.player, wager))
        if over > 0:
            least = state.limit(wager)[0]
            found.append((odds.id, odds.amount if odds.amount - over < least else over, parent.id))
    return found


def bets_called(state: State, event: Body, who: Actor) -> Moves:
    ensure(betting_open(state), "called-closed", "late")
    check_countdown(state, "called-late")
    ensure(not state.power_failed, "called-power")
    by, how = None if who.role in PLAYERS else who.name, event["how"]
    ensure(event["by"] == by, "other-caller", "role", by=event["by"], who=who.name, role=who.role)
    ensure(event["bets"] and how in CALLED, "called-how", how=how)
    called = detail(CALLED[how])
    for number in event["bets"]:
        bet = state.bets.get(number)
        if bet is None or bet.player != event["player"]:
            raise CheckFailed("player-no-bet", player=event["player"], number=number)
        ensure(state.book.every[bet.wager].calls, "cannot-be-called", number=number, how=called, wager=bet.wager)
        ensure(bet.called != how, "called-before", number=number, how=called)
        note_change(state, bet)
        bet.called = how
    return []


def note_change(state: State, bet: Bet) -> None:
    """Note that a bet which took part in the last roll is not as it was: that roll cannot be settled again."""
    if state.before is not None and bet.id in state.before.bets:
        state.before.changed = state.before.changed or f"{bet.player}'s {bet.wager}"


def bets_confirmed(state: State, event: Body, _who: Actor) -> Moves:
    ensure(event["bets"], "none-confirmed")
    for number in event["bets"]:
        ensure(number in state.bets, "no-bet", bet=number)
        ensure(not state.bets[number].confirmed, "confirmed-before", "order", number=number)
        state.bets[number].confirmed = True
    return []


def wager_found(state: State, event: Body, who: Actor) -> Moves:
    number, player, name, amount, late = (event[key] for key in ("bet", "player", "wager", "amount", "late"))
    ensure(number == state.next_bet, "next-bet", next_bet=state.next_bet, number=number)
    ensure("pay winners" not in state.round.acts, "found-late")
    ensure(amount > 0, "no-stake")
    least, most = state.limit(_offered(state, name))
    if late:
        ensure(not betting_open(state), "not-late")
        rule = "late-wager"
    else:
        stake = amount + _own_stake(state, player, name)
        rule = "under-minimum" if stake < least else "over-maximum"
        ensure(not least <= stake <= most, "within-limits")
    ensure(rule in state.book.irregularities, "no-clause-for", rule=rule)
    kind = event.get("kind", "cash")
    ensure(kind != "colour" or state.is_whole_chips(player, amount), "no-colour-chips-for-it", player=player)
    if "consent" in event:  # missing in older records
        check_patron(state, player)
        check_consent(state, event, who)
    state.put(Bet(number, player, name, amount, kind, confirmed=True, found=True, late=late))
    return [transfer(state.chips(player, kind), state.escrow, amount)]
