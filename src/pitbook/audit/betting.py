"""Bets: placed, taken down, confirmed, found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.audit.errors import CheckFailed, cite_clauses, ensure
from pitbook.audit.inspections import check_ready
from pitbook.audit.patrons import check_behalf, check_consent, check_patron
from pitbook.audit.phases import most_odds, odds_refused, take_down_refused
from pitbook.audit.procedure import betting_open, check_countdown
from pitbook.audit.roles import PLAYERS
from pitbook.audit.settling import held_commission
from pitbook.audit.side_bets import window_closed
from pitbook.audit.state import OWN, Bet, transfer

if TYPE_CHECKING:
    from pitbook.audit.state import Body, Moves, State, Who
    from pitbook.audit.wagers import Wager


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
    _check_taking_bets(state, player)
    taken: dict[str, int] = {}
    for bet in bets:
        ensure("player" not in bet, "one of the bets names a player of its own")
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


def bet_placed(state: State, event: Body, who: Who) -> Moves:
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
    ensure(betting_open(state), "a bet is made while betting is closed", "late")
    check_countdown(state, "a bet is made")
    ensure(not state.power_failed, "a bet is made while the power has failed")
    ceased = state.round.ceasing or any(state.failed.values())
    ensure(not ceased, "a bet is made after the failure of equipment for which play ceases")
    check_patron(state, player)
    check_ready(state)


def _placed(state: State, player: str, event: Body) -> None:
    name, amount = event["wager"], event["amount"]
    ensure(amount > 0, "a stake of nothing")
    wager = _offered(state, name)
    closed = window_closed(state.point, state.areas, wager)
    if closed:
        raise CheckFailed(f"{name} cannot be made now: {closed}")
    _check_kind(state, player, event, wager)
    _check_confirmed(state, event, wager)
    total = (_put_standing if wager.kind == "phases" else _put)(state, player, event, wager)
    least, most = state.limit(wager)
    if not least <= total <= most:
        raise CheckFailed(f"{total} on {name} is outside the limits of {least} to {most}")


def _put(state: State, player: str, event: Body, wager: Wager) -> int:
    """Add a stake to the layout; return what counts toward the limits of its wager."""
    number, amount, kind = event["bet"], event["amount"], event["kind"]
    if event.get("commission"):
        raise CheckFailed(f"bet {number} pays a commission, and {wager.id} has none")
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
        raise CheckFailed(f"a roll has been made on bet {number}")
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
        raise CheckFailed(f"{wager.id} cannot be made now: {why} ({cite_clauses(tied)})")
    bet = state.bets.get(number)
    if bet is None:
        _check_number(state, number)
        other = next((b for b in own if b.kind == kind and b.point is None and not b.found), None)
        ensure(other is None, f"{player} has bet {other.id if other else ''} on {wager.id}, which is not raised")
        bet = Bet(number, player, wager.id, 0, kind, event["confirmed"])
        state.put(bet)
    _check_same(bet, player, event)
    ensure(bet.point is None, f"bet {number} has travelled to {bet.point}, and is raised")
    commission = held_commission(state, wager.id, bet.amount + amount) - bet.commission
    given = event.get("commission", 0)
    ensure(given == commission, f"the commission paid with bet {number} is {given}, and must be {commission}")
    state.add_to(bet, amount, commission)
    bet.confirmed = event["confirmed"]
    return bet.amount


def _check_number(state: State, number: int) -> None:
    if number != state.next_bet:
        raise CheckFailed(f"the next bet is number {state.next_bet}, not {number}")


def _check_same(bet: Bet, player: str, event: Body) -> None:
    if (bet.player, bet.wager, bet.kind) != (player, event["wager"], event["kind"]):
        raise CheckFailed(f"bet {bet.id} is another bet")
    if bet.found:
        raise CheckFailed(f"bet {bet.id} was found on the layout, and cannot be raised")


def _check_kind(state: State, player: str, event: Body, wager: Wager) -> None:
    kind = event["kind"]
    if kind == "colour":
        ensure(state.makes(player, event["amount"]), f"{player} has no colour chips for that")
    elif kind != "cash":
        ensure(wager.book in state.book.tipping, "this book takes no tips")
        if kind == "tip on top":
            lies = any(bet.kind in OWN for bet in state.on(player, event["wager"]))
            ensure(lies, "there is no bet beneath the tip")


def _check_confirmed(state: State, event: Body, wager: Wager) -> None:
    if not event["confirmed"] or state.automatic:
        return
    ensure(wager.book not in state.book.repeats_aloud, "a bet counts as confirmed without having been repeated aloud")


def bet_taken_down(state: State, event: Body, _who: Who) -> Moves:
    bet = state.bets.get(event["bet"])
    amount, tied_to = event["amount"], event.get("tied_to")
    if bet is None:
        raise CheckFailed(f"there is no bet {event['bet']}")
    wager = state.book.every[bet.wager]
    ensure(betting_open(state), "a bet is taken down while betting is closed", "late")
    check_countdown(state, "a bet is taken down")
    ensure(not state.power_failed, "a bet is taken down while the power has failed")
    if tied_to is not None or state.coming_down:
        _check_with_parent(state, event)
    elif bet.running or wager.take_down is not None:
        _check_take_down(state, bet, wager)
    ensure(bet.kind != "tip in the area", "a tip in the area is the dealers'")
    ensure(0 < amount <= bet.amount, f"{amount} is taken off a bet of {bet.amount}")
    whole = bet.kind != "colour" or state.makes(bet.player, amount)
    ensure(whole, f"{amount} is not a whole number of {bet.player}'s colour chips")
    commission = bet.commission - held_commission(state, bet.wager, bet.amount - amount)
    given = event.get("commission", 0)
    ensure(given == commission, f"{given} of the commission of bet {bet.id} goes back, and must be {commission}")
    if amount > bet.since_roll:
        note_change(state, bet)
    if amount == bet.amount:
        state.take(bet.id)
    else:
        state.add_to(bet, -amount, -commission)
        least = state.limit(wager)[0]
        ensure(wager.kind != "phases" or bet.amount >= least, f"{bet.amount} is left of bet {bet.id}, under {least}")
    if tied_to is None and wager.kind == "phases":
        state.coming_down = excess_odds(state, bet)
        state.expect = ["BetTakenDown"] * len(state.coming_down)
    return [state.part_back(bet, amount, commission)]


def _check_take_down(state: State, bet: Bet, wager: Wager) -> None:
    why = take_down_refused(wager, bet, state.point)
    if why is not None:
        rule = cite_clauses(wager.take_down.clauses) if wager.take_down else "it has no rule that lets it be removed"
        raise CheckFailed(f"bet {bet.id} ({wager.id}, {bet.player}) is taken down: {why} ({rule})")


def _check_with_parent(state: State, event: Body) -> None:
    """Check that odds which their bet no longer allows come down with it."""
    given = event["bet"], event["amount"], event.get("tied_to")
    right = state.coming_down.pop(0) if state.coming_down else None
    ensure(given == right, f"(bet, amount, bet that it stands behind) {given} comes down, and must be {right}")


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


def bets_called(state: State, event: Body, who: Who) -> Moves:
    ensure(betting_open(state), "bets are called on or off while betting is closed", "late")
    check_countdown(state, "a bet is called on or off")
    ensure(not state.power_failed, "bets are called on or off while the power has failed")
    by, how = None if who.role in PLAYERS else who.name, event["how"]
    ensure(event["by"] == by, f"it says that {event['by']} called, and {who.name} ({who.role}) did", "role")
    ensure(event["bets"] and how in ("on", "off", None), f"no bet is called, or one is called {how!r}")
    for number in event["bets"]:
        bet = state.bets.get(number)
        if bet is None or bet.player != event["player"]:
            raise CheckFailed(f"{event['player']} has no bet {number}")
        ensure(state.book.every[bet.wager].calls, f"bet {number} is called {how}, and {bet.wager} cannot be")
        ensure(bet.called != how, f"bet {number} is called {how}, and was before")
        note_change(state, bet)
        bet.called = how
    return []


def note_change(state: State, bet: Bet) -> None:
    """Note that a bet which took part in the last roll is not as it was: that roll cannot be settled again."""
    if state.before is not None and bet.id in state.before.bets:
        state.before.changed = state.before.changed or f"{bet.player}'s {bet.wager}"


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
