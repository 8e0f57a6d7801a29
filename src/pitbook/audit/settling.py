"""The settlement of each wager: its row, odds, net, cap and envy, and the transfers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.audit.errors import CheckFailed, ensure
from pitbook.audit.odds import compute_gain, format_odds
from pitbook.audit.patterns import rows_reached
from pitbook.audit.phases import stays_on_layout
from pitbook.audit.state import OWN, paytable, transfer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.audit.books import Book
    from pitbook.audit.odds import Odds
    from pitbook.audit.source import Legs
    from pitbook.audit.state import Bet, Body, Moves, State
    from pitbook.audit.wagers import Wager

LATER = ("exact", "favour", "stays", "commission")
"""Fields of a line that are missing in older records."""
FIELDS = ("player", "wager", "kind", "stake", "honoured", "row", "pays", "net", "envy", "capped")


EXACT: Body = {"exact": None, "favour": None}
"""The fields of a line that was not rounded."""


def _areas_reached(state: State) -> Mapping[str, str]:
    """Return the row that each area has reached in this round, without those that continue."""
    return state.round.ended if state.book.craps else rows_reached(state.book, state.round.entered)


def row_of(state: State, bet: Bet) -> str | None:
    """Return the row that a bet has reached in this round, or None if it continues."""
    if state.book.every[bet.wager].kind == "phases":
        return state.round.decided.get(bet.id)
    return _areas_reached(state).get(bet.wager)


def lit(state: State) -> set[str]:
    """Return the areas that have won; of bets with their own state, those on which a winning bet lies."""
    won = {name for name, row in _areas_reached(state).items() if odds_of(state.book, state.setup, name, row).gain > 0}
    return won | {_area_of(state, state.bets[number]) for number in state.round.decided if _has_won(state, number)}


def _has_won(state: State, number: int) -> bool:
    return odds_of(state.book, state.setup, state.bets[number].wager, state.round.decided[number]).gain > 0


def _area_of(state: State, bet: Bet) -> str:
    """Return the area of a bet; one that has travelled lies where the odds behind it would, if it can have any."""
    for name, wager in state.book.every.items():
        if bet.point is not None and wager.tied and (wager.tied.parent, wager.tied.point) == (bet.wager, bet.point):
            return name
    return bet.wager


def odds_of(book: Book, setup: Body, wager: str, row: str) -> Odds:
    """Return the odds of a row by the pay table in use."""
    return book.every[wager].pays[paytable(setup, book.every[wager])][row]


def lost(state: State, bet: Bet) -> bool | None:
    """Return whether a bet that a roll has ended is lost; None if it continues."""
    row = row_of(state, bet)
    return None if row is None else odds_of(state.book, state.setup, bet.wager, row).gain < 0


def honoured(state: State, bet: Bet) -> int:
    """Return the part of a stake that is settled.

    All of a bet that was made by the rules. Of one that was found on the layout: nothing if late; of what is over the
    maximum the part below it; under the minimum all of it, in the first round in which that player does so. A ruling
    that moves a wager does not lift the maximum of the area where it then is.
    """
    if bet.late or not bet.confirmed:
        return 0
    if not bet.found and bet.id not in state.round.moved:
        return bet.amount
    if is_low(state, bet, over=False):
        return 0 if bet.player in state.low else bet.amount
    _, most = state.limit(state.book.every[bet.wager])
    return min(bet.amount, max(0, most - _stake_before(state, bet, over=False)))


def _stake_before(state: State, bet: Bet, *, over: bool) -> int:
    """Return what the player had on the wager before this bet.

    Settled bets count before those on the layout, and wagers that were moved there after those that were placed there.
    A bet that is settled itself counts among the settled ones.
    """
    now = state.round
    mine = (not over, bet.id in now.moved, bet.id)
    places = [((False, one.id in now.moved, one.id), one) for one in now.lay.values() if one.id != bet.id]
    places += [((True, one.id in now.moved, one.id), one) for one in state.on(bet.player, bet.wager)]
    return sum(
        one.amount
        for place, one in places
        if place < mine and (one.player, one.wager) == (bet.player, bet.wager) and one.kind in OWN
        if not one.running and not one.late
    )  # fmt: skip


def is_low(state: State, bet: Bet, *, over: bool) -> bool:
    """Return whether a bet that was found on the layout is under the minimum."""
    least, _ = state.limit(state.book.every[bet.wager])
    return bet.found and not bet.late and _stake_before(state, bet, over=over) + bet.amount < least


def expected_line(book: Book, setup: Body, bet: Bet, stake: int, row: str) -> Body:
    """Return how a bet must be settled."""
    line: Body = {"bet": bet.id, "player": bet.player, "wager": bet.wager, "kind": bet.kind, "stake": bet.amount}
    if not stake:
        nothing = {"honoured": 0, "row": None, "pays": "returned", "net": 0, "envy": 0, "capped": 0}
        return {**line, **nothing, **EXACT, "stays": False, "commission": 0}
    wager = book.every[bet.wager]
    odds = wager.pays[paytable(setup, wager)][row]
    net, capped, envy, rounding = compute_gain(stake, odds, at_least=book.at_least, unit=book.unit), 0, 0, EXACT
    if net != stake * odds.gain:
        rounding = {"exact": str(stake * odds.gain), "favour": "player" if book.at_least else "house"}
    if wager.payoff_max is not None and net > wager.payoff_max:
        net, capped, rounding = wager.payoff_max, net - wager.payoff_max, EXACT
    if odds.gain > 0 and bet.kind in OWN:
        envy = wager.envy * stake if wager.envy_by_stake else wager.envy
    words = format_odds(odds, book.wordings)
    return {
        **line, "honoured": stake, "row": row, "pays": words, "net": net, "envy": envy, "capped": capped,
        **rounding, "stays": stays_on_layout(wager, odds), "commission": bet.commission,
    }  # fmt: skip


def settlement(state: State) -> tuple[dict[int, Body], dict[int, Body]]:
    """Return the lines to collect, and those to pay or return, by bet."""
    rows, decided = _areas_reached(state), state.round.decided
    losing: dict[int, Body] = {}
    winning: dict[int, Body] = {}
    paid: dict[tuple[str, str], int] = {}
    for bet in sorted(state.bets.values(), key=lambda one: one.id):
        row = decided.get(bet.id) or rows.get(bet.wager)
        if row is not None:
            line = expected_line(state.book, state.setup, bet, honoured(state, bet), row)
            wager = state.book.every[bet.wager]
            if wager.book in state.book.tips_together:
                _share_cap(wager, line, paid)
            (losing if line["net"] < 0 else winning)[bet.id] = line
    return losing, winning


def _share_cap(wager: Wager, line: Body, paid: dict[tuple[str, str], int]) -> None:
    """Count what was paid on the player's earlier bets toward a cap that tips share."""
    if line["net"] <= 0 or wager.payoff_max is None:
        return
    key = line["player"], line["wager"]
    over = max(0, paid.get(key, 0) + line["net"] - wager.payoff_max)
    line["net"], line["capped"] = line["net"] - over, line["capped"] + over
    paid[key] = paid.get(key, 0) + line["net"]


