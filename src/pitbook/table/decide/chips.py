"""Chips bought and cashed; a player's colour chips, which are valid only at their own table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.ledger.transfers import move
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.bet_placement import COLOUR, chips_of, has_bet
from pitbook.table.decide.rights import acting_for, check_consent
from pitbook.table.decide.suspension import check_excluded
from pitbook.table.limits import limit_of
from pitbook.table.people import PLAYER
from pitbook.table.refusals import Reason

if TYPE_CHECKING:
    from pitbook.ledger.transfers import Transfer
    from pitbook.table.decide.draft import Draft

COLOURS = (
    *("blue", "green", "yellow", "orange", "pink", "purple", "brown", "grey", "turquoise", "lavender"),
    *("red", "white", "black", "olive", "beige", "maroon", "navy", "lime", "peach", "mint"),
)
"""The colours that a table issues, in the order in which they are given out."""


def buy_in(draft: Draft, command: c.BuyIn) -> None:
    name = acting_for(draft, command.player)
    if command.amount <= 0:
        draft.refuse(Reason.BAD_AMOUNT, "chips.amount")
    check_excluded(draft)
    _check_cash(draft, name, command.amount)
    colour = _colour(draft, name, command)
    consent = check_consent(draft, name)
    event = e.BoughtIn(name, command.amount, command.colour_value, command.marker, colour, consent)
    account = draft.player(name) if colour is None else draft.purse(name, colour)
    draft.emit(
        event,
        move("cash for chips", draft.cage, draft.drop, command.amount),
        move("chips for cash", draft.float, account, command.amount),
    )


def _check_cash(draft: Draft, name: str, amount: int) -> None:
    """Check who moves cash: staff for real money; players take play money themselves, up to the table's amount."""
    run = draft.table.automatic
    if run is None or run.real_money:
        _check_hands(draft)
        return
    holds = draft.holds(draft.player(name)) + held_in_colour(draft, name)
    if holds + amount > run.play_stack:
        held, most = draft.money(holds), draft.money(run.play_stack)
        draft.refuse(Reason.OVER_MAXIMUM, "chips.play-money", held=held, most=most)


def _check_hands(draft: Draft) -> None:
    """Refuse a command from a player's own device: cash is handed over to staff, who send the command."""
    if draft.context.remote and draft.person.role in (PLAYER, "shooter"):
        draft.refuse(Reason.WRONG_ROLE, "chips.with-staff")


def _colour(draft: Draft, name: str, command: c.BuyIn) -> str | None:
    """Return the colour of the chips that are bought; None for cash chips."""
    value = command.colour_value
    if value is None:
        if command.colour is not None:
            draft.refuse(Reason.COLOUR_CHIPS, "chips.colour-value")
        return None
    chips = chips_of(draft).get(COLOUR)
    if chips is None:
        draft.refuse(Reason.COLOUR_CHIPS, "chips.no-colour-chips")
    if value <= 0 or command.amount % value:
        draft.refuse(Reason.COLOUR_CHIPS, "chips.colour-divides", chips.clause)
    own = draft.table.purses.get(name)
    if own is not None and _is_out(draft, name):
        if own.value != value:
            value_now = draft.money(own.value)
            draft.refuse(
                Reason.COLOUR_CHIPS, "chips.value-fixed", chips.clause, player=name, colour=own.colour, value=value_now
            )
        if command.colour not in (None, own.colour):
            draft.refuse(Reason.COLOUR_CHIPS, "chips.colour-fixed", reading=COLOUR, player=name, colour=own.colour)
    least = min(limit_of(draft.table, wager).stake_min for wager in draft.rules.wagers)
    if value > least and not command.marker:
        draft.refuse(Reason.COLOUR_CHIPS, "chips.marker", chips.clause)
    if command.marker and draft.person.role in (PLAYER, "shooter"):
        draft.refuse(Reason.COLOUR_CHIPS, "chips.marker-by-staff", chips.clause)
    return _default(draft, name) if command.colour is None else _free(draft, name, command.colour)


def _free(draft: Draft, name: str, colour: str) -> str:
    """Return a colour that was requested, if it is free."""
    if colour not in COLOURS:
        draft.refuse(Reason.COLOUR_CHIPS, "chips.unknown-colour", colour=colour, colours=COLOURS)
    if colour in _taken(draft, name):
        draft.refuse(Reason.COLOUR_CHIPS, "chips.colour-taken", reading=COLOUR, colour=colour)
    return colour


def _default(draft: Draft, name: str) -> str:
    """Return the colour that a player has already, else the first that is free."""
    own = draft.table.purses.get(name)
    if own is not None:
        return own.colour
    taken = _taken(draft, name)
    free = next((colour for colour in COLOURS if colour not in taken), None)
    if free is None:
        draft.refuse(Reason.COLOUR_CHIPS, "chips.colours-taken", reading=COLOUR)
    return free


def _taken(draft: Draft, name: str) -> set[str]:
    """Return the colours whose chips other players have out."""
    others = draft.table.purses.items()
    return {purse.colour for other, purse in others if other != name and _is_out(draft, other)}


def _is_out(draft: Draft, name: str) -> bool:
    """Return whether a player has colour chips, in the purse or on the layout.

    Chips that were collected in this round count: if it is void, the player gets them back.
    """
    table = draft.table
    taken = [bet for bet in table.round.taken.values() if bet.player == name]
    return held_in_colour(draft, name) > 0 or has_bet((*table.bets.of(name), *taken), ("colour",))


def held_in_colour(draft: Draft, name: str) -> int:
    """Return what a player holds in colour chips here, those on the layout not counted."""
    return draft.holds(draft.chips(name, "colour")) if name in draft.table.purses else 0


def cash_out(draft: Draft, command: c.CashOut) -> None:
    name = acting_for(draft, command.player)
    if command.amount <= 0:
        draft.refuse(Reason.BAD_AMOUNT, "chips.amount")
    if draft.table.automatic is None or draft.table.automatic.real_money:
        _check_hands(draft)
    own = draft.table.purses.get(name) if command.kind == "colour" else None
    if command.kind == "colour" and own is None:
        draft.refuse(Reason.COLOUR_CHIPS, "chips.no-own-colour", reading=COLOUR, player=name)
    account = draft.chips(name, command.kind)
    if draft.holds(account) < command.amount:
        held = draft.money(draft.holds(account))
        if own is not None:
            draft.refuse(Reason.NO_FUNDS, "chips.short-colour", player=name, held=held, colour=own.colour)
        draft.refuse(Reason.NO_FUNDS, "chips.short", player=name, held=held)
    if own is not None and command.amount % own.value:
        amount, value = draft.money(command.amount), draft.money(own.value)
        draft.refuse(Reason.COLOUR_CHIPS, "chips.whole", reading=COLOUR, amount=amount, value=value)
    consent = check_consent(draft, name)
    event = e.CashedOut(name, command.amount, command.kind, own.colour if own else None, consent)
    draft.emit(event, move("chips for cash", account, draft.cage, command.amount))


def redeem_at_close(draft: Draft) -> list[Transfer]:
    """Refuse to close a table while colour chips are out; at an automatic table change them into cash chips.

    Players of an automatic table are elsewhere, and nobody cashes for them.
    """
    out = {name: held for name in sorted(draft.table.purses) if (held := held_in_colour(draft, name))}
    if out and draft.table.automatic is None:
        draft.refuse(Reason.COLOUR_CHIPS, "chips.colour-out", reading=COLOUR, players=list(out))
    return [
        move("colour chips for cash chips", draft.chips(name, "colour"), draft.player(name), held)
        for name, held in out.items()
    ]
