"""The steps of a round: throws, lights, collecting and paying."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.audit.custody import check_step
from pitbook.audit.details import cite_clauses, detail
from pitbook.audit.errors import CheckFailed, ensure
from pitbook.audit.inspections import check_ready
from pitbook.audit.procedure import due, finish, lammers_off, lammers_on, may_take, take
from pitbook.audit.roles import TUMBLER
from pitbook.audit.rolls import check_dice, roll_corrected
from pitbook.audit.settling import check_lines, check_order, is_low, line_transfers, lit, row_of, settlement
from pitbook.audit.shooters import check_line_bet
from pitbook.audit.state import HISTORY, PastRound, Round
from pitbook.audit.witnesses import check_colleague, check_confirmed, check_second, check_supervisor, check_witnessed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.audit.books import Step
    from pitbook.audit.details import Detail
    from pitbook.audit.state import Actor, Body, Moves, State


def step_taken(state: State, event: Body, who: Actor) -> Moves:
    step = state.book.by_id.get(event["step"])
    if step is None:
        raise CheckFailed("no-step", about="order", step=event["step"])
    if not may_take(state, step):
        now = due(state)
        raise _out_of_turn(step, who, detail("step-is-due", step=now.id) if now else detail("nothing-is-due"))
    if state.power_failed:
        raise _out_of_turn(step, who, detail("power-failed"))
    check_step(state, step.act, who)
    check_ready(state, throwing=step.act in ("shake", "roll"))
    _check_shaken(state, step, who)
    _check_goes_on(state, step, who)
    ensure(event.get("flat", True) or _shows_dice(state, step), "dice-unseen", step=step.id)
    if event.get("announced") != step.announce:
        check_announced(event, step.announce, step.who.clauses, who)
    if step.act in SETTLING:
        _check_settling(state, event, step, who)
    marked = lammers_on(state, step) if step.act == "mark" else lammers_off(state, step)
    if step.act in ("mark", "remove lammers", "collect losers", "pay winners"):
        _check_areas(event["areas"], marked, step)
    take(state, step)
    state.round.flat = state.round.flat and event.get("flat", True)
    _ACTS.get(step.act, _plain)(state, event)
    return []


def _out_of_turn(step: Step, who: Actor, why: Detail) -> CheckFailed:
    rule = cite_clauses(step.who.clauses)
    return CheckFailed("not-due", about="order", who=who.name, role=who.role, step=step.id, reason=why, rule=rule)


def check_announced(event: Body, announce: str | None, clauses: tuple[str, ...], who: Actor) -> None:
    """Check that what was announced is what the book prescribes, word for word."""
    given = event.get("announced")
    if given != announce:
        params = {"who": who.name, "given": given or "", "rule": cite_clauses(clauses)}
        if announce:
            raise CheckFailed("announced", about="announcement", right=announce, **params)
        raise CheckFailed("announced-nothing", about="announcement", **params)


def _check_shaken(state: State, taken: Step, who: Actor) -> None:
    """Check that the round does not continue after a shake that was too short."""
    for step in state.live:
        if step.act == "shake" and step.id in state.round.done and state.round.shakes < step.at_least:
            counts = {"shakes": state.round.shakes, "least": step.at_least, "rule": cite_clauses(step.who.clauses)}
            raise CheckFailed("not-shaken-enough", about="order", who=who.name, step=taken.id, **counts)


def _check_goes_on(state: State, step: Step, who: Actor) -> None:
    """Check that nothing continues with a die that is not flat, or while a decision is pending."""
    if not state.round.flat:
        raise _out_of_turn(step, who, detail("not-flat"))
    waiting = sorted({*state.round.undecided, *state.referred})
    if waiting and not state.automatic:
        raise _out_of_turn(step, who, detail("undecided", names=waiting))


def _shows_dice(state: State, step: Step) -> bool:
    covered = any(other.act == "reveal" for other in state.live)
    return step.act == ("reveal" if covered else "shake")


CONFIRMING = "confirmed-by-supervisor"
"""The text of the house rule that someone must confirm what the dealers get."""

SETTLING = ("collect losers", "pay winners")
"""Acts that settle wagers: who directed, witnessed and confirmed them is on record."""


def _check_settling(state: State, event: Body, step: Step, who: Actor) -> None:
    if not state.round.entered:
        raise _out_of_turn(step, who, detail("not-entered-yet"))
    check_witnessed(state, who)
    named = (event[key] for key in ("directed_by", "confirmed_by") if event.get(key))
    check_confirmed(state, event, (person["name"] for person in named))
    director, confirmed_by = event.get("directed_by"), event.get("confirmed_by")
    if who.role != TUMBLER and step.directed_by is not None:
        check_second(state, director, who, step.directed_by, "directed-by", step=step.id)
    elif director is not None:
        check_colleague(state, director, who)
    if confirmed_by is not None:
        check_supervisor(state, confirmed_by, who, CONFIRMING)


def _check_areas(given: list[str], right: frozenset[str], step: Step) -> None:
    if set(given) != right or len(given) != len(right):
        raise CheckFailed("lammers", step=step.id, given=sorted(given), right=sorted(right))


def _plain(state: State, _event: Body) -> None:
    finish(state)


def _shaken(state: State, event: Body) -> None:
    step, shakes = state.book.by_id[event["step"]], event["shakes"]
    least = 1 if TOO_FEW in state.book.irregularities else step.at_least
    if shakes < max(least, 1):
        raise CheckFailed(
            "shaken", about="order", shakes=shakes, least=step.at_least, rule=cite_clauses(step.who.clauses)
        )
    state.round.shakes = shakes
    finish(state)


TOO_FEW = "too-few-tumbles"
"""If a book has a remedy for a shake that was too short, it is recorded, and the round is void."""


def _announced(state: State, event: Body) -> None:
    state.round.announced = check_dice(state, event)


def _entered(state: State, event: Body) -> None:
    dice = check_dice(state, event)
    ensure(
        dice == (state.round.announced or dice),
        "announced-entered",
        "order",
        announced=state.round.announced,
        dice=dice,
    )
    state.round.entered = dice
    state.throw = state.round.number
    if any(step.act == "illuminate" for step in state.live):
        broken = any(state.book.equipment.get(name) in ("device", "layout") for name in state.failed)
        state.expect = ["StepWaived"] if broken else ["StepTaken"]


def _lights(state: State, _event: Body) -> None:
    state.expect = ["Illuminated"]


def _rolling(state: State, event: Body) -> None:
    check_dice(state, event)
    ensure(state.shooter is not None, "no-shooter")
    waiting = [bet.id for bet in state.bets.values() if not bet.confirmed]
    ensure(not waiting, "not-confirmed", waiting=waiting)
    check_line_bet(state, state.book.by_id[event["step"]])
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


def step_waived(state: State, event: Body, _who: Actor) -> Moves:
    step = next((step for step in state.live if step.id == event["step"]), None)
    if step is None or step.id in state.round.done:
        raise CheckFailed("no-step-to-skip", step=event["step"])
    after = {"illuminate": "enter dice", "press deal": "close betting"}.get(step.act)
    ensure(after in state.round.acts, "not-skipped-now", step=step.id)
    ensure(state.failed or state.round.irregularities, "no-reason-to-skip", step=step.id)
    take(state, step)
    return []


def illuminated(state: State, event: Body, _who: Actor) -> Moves:
    cleared = state.round.acts[-1:] == ["clear"]
    right = set() if cleared else lit(state)
    given = set(event["wagers"])
    if given != right:
        raise CheckFailed("lit", many=sorted(given - right), few=sorted(right - given))
    if cleared or state.book.craps:
        finish(state)
    return []


def dice_corrected(state: State, event: Body, who: Actor) -> Moves:
    dice = check_dice(state, event)
    if state.book.craps:
        return roll_corrected(state, event, who, dice)
    acts = state.round.acts
    ensure("announce dice" in acts, "corrected-early")
    ensure("collect losers" not in acts, "corrected-collected")
    state.round.announced = dice
    if state.round.entered:
        state.round.entered = dice
        if not any(state.book.equipment.get(name) in ("device", "layout") for name in state.failed):
            state.expect = ["Illuminated"]
    return []


def losers_collected(state: State, event: Body, _who: Actor) -> Moves:
    losing, _ = settlement(state)
    return _settled(state, event["lines"], losing)


def winners_paid(state: State, event: Body, _who: Actor) -> Moves:
    losing, winning = settlement(state)
    ensure(not losing, "paid-first", losing=sorted(losing))
    return _settled(state, event["lines"], winning)


def _settled(state: State, lines: list[Body], right: Mapping[int, Body]) -> Moves:
    check_lines(lines, right, state.book.clauses)
    check_order(state.book, lines)
    now = state.round
    paid = (state.bets[line["bet"]] for line in lines if line["honoured"])
    now.low |= {bet.player for bet in paid if is_low(state, bet, over=False)}
    moves: Moves = []
    for line in lines:
        moves += line_transfers(state, right[line["bet"]])
        now.decided.pop(line["bet"], None)
        if not right[line["bet"]]["stays"]:
            now.lay[line["bet"]] = state.take(line["bet"])
    past = state.history[-1] if state.history and state.history[-1].number == now.number else None
    if past is None:
        past = PastRound(now.number, now.entered, [], state.book, state.setup)
        state.history = [*state.history, past][-HISTORY:]
    past.dice = now.entered
    past.lines += lines
    if state.before is not None:
        state.before.settled = True
    won = sum(line["net"] + line["envy"] for line in lines)
    state.add_to_books(wagered=sum(line["honoured"] for line in lines), won=-won)
    if not state.expect:
        finish(state)
    return moves


def round_ended(state: State, event: Body, _who: Actor) -> Moves:
    now = state.round
    ensure(event["round"] == now.number, "other-round", number=now.number, round=event["round"])
    over = [bet for bet in state.bets.values() if not state.book.craps or row_of(state, bet) is not None]
    for bet in over:
        raise CheckFailed("neither", bet=bet.id, wager=bet.wager, player=bet.player)
    if now.entered and not any(past.number == now.number for past in state.history):
        state.history = [*state.history, PastRound(now.number, now.entered, [], state.book, state.setup)][-HISTORY:]
    state.low |= now.low
    state.drawn = ()
    state.round = Round(now.number + 1)
    state.withdrawn = []
    return []