def check_lines(given: list[Body], right: Mapping[int, Body], clauses: frozenset[str]) -> None:
    """Check that the lines are the right ones, each for a different bet."""
    seen = set()
    for line in given:
        number = line["bet"]
        ensure(number not in seen, "settled-twice", "settlement", number=number)
        seen.add(number)
        if number not in right:
            raise CheckFailed(
                "settled-wrongly", about="settlement", number=number, wager=line["wager"], player=line["player"]
            )
        check_line(line, right[number])
        cited = line["clauses"]
        ensure(set(cited) <= clauses, "unknown-clauses", "settlement", number=number, clauses=cited)
    for number, line in right.items():
        ensure(number in seen, "not-settled", "settlement", number=number, wager=line["wager"], player=line["player"])


def check_order(book: Book, lines: list[Body]) -> None:
    """Check that lines are in the order of the layout, and by number on one area; older records have no order."""
    places = [(book.layout[line["wager"]], line["bet"]) for line in lines if "stays" in line]
    for place, line in enumerate(lines[1:], 1):
        if places and places[place - 1] > places[place]:
            named = {"bet": line["bet"], "wager": line["wager"], "other": lines[place - 1]["wager"]}
            raise CheckFailed("settled-after", about="settlement", **named)


def check_line(given: Body, right: Body) -> None:
    """Check every field of a line that money or a reader depends on."""
    for name in (*FIELDS, *(name for name in LATER if name in given)):
        if given[name] != right[name]:
            bet = {"bet": given["bet"], "wager": right["wager"], "player": right["player"], "name": name}
            values = {"given": given[name], "right": right[name]}
            if right["row"]:
                raise CheckFailed("line", about="settlement", **bet, row=right["row"], **values)
            raise CheckFailed("line-returned", about="settlement", **bet, **values)


