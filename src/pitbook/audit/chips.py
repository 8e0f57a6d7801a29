"""Chips bought and cashed, and the purses of colour chips that the rules allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.audit.errors import CheckFailed, ensure
from pitbook.audit.patrons import check_consent, check_patron
from pitbook.audit.roles import PLAYERS
from pitbook.audit.state import Purse, transfer

if TYPE_CHECKING:
    from pitbook.audit.state import Body, Moves, State, Who


def bought_in(state: State, event: Body, who: Who) -> Moves:
    player, amount, value = event["player"], event["amount"], event.get("colour_value")
    ensure(amount > 0, "chips are bought for nothing")
    check_patron(state, player)
    check_consent(state, event, who)
    state.add_to_books(drop=amount)
    account = state.player(player)
    if value is not None and "colour" not in event:  # records of 2026 before there were purses
        ensure(amount % value == 0, "the value of the colour chips does not divide the amount")
        state.colours[player] = value
    elif value is not None:
        _check_purchase(state, event, who)
        for other, purse in list(state.purses.items()):
            if purse.colour == event["colour"]:
                del state.purses[other]
        state.purses[player] = Purse(event["colour"], value)
        account = state.purse(player)
    return [transfer(state.cage, state.drop, amount), transfer(state.float, account, amount)]


def _check_purchase(state: State, event: Body, who: Who) -> None:
    """Check the player's own value, kept while chips are out, their own colour, and a marker confirmed by staff."""
    player, amount, value, colour = event["player"], event["amount"], event["colour_value"], event["colour"]
    ensure("colour-chips" in state.book.equipment, "this book has no colour chips")
    ensure(isinstance(colour, str) and colour, f"the colour of {player}'s colour chips is not on record")
    ensure(value > 0 and amount % value == 0, "the value of the colour chips does not divide the amount")
    for other, purse in state.purses.items():
        out = state.chips_out(other)
        if other == player:
            ensure(not out or purse == Purse(colour, value), f"{player} has {purse.colour} chips of {purse.value} out")
        else:
            ensure(not out or purse.colour != colour, f"{other} has the {colour} chips at this table")
    least = min(state.limit(state.book.every[name])[0] for name in state.book.offered)
    ensure(value <= least or event["marker"], f"no marker shows that a chip is worth {value}, over the minimum {least}")
    ensure(not event["marker"] or who.role not in PLAYERS, "a player confirms the marker of their own colour chips")


def cashed_out(state: State, event: Body, who: Who) -> Moves:
    player, amount, kind = event["player"], event["amount"], event.get("kind", "cash")
    ensure(amount > 0, "nothing is cashed")
    check_consent(state, event, who)
    if kind == "colour":
        purse = state.purses.get(player)
        if purse is None:
            raise CheckFailed(f"{player} has no colour chips at this table")
        ensure(event["colour"] == purse.colour, f"{player} redeems {event['colour']} chips, and has other ones")
        ensure(amount % purse.value == 0, f"{amount} is not a whole number of chips of {purse.value}")
    return [transfer(state.chips(player, kind), state.cage, amount)]  # chips are cashed at the cage


def close_purses(state: State) -> Moves:
    """Check that no colour chips are out when a table closes, except where nobody cashes for players."""
    out = {player: state.ledger.balance(state.purse(player)) for player in state.purses}
    moves = [transfer(state.purse(player), state.player(player), held) for player, held in out.items() if held]
    ensure(state.automatic or not moves, "the table closes while colour chips are out")
    state.purses.clear()
    return moves
