"""Settle bets by the dice: the losers first, then the winners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

from msgspec.structs import replace

from pitbook.dice import Roll
from pitbook.engine.progress import advance
from pitbook.engine.settle import settle
from pitbook.engine.standing import returned
from pitbook.ledger.transfers import Leg, Transfer, move
from pitbook.money import Cents
from pitbook.rulebooks.wagers import RETURN_ROW
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.limits import honoured, is_under_minimum, shares_limits
from pitbook.table.state import paytable_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pitbook.engine.settle import Settlement
    from pitbook.ledger.accounts import Account
    from pitbook.table.decide.draft import Draft
    from pitbook.table.state import Bet, Table


RULED = "ruled"
"""In place of the row and the odds of a wager that was paid by a decision."""


class _Rounded(TypedDict, total=False):
    exact: str
    favour: Literal["player", "house"]


def rows_reached(table: Table) -> Mapping[str, str]:
    """Return the row that each area reached on this round's dice, without areas that are not decided yet."""
    if table.craps:
        return table.round.ended
    return advance(table.rules, table.progress, Roll.of(*table.round.entered)).ended


def line_of(table: Table, bet: Bet, row: str) -> e.Line:
    """Return the outcome of a bet on a row: its clauses, and those on what was not honoured."""
    rules = table.rules
    wager = rules.wagers[bet.wager]
    stake = honoured(table, bet)
    clauses = _clauses_against(table, bet, stake)
    if not stake:
        return e.Line(bet.id, bet.player, bet.wager, bet.kind, bet.amount, 0, None, "returned", 0, clauses=clauses)
    paytable = paytable_of(table, bet.wager)
    if row == RETURN_ROW:
        settled = returned(rules, wager, Cents(stake), paytable)
    else:
        settled = settle(rules, wager, Cents(stake), row, paytable)
    envy = settled.envy if bet.kind in c.OWN else 0
    return e.Line(
        bet=bet.id,
        player=bet.player,
        wager=bet.wager,
        kind=bet.kind,
        stake=bet.amount,
        honoured=stake,
        row=row,
        pays=rules.printed(settled.odds),
        net=settled.net,
        envy=envy,
        capped=settled.capped,
        clauses=(*settled.clauses, *clauses),
        stays=bet.id in table.round.staying,
        commission=bet.commission,
        **rounded(settled),
    )


def rounded(settled: Settlement) -> _Rounded:
    """Return the fields of a line on the rounding of its net; none where it was exact."""
    if settled.exact is None:
        return {}
    return {"exact": str(settled.exact), "favour": "player" if settled.net > settled.exact else "house"}


def _clauses_against(table: Table, bet: Bet, stake: int) -> tuple[str, ...]:
    """Return the clauses on a stake outside the limits, or late, or not confirmed."""
    irregularities = table.rules.irregularities
    if bet.late:
        name = "late-wager"
    elif is_under_minimum(table, bet):
        name = "under-minimum"
    elif stake < bet.amount:
        name = "over-maximum"
    else:
        return ()
    return tuple(irregularities[name].clause) if name in irregularities else ()


def settlement(table: Table) -> tuple[list[e.Line], list[e.Line]]:
    """Return the lines to collect, and the lines to pay or return, in the order of the layout."""
    order = {area: place for place, area in enumerate(_areas(table))}
    by_area, by_bet = rows_reached(table), table.round.decided
    reached = ((bet, by_bet.get(bet.id) or by_area.get(bet.wager)) for bet in table.bets.values())
    ended = [(bet, row) for bet, row in reached if row is not None]
    ended.sort(key=lambda one: (order[one[0].wager], one[0].id))
    lines = _capped_together(table, [line_of(table, bet, row) for bet, row in ended])
    return [line for line in lines if line.net < 0], [line for line in lines if line.net >= 0]


def _capped_together(table: Table, lines: list[e.Line]) -> list[e.Line]:
    """Return the lines with the payoff cap applied to each player's lines together if tips share the limits."""
    if not shares_limits(table.rules):
        return lines
    paid: dict[tuple[str, str], int] = {}
    found = []
    for line in lines:
        wager = table.rules.wagers[line.wager]
        if line.net > 0 and wager.limits and wager.limits.payoff_max:
            before = paid.get((line.player, line.wager), 0)
            over = max(0, before + line.net - table.rules.cents(wager.limits.payoff_max))
            if over:
                clauses = tuple(dict.fromkeys((*line.clauses, *wager.limits.clause)))
                line = replace(line, net=line.net - over, capped=line.capped + over, clauses=clauses)
            paid[line.player, line.wager] = before + line.net
        found.append(line)
    return found


def _areas(table: Table) -> list[str]:
    return [area for block in table.rules.layout.blocks for row in block.rows for area in row]


def collect(draft: Draft) -> None:
    """Collect every losing wager."""
    losing, _ = settlement(draft.table)
    draft.emit(e.LosersCollected(tuple(losing)), *(transfer for line in losing for transfer in moves(draft, line)))


def pay(draft: Draft) -> None:
    """Pay every winning wager, and return what pushed or was not honoured.

    A wager that a ruling has made a losing one, or that was found, since the losers were collected, is collected first.
    """
    losing, winning = settlement(draft.table)
    if losing:
        collect(draft)
    draft.emit(e.WinnersPaid(tuple(winning)), *(transfer for line in winning for transfer in moves(draft, line)))


def moves(draft: Draft, line: e.Line) -> list[Transfer]:
    """Return the transfers of one line: the stake out of escrow, and the win or loss between float and owner."""
    why = f"{line.wager} {line.row or 'returned'}"
    owner = draft.owner(line.player, line.kind)
    given_back = line.stake - line.honoured
    found = []
    if line.net < 0:
        if given_back:  # what stays on the layout: whole colour chips, and the rest in cash chips
            legs = {draft.escrow: -given_back, **draft.shares(line.player, line.kind, given_back)}
            found.append(_transfer(f"{why}: given back", legs.items()))
        found.append(move(f"{why}: collected", draft.escrow, draft.float, line.honoured + line.commission))
        return found
    if given_back:
        found.append(move(f"{why}: given back", draft.escrow, owner, given_back))
    tip = line.kind not in c.OWN
    winnings = {draft.dealers: line.net} if tip else draft.shares(line.player, line.kind, line.net)
    paid: dict[Account, int] = {}
    stake, commission = (0, 0) if line.stays else (line.honoured, line.commission)
    for account, amount in (
        (draft.escrow, -stake - commission),
        (owner, stake),
        (draft.player(line.player), commission),
        (draft.float, -line.net - line.envy),
        *winnings.items(),
        (draft.dealers, line.envy),
    ):
        paid[account] = paid.get(account, 0) + amount
    if any(paid.values()):
        found.append(_transfer(f"{why}: paid", paid.items()))
    return found


def _transfer(why: str, legs: Iterable[tuple[Account, int]]) -> Transfer:
    """Return a transfer of the legs that move something."""
    return Transfer(why, tuple(Leg(account, amount) for account, amount in legs if amount))
