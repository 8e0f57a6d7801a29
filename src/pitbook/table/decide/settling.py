"""From dice to money: how each bet is settled, the losers first, then the winners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.dice import Roll
from pitbook.engine.progress import advance
from pitbook.engine.settle import settle
from pitbook.ledger.transfers import Leg, Transfer, move
from pitbook.money import Cents
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.limits import honoured, is_under_minimum
from pitbook.table.state import paytable_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.table.decide.draft import Draft
    from pitbook.table.state import Bet, Table


def rows_reached(table: Table) -> Mapping[str, str]:
    """The row that each area reached on this round's dice; areas that go on are left out."""
    if table.craps:
        return table.round.ended
    return advance(table.rules, table.progress, Roll.of(*table.round.entered)).ended


def line_of(table: Table, bet: Bet, row: str) -> e.Line:
    """How a bet comes out on a row: its clauses, and those on what was not honoured."""
    rules = table.rules
    wager = rules.wagers[bet.wager]
    stake = honoured(table, bet)
    clauses = _why_not(table, bet, stake)
    if not stake:
        return e.Line(bet.id, bet.player, bet.wager, bet.kind, bet.amount, 0, None, "returned", 0, clauses=clauses)
    settled = settle(rules, wager, Cents(stake), row, paytable_of(table, bet.wager))
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
    )


def _why_not(table: Table, bet: Bet, stake: int) -> tuple[str, ...]:
    """The clauses on a stake outside the limits, or late, or not confirmed."""
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
    """The lines to collect, and the lines to pay or give back, in the order of the layout."""
    reached = rows_reached(table)
    order = {area: place for place, area in enumerate(_areas(table))}
    bets = sorted((bet for bet in table.bets.values() if bet.wager in reached), key=lambda b: (order[b.wager], b.id))
    lines = [line_of(table, bet, reached[bet.wager]) for bet in bets]
    return [line for line in lines if line.net < 0], [line for line in lines if line.net >= 0]


def _areas(table: Table) -> list[str]:
    return [area for block in table.rules.layout.blocks for row in block.rows for area in row]


def collect(draft: Draft) -> None:
    """Takes every losing wager."""
    losing, _ = settlement(draft.table)
    draft.emit(e.LosersCollected(tuple(losing)), *(transfer for line in losing for transfer in moves(draft, line)))


def pay(draft: Draft) -> None:
    """Pays every winning wager, and gives back what pushed or was not honoured.

    A wager that a ruling has made a losing one, or that was found, since the losers were collected, is collected first.
    """
    losing, winning = settlement(draft.table)
    if losing:
        collect(draft)
    draft.emit(e.WinnersPaid(tuple(winning)), *(transfer for line in winning for transfer in moves(draft, line)))


def moves(draft: Draft, line: e.Line) -> list[Transfer]:
    """The money of one line: the stake out of escrow, what is won or lost between float and owner."""
    player, why = draft.player(line.player), f"{line.wager} {line.row or 'returned'}"
    owner = draft.owner(line.player, line.kind)
    winner = draft.dealers if line.kind in ("tip in the area", "tip on top") else player
    given_back = line.stake - line.honoured
    found = []
    if given_back:
        found.append(move(f"{why}: given back", draft.escrow, owner, given_back))
    if line.net < 0:
        found.append(move(f"{why}: collected", draft.escrow, draft.float, line.honoured))
        return found
    legs: dict[str, int] = {}
    for account, amount in (
        (draft.escrow, -line.honoured),
        (owner, line.honoured),
        (draft.float, -line.net - line.envy),
        (winner, line.net),
        (draft.dealers, line.envy),
    ):
        legs[account] = legs.get(account, 0) + amount
    real = tuple(Leg(account, amount) for account, amount in legs.items() if amount)  # type: ignore[arg-type]
    if real:
        found.append(Transfer(f"{why}: paid", real))
    return found
