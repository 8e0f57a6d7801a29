"""Chips bought and cashed, and the purses of colour chips that the rules allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.audit.errors import CheckFailed, ensure
from pitbook.audit.patrons import check_consent, check_patron
from pitbook.audit.roles import PLAYERS
from pitbook.audit.state import Purse, transfer

if TYPE_CHECKING:
    from pitbook.audit.state import Actor, Body, Moves, State


def bought_in(state: State, event: Body, who: Actor) -> Moves:
    player, amount, value = event["player"], event["amount"], event.get("colour_value")
    ensure(amount > 0, "no-purchase")
    check_patron(state, player)
    check_consent(state, event, who)
    state.add_to_books(drop=amount)
    account = state.player(player)
    if value is not None and "colour" not in event:  # records of 2026 before there were purses
        ensure(amount % value == 0, "not-divided")
        state.colours[player] = value
    elif value is not None:
        _check_purchase(state, event, who)
        for other, purse in list(state.purses.items()):
            if purse.colour == event["colour"]:
                del state.purses[other]
        state.purses[player] = Purse(event["colour"], value)
        account = state.purse(player)
    return [transfer(state.cage, state.drop, amount), transfer(state.float, account, amount)]


def _check_purchase(state: State, event: Body, who: Actor) -> None:
    """Check the player's own value, kept while chips are out, their own colour, and a marker confirmed by staff."""
    player, amount, value, colour = event["player"], event["amount"], event["colour_value"], event["colour"]
    ensure("colour-chips" in state.book.equipment, "no-colour-chips")
    ensure(isinstance(colour, str) and colour, "colour-unknown", player=player)
    ensure(value > 0 and amount % value == 0, "not-divided")
    for other, purse in state.purses.items():
        out = state.chips_out(other)
        if other == player:
            ensure(
                not out or purse == Purse(colour, value),
                "colour-out",
                player=player,
                colour=purse.colour,
                value=purse.value,
            )
        else:
            ensure(not out or purse.colour != colour, "colour-taken", other=other, colour=colour)
    least = min(state.limit(state.book.every[name])[0] for name in state.book.offered)
    ensure(value <= least or event["marker"], "no-marker", value=value, least=least)
    ensure(not event["marker"] or who.role not in PLAYERS, "own-marker")


def cashed_out(state: State, event: Body, who: Actor) -> Moves:
    player, amount, kind = event["player"], event["amount"], event.get("kind", "cash")
    ensure(amount > 0, "nothing-cashed")
    check_consent(state, event, who)
    if kind == "colour":
        purse = state.purses.get(player)
        if purse is None:
            raise CheckFailed("player-no-colour-chips", player=player)
        ensure(event["colour"] == purse.colour, "other-colour", player=player, colour=event["colour"])
        ensure(amount % purse.value == 0, "not-whole", amount=amount, value=purse.value)
    return [transfer(state.chips(player, kind), state.cage, amount)]  # chips are cashed at the cage


def close_purses(state: State) -> Moves:
    """Check that no colour chips are out when a table closes, except where nobody cashes for players."""
    out = {player: state.ledger.balance(state.purse(player)) for player in state.purses}
    moves = [transfer(state.purse(player), state.player(player), held) for player, held in out.items() if held]
    ensure(state.automatic or not moves, "colour-chips-out")
    state.purses.clear()
    return moves
