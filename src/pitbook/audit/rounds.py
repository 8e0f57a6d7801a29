"""The steps of a round: throws, lights, collecting and paying."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.audit import craps
from pitbook.audit.custody import check_step
from pitbook.audit.errors import CheckFailed, cite_clauses, ensure
from pitbook.audit.inspections import check_ready
from pitbook.audit.procedure import betting_open, due, finish, lammers_off, may_take, take
from pitbook.audit.roles import TUMBLER
from pitbook.audit.settling import check_lines, is_low, line_transfers, lit, settlement
from pitbook.audit.state import HISTORY, Before, Past, Round
from pitbook.audit.witnesses import check_colleague, check_confirmed, check_second, check_supervisor, check_witnessed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.audit.books import Step
    from pitbook.audit.state import Body, Moves, State, Who


def step_taken(state: State, event: Body, who: Who) -> Moves:
    step = state.book.by_id.get(event["step"])
    if step is None:
        raise CheckFailed(f"the book has no step {event['step']}", about="order")
    if not may_take(state, step):
        now = due(state)
        raise _out_of_turn(step, who, f"{now.id if now else 'nothing'} is")
    if state.power_failed:
        raise _out_of_turn(step, who, "the power has failed")
    check_step(state, step.act, who)
    check_ready(state, throwing=step.act in ("shake", "roll"))
    _check_shaken(state, step, who)
    _check_goes_on(state, step, who)
    ensure(event.get("flat", True) or _shows_dice(state, step), f"nobody sees the dice in the step {step.id}")
    if event.get("announced") != step.announce:
        check_announced(event, step.announce, step.who.clauses, who)
    if step.act in SETTLING:
        _check_settling(state, event, step, who)
    marked = state.round.placed if step.act == "mark" else lammers_off(state, step)
    if step.act in ("mark", "remove lammers", "collect losers", "pay winners"):
        _check_areas(event["areas"], marked, step)
    take(state, step)
    state.round.flat = state.round.flat and event.get("flat", True)
    _ACTS.get(step.act, _plain)(state, event)
    return []


def _out_of_turn(step: Step, who: Who, why: str) -> CheckFailed:
    says = (
        f"{who.name} ({who.role}) took the step {step.id}, which is not due; {why} ({cite_clauses(step.who.clauses)})"
    )
    return CheckFailed(says, about="order")


def check_announced(event: Body, announce: str | None, clauses: tuple[str, ...], who: Who) -> None:
    """Check that what was announced is what the book prescribes, word for word."""
    given = event.get("announced")
    if given != announce:
        right = repr(announce) if announce else "nothing"
        says = f"{who.name} announced {given!r}, and the book has {right} here ({cite_clauses(clauses)})"
        raise CheckFailed(says, about="announcement")


def _check_shaken(state: State, taken: Step, who: Who) -> None:
    """Check that the round does not go on after a shake that was too short."""
    for step in state.live:
        if step.act == "shake" and step.id in state.round.done and state.round.shakes < step.at_least:
            clauses = cite_clauses(step.who.clauses)
            why = f"the dice were shaken {state.round.shakes} times, and {step.at_least} are needed ({clauses})"
            raise CheckFailed(f"{who.name} took the step {taken.id}, but {why}", about="order")


def _check_goes_on(state: State, step: Step, who: Who) -> None:
    """Check that nothing continues with a die that is not flat, or while a decision is pending."""
    if not state.round.flat:
        raise _out_of_turn(step, who, "a die does not lie flat")
    waiting = sorted({*state.round.undecided, *state.referred})
    if waiting and not state.automatic:
        raise _out_of_turn(step, who, f"nobody has decided on {', '.join(waiting)}")


def _shows_dice(state: State, step: Step) -> bool:
    covered = any(other.act == "reveal" for other in state.live)
    return step.act == ("reveal" if covered else "shake")


CONFIRMING = "what the dealers get is confirmed by"

SETTLING = ("collect losers", "pay winners")
"""Acts that settle wagers: who directed, witnessed and confirmed them is on record."""


def _check_settling(state: State, event: Body, step: Step, who: Who) -> None:
    if not state.round.entered:
        raise _out_of_turn(step, who, "the dice have not been entered")
    check_witnessed(state, who)
    named = (event[key] for key in ("directed_by", "confirmed_by") if event.get(key))
    check_confirmed(state, event, (person["name"] for person in named))
    director, confirmed_by = event.get("directed_by"), event.get("confirmed_by")
    if who.role != TUMBLER and step.directed_by is not None:
        check_second(state, director, who, step.directed_by, f"the step {step.id} is directed by")
    elif director is not None:
        check_colleague(state, director, who)
    if confirmed_by is not None:
        check_supervisor(state, confirmed_by, who, CONFIRMING)


def _check_areas(given: list[str], right: frozenset[str], step: Step) -> None:
    if set(given) != right or len(given) != len(right):
        raise CheckFailed(f"lammers in step {step.id}: {sorted(given)}, and must be {sorted(right)}")


def _plain(state: State, _event: Body) -> None:
    finish(state)


def _shaken(state: State, event: Body) -> None:
    step, shakes = state.book.by_id[event["step"]], event["shakes"]
    least = 1 if TOO_FEW in state.book.irregularities else step.at_least
    if shakes < max(least, 1):
        raise CheckFailed(
            f"the dice were shaken {shakes} times, not {step.at_least} ({cite_clauses(step.who.clauses)})",
            about="order",
        )
    state.round.shakes = shakes
    finish(state)


TOO_FEW = "too-few-tumbles"
"""If a book has a remedy for a shake that was too short, it is recorded, and the round is void."""


def _dice(state: State, event: Body) -> tuple[int, ...]:
    dice = tuple(event["dice"])
    ensure(len(dice) == state.book.dice and all(1 <= face <= 6 for face in dice), f"{dice} is no throw here")
    ensure(dice == tuple(sorted(dice)), f"{dice} is not in order")
    ensure(not state.automatic or dice == state.drawn, f"{dice} is not what the seed gave")
    return dice


def _announced(state: State, event: Body) -> None:
    state.round.announced = _dice(state, event)


def _entered(state: State, event: Body) -> None:
    dice = _dice(state, event)
    ensure(dice == (state.round.announced or dice), f"{state.round.announced} was announced, {dice} entered", "order")
    state.round.entered = dice
    state.throw = state.round.number
    if any(step.act == "illuminate" for step in state.live):
        broken = any(state.book.equipment.get(name) in ("device", "layout") for name in state.failed)
        state.expect = ["StepWaived"] if broken else ["StepTaken"]


def _lights(state: State, _event: Body) -> None:
    state.expect = ["Illuminated"]


def _rolling(state: State, event: Body) -> None:
    _dice(state, event)
    ensure(state.shooter is not None, "nobody has the dice")
    waiting = [bet.id for bet in state.bets.values() if not bet.confirmed]
    ensure(not waiting, f"the bets {waiting} were not confirmed before the roll")
    state.round.announced = tuple(event["dice"])
    state.expect = ["Rolled"]


def _collecting(state: State, _event: Body) -> None:
    state.expect = ["LosersCollected"]


def _paying(state: State, event: Body) -> None:
    losing, winning = settlement(state)
    state.expect = ["LosersCollected", "WinnersPaid"] if losing else ["WinnersPaid"]
    if state.automatic or event.get("confirmed_by") is not None:
        return
    if any(line["envy"] or line["kind"].startswith("tip") for line in winning.values()):
        check_supervisor(state, None, state.actor, CONFIRMING)


_ACTS = {
    "shake": _shaken,
    "announce dice": _announced,
    "enter dice": _entered,
    "illuminate": _lights,
    "clear": _lights,
    "roll": _rolling,
    "collect losers": _collecting,
    "pay winners": _paying,
}


def step_waived(state: State, event: Body, _who: Who) -> Moves:
    step = next((step for step in state.live if step.id == event["step"]), None)
    if step is None or step.id in state.round.done:
        raise CheckFailed(f"there is no step {event['step']} to pass over")
    after = {"illuminate": "enter dice", "press deal": "close betting"}.get(step.act)
    ensure(after in state.round.acts, f"the step {step.id} cannot be passed over now")
    ensure(state.failed or state.round.irregularities, f"there is no reason to pass over {step.id}")
    take(state, step)
    return []


def illuminated(state: State, event: Body, _who: Who) -> Moves:
    cleared = state.round.acts[-1:] == ["clear"]
    right = set() if cleared else lit(state)
    given = set(event["wagers"])
    if given != right:
        raise CheckFailed(f"lit up: {sorted(given - right)} too many, {sorted(right - given)} too few")
    if cleared or state.book.craps:
        finish(state)
    return []


def rolled(state: State, event: Body, _who: Who) -> Moves:
    dice = _dice(state, event)
    ensure(dice == state.round.announced, "another roll than the step says")
    state.round.announced = ()
    state.throw = state.round.number
    call = _roll(state, dice)
    ensure(event["call"] == call, f"the roll is called {event['call']!r}, and is {call!r}")
    state.expect = ["Illuminated"]
    return []


def _roll(state: State, dice: tuple[int, ...]) -> str:
    fresh = frozenset(bet.id for bet in state.fresh())
    state.before = Before(state.round.number, state.areas, state.point, state.shooter, fresh)
    what = craps.roll(state.book, state.point, state.areas, sum(dice))
    state.point, state.areas = what.point, what.areas
    now = state.round
    now.entered, now.ended, now.placed, now.cleared = dice, what.ended, what.placed, what.cleared
    for bet in state.bets.values():
        bet.running = True
    if what.call == "seven-out":
        state.shooter = None
    return what.call


def dice_corrected(state: State, event: Body, _who: Who) -> Moves:
    dice = _dice(state, event)
    if state.book.craps:
        return _roll_corrected(state, event, dice)
    acts = state.round.acts
    ensure("announce dice" in acts, "dice are put right before they were announced")
    ensure("collect losers" not in acts, "dice are put right after losers were collected")
    state.round.announced = dice
    if state.round.entered:
        state.round.entered = dice
        if not any(state.book.equipment.get(name) in ("device", "layout") for name in state.failed):
            state.expect = ["Illuminated"]
    return []


def _roll_corrected(state: State, event: Body, dice: tuple[int, ...]) -> Moves:
    before = state.before
    if before is None:
        raise CheckFailed("a roll is put right of which something has come")
    since = state.fresh()
    ensure(sorted(event["returned"]) == sorted(bet.id for bet in since), "other bets go back than those made since")
    moves = state.back(since)
    for bet in since:
        state.take(bet.id)
    for bet in state.bets.values():
        bet.running = bet.id not in before.fresh
    state.areas, state.point, state.shooter = before.areas, before.point, before.shooter
    state.history = [past for past in state.history if past.number != before.round]
    irregularities = state.round.irregularities
    state.round = Round(before.round, irregularities=irregularities)
    for step in state.book.steps:
        if step.act == "roll":
            take(state, step)
    _roll(state, dice)
    state.expect = ["Illuminated"]
    return moves


def losers_collected(state: State, event: Body, _who: Who) -> Moves:
    losing, _ = settlement(state)
    return _settled(state, event["lines"], losing)


def winners_paid(state: State, event: Body, _who: Who) -> Moves:
    losing, winning = settlement(state)
    ensure(not losing, f"winners are paid before the losing bets {sorted(losing)} are collected")
    return _settled(state, event["lines"], winning)


def _settled(state: State, lines: list[Body], right: Mapping[int, Body]) -> Moves:
    check_lines(lines, right, state.book.clauses)
    now = state.round
    paid = (state.bets[line["bet"]] for line in lines if line["honoured"])
    now.low |= {bet.player for bet in paid if is_low(state, bet, over=False)}
    moves: Moves = []
    for line in lines:
        moves += line_transfers(state, right[line["bet"]])
        bet = state.take(line["bet"])
        now.lay[bet.id] = bet
    past = state.history[-1] if state.history and state.history[-1].number == now.number else None
    if past is None:
        past = Past(now.number, now.entered, [], state.book, state.setup)
        state.history = [*state.history, past][-HISTORY:]
    past.dice = now.entered
    past.lines += lines
    state.before = None
    won = sum(line["net"] + line["envy"] for line in lines)
    state.add_to_books(wagered=sum(line["honoured"] for line in lines), won=-won)
    if not state.expect:
        finish(state)
    return moves


def round_ended(state: State, event: Body, _who: Who) -> Moves:
    now = state.round
    ensure(event["round"] == now.number, f"this is round {now.number}, not {event['round']}")
    over = [bet for bet in state.bets.values() if not state.book.craps or bet.wager in now.ended]
    for bet in over:
        raise CheckFailed(f"bet {bet.id} ({bet.wager}, {bet.player}) was neither collected nor paid")
    if now.entered and not any(past.number == now.number for past in state.history):
        state.history = [*state.history, Past(now.number, now.entered, [], state.book, state.setup)][-HISTORY:]
    state.low |= now.low
    state.drawn = ()
    state.round = Round(now.number + 1)
    state.withdrawn = []
    return []


def shooter_named(state: State, event: Body, _who: Who) -> Moves:
    ensure(state.book.craps, "only craps has a shooter")
    ensure(state.shooter is None, f"{state.shooter} has the dice", "order")
    ensure(betting_open(state), "the dice go on before the roll is settled", "order")
    state.shooter, state.before = event["shooter"], None
    return []


def dice_passed(state: State, _event: Body, who: Who) -> Moves:
    ensure(state.shooter is not None, f"{who.name} passed the dice, and nobody has them", "order")
    come_out = state.point is None and betting_open(state)
    ensure(come_out and not state.power_failed, "the dice are passed before a come-out roll only", "order")
    state.shooter, state.before = None, None
    return []


def roll_cancelled(state: State, _event: Body, who: Who) -> Moves:
    ensure(state.book.craps, "only a roll of craps is called no roll")
    rolling = state.shooter is not None and betting_open(state) and not state.power_failed
    ensure(rolling, f"{who.name} called no roll, and no roll was under way", "order")
    return []