def line_transfers(state: State, line: Body) -> Moves:
    """Return the transfers of one line: what is returned, collected or paid."""
    owner = state.owner(line["player"], line["kind"])
    rest = line["stake"] - line["honoured"]
    stake, commission = (0, 0) if line["stays"] else (line["honoured"], line["commission"])
    if line["net"] < 0:
        collected = transfer(state.escrow, state.float, stake + commission)
        back = ((state.escrow, -rest), *state.shares(line["player"], line["kind"], rest))
        return [_nonzero(back), collected] if rest else [collected]
    won: Legs = ((state.dealers, line["net"]),)
    if line["kind"] in OWN:
        won = state.shares(line["player"], line["kind"], line["net"])
    found = [transfer(state.escrow, owner, rest)] if rest else []
    legs: dict[str, int] = {}
    for account, amount in (
        (state.escrow, -stake - commission),
        (owner, stake),
        (state.player(line["player"]), commission),
        (state.float, -line["net"] - line["envy"]),
        *won,
        (state.dealers, line["envy"]),
    ):
        legs[account] = legs.get(account, 0) + amount
    real = _nonzero(tuple(legs.items()))
    return [*found, real] if real else found


def _nonzero(legs: Legs) -> Legs:
    return tuple((account, amount) for account, amount in legs if amount)


def held_commission(state: State, wager: str, stake: int) -> int:
    """Return what is paid with a stake as commission: what a loss costs beyond the stake."""
    rules = state.book.every[wager]
    if rules.commission is None or not rules.commission.with_bet or not stake:
        return 0
    lost = odds_of(state.book, state.setup, wager, "lose")
    return -compute_gain(stake, lost, at_least=state.book.at_least) - stake


def reversal_transfers(state: State, line: Body, before: Moves) -> Moves:
    """Return the transfers that undo a settled line of craps, after which its bet lies on the layout again.

    What someone no longer holds is owed on the disputes account.
    """
    held = line["honoured"] + line.get("commission", 0)
    if line["net"] < 0:
        return [transfer(state.float, state.escrow, held)]
    moves = correction_transfers(state, line, 0, before)
    if line["envy"]:
        moves.append(_take_back(state, state.dealers, state.float, line["envy"], [*before, *moves]))
    if not line.get("stays"):
        owner = state.owner(line["player"], line["kind"])
        moves.append(_take_back(state, owner, state.escrow, held, [*before, *moves]))
    return moves


def _take_back(state: State, source: str, target: str, amount: int, before: Moves) -> Legs:
    taken = _takes(state, source, amount, before)
    return _nonzero(((source, -taken), (state.disputes, taken - amount), (target, amount)))


def _takes(state: State, account: str, owed: int, before: Moves) -> int:
    """Return how much of what is owed an account can pay after these moves."""
    if account not in state.ledger.shared:
        return min(owed, _balance_after(state, account, before))
    # The account's balance depends on other tables at this point: any part of it may have been taken.
    actual = state.actual[len(before)][1] if len(before) < len(state.actual) else ()
    return min(owed, max(0, -dict(actual).get(account, 0)))


def correction_transfers(state: State, line: Body, net: int, before: Moves) -> Moves:
    """Return what a player gains or owes by another net: colour chips first, then cash chips, the rest is disputed."""
    change, player, kind = net - line["net"], line["player"], line["kind"]
    if not change:
        return []
    if change > 0:
        return [_nonzero(((state.float, -change), *state.shares(player, kind, change)))]
    account, owed = state.player(player), -change
    legs: list[tuple[str, int]] = [(state.float, owed)]
    if kind == "colour" and player in state.purses:
        purse, value = state.purse(player), state.purses[player].value
        taken = min(owed, _balance_after(state, purse, before)) // value * value
        legs.append((purse, -taken))
        owed -= taken
    taken = _takes(state, account, owed, before)
    return [_nonzero((*legs, (account, -taken), (state.disputes, taken - owed)))]


def _balance_after(state: State, account: str, before: Moves) -> int:
    """Return the balance of an account after moves that are not in the ledger yet."""
    held = state.ledger.balance(account) + sum(amount for legs in before for name, amount in legs if name == account)
    return max(0, held)
