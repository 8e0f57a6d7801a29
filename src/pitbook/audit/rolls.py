"""Rolls of craps: what a roll does to the hand, the areas and every bet, and a roll that was entered wrongly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.audit import side_bets
from pitbook.audit.details import detail
from pitbook.audit.errors import CheckFailed, ensure
from pitbook.audit.patterns import rows_reached
from pitbook.audit.phases import decided, stays_on_layout, travelled
from pitbook.audit.procedure import take
from pitbook.audit.settling import held_commission, odds_of, reversal_transfers
from pitbook.audit.state import BetBeforeRoll, Round, TableBeforeRoll

if TYPE_CHECKING:
    from pitbook.audit.details import Detail
    from pitbook.audit.state import Actor, Bet, Body, Moves, State

UNTOUCHED: Body = {"row": None, "stays": False, "point": None}
"""Effects of a roll on bets that the record leaves out."""


def rolled(state: State, event: Body, _who: Actor) -> Moves:
    dice = check_dice(state, event)
    ensure(dice == state.round.announced, "other-roll")
    state.round.announced = ()
    state.throw = state.round.number
    call = _roll(state, dice, event)
    ensure(event["call"] == call, "other-call", call=event["call"], right=call)
    state.expect = ["Illuminated"]
    return []


def check_dice(state: State, event: Body) -> tuple[int, ...]:
    """Return the dice of an event, which must be a throw of this book in ascending order."""
    dice = tuple(event["dice"])
    ensure(len(dice) == state.book.dice and all(1 <= face <= 6 for face in dice), "not-a-throw", dice=dice)
    ensure(dice == tuple(sorted(dice)), "dice-order", dice=dice)
    ensure(not state.automatic or dice == state.drawn, "not-from-seed", dice=dice)
    return dice


def _roll(state: State, dice: tuple[int, ...], event: Body) -> str:
    """Apply a roll; what the event says of each bet must be what the roll does to it."""
    lay = {number: BetBeforeRoll(bet, bet.running, bet.point, bet.since_roll) for number, bet in state.bets.items()}
    state.before = TableBeforeRoll(state.round.number, state.areas, state.point, state.shooter, lay)
    what = side_bets.roll(state.book, state.point, state.areas, dice)
    effects = _effects(state, dice)
    _check_effects(state, event.get("bets", []), effects)
    state.point, state.areas = what.point, what.areas
    now = state.round
    now.entered, now.placed, now.cleared = dice, what.placed, what.cleared
    now.ended = {**what.ended, **rows_reached(state.book, dice)}
    now.decided = {number: effect["row"] for number, effect in effects.items() if effect["row"] is not None}
    now.staying = frozenset(number for number, effect in effects.items() if effect["stays"])
    for bet in state.bets.values():
        bet.running, bet.since_roll = True, 0
        if bet.id in effects and effects[bet.id]["point"] is not None:
            bet.point = effects[bet.id]["point"]
    if what.call == "seven-out":
        state.shooter = None
    return what.call


def _effects(state: State, dice: tuple[int, ...]) -> dict[int, Body]:
    """Return what a roll does to each bet with its own state, without those to which nothing happens."""
    book = state.book
    rows = decided(book, state.point, list(state.bets.values()), dice)
    effects: dict[int, Body] = {}
    for bet in state.bets.values():
        wager = book.every[bet.wager]
        if bet.id in rows:
            stays = stays_on_layout(wager, odds_of(book, state.setup, bet.wager, rows[bet.id]))
            effects[bet.id] = {**UNTOUCHED, "row": rows[bet.id], "stays": stays}
        elif wager.own_point and (point := travelled(book, wager, bet.point, sum(dice))) != bet.point:
            effects[bet.id] = {**UNTOUCHED, "point": point}
    return effects


def _check_effects(state: State, given: list[Body], right: dict[int, Body]) -> None:
    seen = []
    for one in given:
        number = one["bet"]
        seen.append(number)
        effect = {**UNTOUCHED, **{name: value for name, value in one.items() if name != "bet"}}
        expected = right.get(number, UNTOUCHED)
        if effect != expected:
            raise CheckFailed(
                "other-effect", bet=_named(state, number), effect=_words(effect), expected=_words(expected)
            )
    for number, expected in right.items():
        ensure(number in seen, "no-effect", bet=_named(state, number), expected=_words(expected))
    ensure(seen == sorted(set(seen)), "effects-order", seen=seen)


def _named(state: State, number: int) -> Detail:
    bet = state.bets.get(number)
    if bet is None:
        return detail("no-such-bet", number=number)
    return detail("bet", number=number, wager=bet.wager, player=bet.player)


def _words(effect: Body) -> Detail:
    if effect["row"] is not None:
        return detail("reaches-row-and-stays" if effect["stays"] else "reaches-row", row=effect["row"])
    return detail("is-not-decided") if effect["point"] is None else detail("travels", point=effect["point"])


# ---------------------------------------------------------------- a roll that was entered wrongly


def roll_corrected(state: State, event: Body, who: Actor, dice: tuple[int, ...]) -> Moves:
    """Check that the true dice replace the last roll: later bets are returned, what was settled is undone."""
    before = state.before
    if before is None:
        raise CheckFailed("corrected-late")
    if before.settled:
        _check_proposal(state, event, who, before)
    else:
        ensure(not before.passed, "corrected-shooter")
    undone = [line for past in state.history if past.number == before.round for line in past.lines]
    ensure(event.get("undone", []) == undone, "roll-not-undone")
    moves = _bets_since_back(state, event)
    for line in undone:
        moves += reversal_transfers(state, line, moves)
        if not line.get("stays"):
            state.put(before.bets[line["bet"]].bet)
    won = sum(line["net"] + line["envy"] for line in undone)
    state.add_to_books(wagered=-sum(line["honoured"] for line in undone), won=won)
    for bet in state.bets.values():
        lay = before.bets[bet.id]
        bet.running, bet.point, bet.since_roll = lay.running, lay.point, min(lay.since_roll, bet.amount)
    state.areas, state.point, state.shooter = before.areas, before.point, before.shooter
    state.last_shooter = before.shooter or state.last_shooter
    state.history = [past for past in state.history if past.number != before.round]
    state.round = Round(before.round, irregularities=state.round.irregularities)
    for step in state.book.steps:
        if step.act == "roll":
            take(state, step)
    _roll(state, dice, event)
    state.expect = ["Illuminated"]
    return moves


def _check_proposal(state: State, event: Body, who: Actor, before: TableBeforeRoll) -> None:
    """Check that a second person agrees to the correction of a settled roll, and that its bets are as they were."""
    proposal = state.proposal
    if proposal is None or (proposal["round"], proposal["dice"]) != (before.round, event["dice"]):
        raise CheckFailed("corrected-alone", about="witness")
    ensure(proposal["by"] != who.name, "corrected-same", "witness", who=who.name)
    ensure(before.round not in state.disputed, "round-frozen", round=before.round)
    ensure(not before.changed, "changed-since", changed=before.changed)
    state.proposal = None


def _bets_since_back(state: State, event: Body) -> Moves:
    """Return the transfers of what was bet since the roll: new bets, and what was added to running ones."""
    since = state.new_bets()
    ensure(sorted(event["returned"]) == sorted(bet.id for bet in since), "other-bets-since")
    moves = state.return_bets(since)
    for bet in since:
        state.take(bet.id)
    return moves + return_parts(state, event, list(state.bets.values()))


def return_parts(state: State, event: Body, bets: list[Bet]) -> Moves:
    """Return the transfers of what was added to running bets since the last roll; the event names each part."""
    right: list[Body] = []
    moves: Moves = []
    for bet in sorted(bets, key=lambda one: one.id):
        if not bet.since_roll:
            continue
        amount = bet.since_roll
        commission = bet.commission - held_commission(state, bet.wager, bet.amount - amount)
        right.append({"bet": bet.id, "amount": amount, "commission": commission})
        moves.append(state.return_part(bet, amount, commission))
        state.add_to(bet, -amount, -commission)
    given = sorted(event.get("parts", []), key=lambda part: part["bet"])
    ensure(given == right, "parts-back", given=given, right=right)
    return moves
