"""The steps of a round: throws, lights, collecting and paying."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.audit import craps
from pitbook.audit.automatic import TUMBLER
from pitbook.audit.faults import Fault, ensure
from pitbook.audit.procedure import check_confirmed, due, finish, lammers_off, may_take, take
from pitbook.audit.settling import beneath, check_lines, lit, money_of, settlement
from pitbook.audit.state import HISTORY, Before, Past, Round

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.audit.books import Step
    from pitbook.audit.state import Body, Moves, State, Who


def step_taken(state: State, event: Body, who: Who) -> Moves:
    step = next((step for step in state.book.steps if step.id == event["step"]), None)
    if step is None:
        raise Fault(f"the book has no step {event['step']}")
    if not may_take(state, step):
        now = due(state)
        raise Fault(f"the step {step.id} is not due; {now.id if now else 'nothing'} is")
    ensure(not state.power_failed, "a step is taken while the power has failed")
    ensure(state.automatic == (who.role == TUMBLER), f"a {who.role} takes the step {step.id}")
    _check_shaken(state)
    if step.announce is not None:
        ensure(event.get("announced") == step.announce, f"{step.announce!r} was not announced")
    _check_persons(event, step, who)
    named = (event[key] for key in ("directed_by", "confirmed_by") if event.get(key))
    check_confirmed(state, event, (person["name"] for person in named))
    marked = state.round.placed if step.act == "mark" else lammers_off(state, step)
    if step.act in ("mark", "remove lammers", "collect losers", "pay winners"):
        _check_areas(event["areas"], marked, step)
    take(state, step)
    _ACTS.get(step.act, _plain)(state, event)
    return []


def _check_shaken(state: State) -> None:
    for step in state.live:
        if step.act == "shake" and step.id in state.round.done:
            ensure(state.round.shakes >= step.at_least, f"the round goes on after {state.round.shakes} shakes")


def _check_persons(event: Body, step: Step, who: Who) -> None:
    for key in ("directed_by", "confirmed_by"):
        person = event.get(key)
        ensure(person is None or person["name"] != who.name, f"{who.name} does it, and is {key.replace('_', ' ')}")
    directed = not step.directed or who.role == TUMBLER or event.get("directed_by")
    ensure(directed, f"nobody directs the step {step.id}")


def _check_areas(given: list[str], right: frozenset[str], step: Step) -> None:
    if set(given) != right or len(given) != len(right):
        raise Fault(f"lammers in step {step.id}: {sorted(given)}, and must be {sorted(right)}")


def _plain(state: State, _event: Body) -> None:
    finish(state)


def _shaken(state: State, event: Body) -> None:
    state.round.shakes = event["shakes"]
    finish(state)


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
    ensure(dice == (state.round.announced or dice), f"{state.round.announced} was announced, {dice} entered")
    state.round.entered = dice
    state.throw = state.round.number
    if any(step.act == "illuminate" for step in state.live):
        broken = any(state.book.equipment[name] in ("device", "layout") for name in state.failed)
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
    dealers = any(line["envy"] or line["kind"].startswith("tip") for line in winning.values())
    ensure(not dealers or state.automatic or event.get("confirmed_by"), "nobody confirmed what the dealers get")


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
        raise Fault(f"there is no step {event['step']} to pass over")
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
        raise Fault(f"lit up: {sorted(given - right)} too many, {sorted(right - given)} too few")
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
        if not any(state.book.equipment[name] in ("device", "layout") for name in state.failed):
            state.expect = ["Illuminated"]
    return []


def _roll_corrected(state: State, event: Body, dice: tuple[int, ...]) -> Moves:
    before = state.before
    if before is None:
        raise Fault("a roll is put right of which something has come")
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
    moves: Moves = []
    for line in lines:
        moves += money_of(state, right[line["bet"]])
        bet = state.take(line["bet"])
        now.lay[bet.id] = bet
    for line in lines:
        bet = now.lay[line["bet"]]
        least, _ = state.limit(state.book.every[bet.wager])
        if line["honoured"] and bet.found and beneath(state, bet) + bet.amount < least:
            now.low.add(line["player"])
    past = state.history[-1] if state.history and state.history[-1].number == now.number else None
    if past is None:
        past = Past(now.number, now.entered, [], state.book, state.setup)
        state.history = [*state.history, past][-HISTORY:]
    past.lines += lines
    state.before = None
    won = sum(line["net"] + line["envy"] for line in lines)
    state.booked(wagered=sum(line["honoured"] for line in lines), won=-won)
    if not state.expect:
        finish(state)
    return moves


def round_ended(state: State, event: Body, _who: Who) -> Moves:
    now = state.round
    ensure(event["round"] == now.number, f"this is round {now.number}, not {event['round']}")
    over = [bet for bet in state.bets.values() if not state.book.craps or bet.wager in now.ended]
    for bet in over:
        raise Fault(f"bet {bet.id} ({bet.wager}, {bet.player}) was neither collected nor paid")
    if now.entered and not any(past.number == now.number for past in state.history):
        state.history = [*state.history, Past(now.number, now.entered, [], state.book, state.setup)][-HISTORY:]
    state.low |= now.low
    state.drawn = ()
    state.round = Round(now.number + 1)
    state.withdrawn = []
    return []


def shooter_named(state: State, event: Body, _who: Who) -> Moves:
    ensure(state.shooter is None, f"{state.shooter} has the dice")
    state.shooter, state.before = event["shooter"], None
    return []


def dice_passed(state: State, _event: Body, _who: Who) -> Moves:
    ensure(state.point is None, "the dice are passed before a come-out roll only")
    state.shooter, state.before = None, None
    return []
