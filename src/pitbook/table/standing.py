"""Bets with their own state at a table: what a roll does to them, and what their players may do with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from pitbook.dice import Roll
from pitbook.engine import standing as on_layout
from pitbook.engine.progress import advance
from pitbook.engine.settle import settle
from pitbook.money import Cents
from pitbook.rulebooks.wagers import LOSE_ROW, RETURN_ROW
from pitbook.table.commands import OWN
from pitbook.table.events import BetRolled
from pitbook.table.limits import limit_of
from pitbook.table.state import paytable_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pitbook.engine.standing import Standing
    from pitbook.engine.windows import Closed
    from pitbook.rulebooks.wagers import Wager
    from pitbook.table.state import Bet, Table


def standing_of(table: Table, bet: Bet) -> Standing:
    """Return a bet of a craps table as the engine sees it."""
    rules, progress = table.rules, table.progress
    wager, paytable = rules.wagers[bet.wager], paytable_of(table, bet.wager)
    if not wager.own_state:
        return on_layout.new_standing(progress, wager, Cents(bet.amount), paytable)
    return on_layout.standing_on(rules, progress.hand, wager, Cents(bet.amount), bet.point, bet.called, paytable)


def area_of(table: Table, bet: Bet) -> str:
    """Return the area on which a bet lies: once it has travelled, the one behind it on its number, if there is one."""
    if bet.point is None:
        return bet.wager
    tied = ((name, getattr(wager.spec, "parent", None)) for name, wager in table.rules.wagers.items())
    behind = (name for name, parent in tied if parent and (parent.wager, parent.point) == (bet.wager, bet.point))
    return next(behind, bet.wager)


def bets_won(table: Table) -> list[Bet]:
    """Return the bets with their own state that the last roll has won, by number."""
    decided = ((table.bets[number], row) for number, row in sorted(table.round.decided.items()))
    return [bet for bet, row in decided if row != RETURN_ROW and pays_row(table, bet.wager, row)]


def pays_row(table: Table, wager: str, row: str) -> bool:
    """Return whether a row of a wager wins by the pay table in use."""
    return table.rules.wagers[wager].pays[paytable_of(table, wager)][row].wins


def own_bets(table: Table, player: str) -> list[Bet]:
    """Return a player's own bets with their own state, in order, without tips for the dealers."""
    wagers = table.rules.wagers
    return [bet for bet in table.bets.of(player) if bet.kind in OWN and wagers[bet.wager].own_state]


def standings(table: Table, bets: Iterable[Bet]) -> list[Standing]:
    """Return bets as the engine sees them."""
    return [standing_of(table, bet) for bet in bets]


def rolled(table: Table, dice: Sequence[int]) -> tuple[BetRolled, ...]:
    """Return what a roll does to the bets with their own state, by number.

    Odds are behind their player's own bets, so that each player's bets are rolled separately.
    """
    roll, wagers = Roll.of(*dice), table.rules.wagers
    after = advance(table.rules, table.progress, roll).progress
    together: dict[tuple[str, bool], list[Bet]] = {}
    for bet in table.bets.values():
        if wagers[bet.wager].own_state:
            together.setdefault((bet.player, bet.kind in OWN), []).append(bet)
    found = []
    for bets in together.values():
        results = on_layout.roll_bets(table.rules, after, standings(table, bets), roll)
        for bet, result in zip(bets, results, strict=True):
            point = result.after.hand.point if result.after else None
            travelled = None if point == bet.point else point
            row = result.settlement.row if result.settlement else None
            if row is not None or travelled is not None:
                stays = row is not None and result.after is not None
                found.append(BetRolled(bet.id, row, stays, travelled))
    return tuple(sorted(found, key=lambda one: one.bet))


class BetForecast(NamedTuple):
    """The effect of a throw on a bet."""

    bet: int
    result: Literal["win", "lose", "push", "returned", "travels"]
    net: int
    point: int | None = None


def forecast_bets(table: Table, player: str, roll: Roll) -> list[BetForecast]:
    """Return what a throw would do to a player's own bets; bets that it does nothing to are left out."""
    rules = table.rules
    step = advance(rules, table.progress, roll)
    found = []
    own = own_bets(table, player)
    results = on_layout.roll_bets(rules, step.progress, standings(table, own), roll)
    for bet, result in zip(own, results, strict=True):
        if result.settlement is not None:
            how = "returned" if result.settlement.row == RETURN_ROW else result.settlement.result
            found.append(BetForecast(bet.id, how, result.settlement.net))  # type: ignore[arg-type]
        elif result.after is not None and result.after.hand.point != bet.point:
            found.append(BetForecast(bet.id, "travels", 0, result.after.hand.point))
    for bet in table.bets.of(player):
        if bet.kind in OWN and not rules.wagers[bet.wager].own_state and bet.wager in step.ended:
            paytable = paytable_of(table, bet.wager)
            ended = settle(rules, rules.wagers[bet.wager], Cents(bet.amount), step.ended[bet.wager], paytable)
            found.append(BetForecast(bet.id, ended.result, ended.net))  # type: ignore[arg-type]
    return sorted(found)


def commission_on(table: Table, wager: Wager, stake: int) -> int:
    """Return what is paid with a stake as commission, where the book charges it with the bet."""
    if wager.commission is None or wager.commission.charged != "when bet" or not stake:
        return 0
    lost = settle(table.rules, wager, Cents(stake), LOSE_ROW, paytable_of(table, wager.id))
    return -lost.net - stake


def take_down_refused(table: Table, bet: Bet) -> Closed | None:
    """Return why a bet cannot be taken down or reduced now; None if it can."""
    wager = table.rules.wagers[bet.wager]
    if wager.take_down is None and not bet.running:
        return None
    return on_layout.take_down_refused(table.rules, table.progress, standing_of(table, bet))


class Odds(NamedTuple):
    """The odds that may be placed behind a bet."""

    wager: str
    standing: int
    """The amount already placed."""
    room: int
    """The amount that may still be added."""


def odds_of(table: Table, bet: Bet) -> Odds | None:
    """Return the odds that may be taken or laid behind a bet now; None where it can have none."""
    rules = table.rules
    for wager in rules.wagers.values():
        parent = getattr(wager.spec, "parent", None)
        if parent is None or parent.wager != bet.wager or parent.point not in (None, bet.point):
            continue
        if (table.point if parent.point is None else bet.point) is None:
            continue
        own = own_bets(table, bet.player)
        lies = sum(one.amount for one in own if one.wager == wager.id)
        room = on_layout.most_stake(table.progress, standings(table, own), wager)
        return Odds(wager.id, lies, min(room, max(0, limit_of(table, wager.id).stake_max - lies)))
    return None


def excess_odds(table: Table, player: str) -> list[tuple[Bet, int]]:
    """Return the tied bets of a player that exceed what their parents allow, with the excess."""
    own = own_bets(table, player)
    seen, found = standings(table, own), []
    for bet in own:
        wager = table.rules.wagers[bet.wager]
        over = on_layout.excess(table.progress, seen, wager) if wager.tied else 0
        if over:
            found.append((bet, min(over, bet.amount)))
    return found


def is_working(table: Table, bet: Bet) -> bool:
    """Return whether the next roll can decide a bet: it is not off, by its rule or because it was called off."""
    if bet.called == "off":
        return False
    wager = table.rules.wagers[bet.wager]
    if not wager.own_state:
        return True
    spec = on_layout.spec_of(table.rules, standing_of(table, bet))
    point = bet.point if getattr(spec, "own_point", False) else table.point
    return spec.rows_on(point) is not None  # type: ignore[union-attr]
