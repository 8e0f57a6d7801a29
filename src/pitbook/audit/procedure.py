"""The order of a round's steps, by the book."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from pitbook.audit.details import cite_clauses, detail
from pitbook.audit.errors import CheckFailed
from pitbook.audit.settling import lost

if TYPE_CHECKING:
    from pitbook.audit.books import Step
    from pitbook.audit.state import Actor, State

PASSIVE = ("take bets", "confirm bet", "place tip", "re-bet")
"""Acts that continue while betting is open, and that nobody takes as a step."""


def set_steps(state: State) -> None:
    """Set the steps after a change of book or shaker."""
    state.live = tuple(
        step for step in state.book.steps if step.act not in PASSIVE and step.shaker in (None, state.shaker)
    )


def due(state: State) -> Step | None:
    """Return the step that is due, or None at the end of a round."""
    return next((step for step in state.live if step.id not in state.round.done and _is_needed(state, step)), None)


def may_take(state: State, step: Step) -> bool:
    """Return whether a step is due or (in Sic Bo) everything before it is done; no step is taken twice."""
    if step.id in state.round.done or step not in state.live or not _is_called_for(state, step):
        return False
    return step == due(state) or (not state.book.craps and steps_before_done(state, step))


def steps_before_done(state: State, step: Step) -> bool:
    """Return whether the steps before it have been taken."""
    missing = [name for name in step.after if name not in state.round.done]
    return not missing or not any(other.id in missing and _is_called_for(state, other) for other in state.live)


def betting_open(state: State) -> bool:
    """Return whether wagers may be made: not between the close (or the roll) and the next opening."""
    if "close betting" in state.round.acts or "roll" in state.round.acts:
        return False
    if state.automatic and (state.draw is None or state.draw.voided or state.draw.closed is not None):
        return False
    taking = next((step for step in state.book.steps if step.act == "take bets"), None)
    return taking is not None and steps_before_done(state, taking)


def check_between(state: State, who: Actor, did: str) -> None:
    """Check that the table is between rounds: nothing done and nothing bet since the last; `did` names a text.

    An automatic table opens automatically: it is between rounds until someone bets.
    """
    draw = state.draw
    begun = draw is not None and draw.closed is not None and not draw.voided if state.automatic else state.round.done
    if begun or state.new_bets():
        raise CheckFailed("mid-round", about="order", who=who.name, role=who.role, did=detail(did))


def check_countdown(state: State, what: str) -> None:
    """Check that the published end of an automatic table's countdown has not been reached; `what` names a text."""
    until = state.draw.until if state.draw is not None else None
    if until is not None and datetime.fromisoformat(state.at) >= datetime.fromisoformat(until):
        closing = state.book.step("close betting")
        rule = cite_clauses(closing.who.clauses if closing else ())
        raise CheckFailed("after-close", about="late", what=detail(what), at=state.at, until=until, rule=rule)


def phase(state: State) -> str:
    """Return the phase of the round, in the words of the books."""
    acts = state.round.acts
    if "collect losers" in acts or "pay winners" in acts:
        return "settling"
    covered = any(step.act == "reveal" for step in state.live)
    last = [act for act in acts if act in ("shake", "close betting")][-1:]
    tossed_openly = last == ["shake"] and "close betting" in acts and state.shaker == "automated"
    if {"reveal", "announce dice", "enter dice", "roll"} & set(acts) or (tossed_openly and not covered):
        return "revealed"
    if state.draw is not None and state.draw.closed is not None and not state.draw.voided:
        return "closed"
    if last:
        return "thrown" if last == ["shake"] else "closed"
    return "betting" if betting_open(state) else "between rounds"


def may_be_called(state: State, name: str) -> bool:
    """Return whether an irregularity can happen at this point of a round."""
    rule, now = state.book.irregularities[name], phase(state)
    if rule.shaker not in (None, state.shaker) or (rule.until is not None and rule.until in state.round.acts):
        return False
    idle = now == "betting" and not state.round.done and "between rounds" in rule.when
    return "any" in rule.when or now in rule.when or idle


def _is_needed(state: State, step: Step) -> bool:
    """Return whether a step is needed; some need an irregularity, or a result of a craps roll."""
    if not _is_called_for(state, step):
        return False
    if not state.book.craps or "roll" not in state.round.acts:
        return True
    if step.act == "mark":
        return bool(lammers_on(state, step))
    if step.act == "remove lammers":
        return bool(lammers_off(state, step))
    if step.act in ("collect losers", "pay winners"):
        losing = step.act == "collect losers"
        ended = state.round.ended or state.round.decided
        if ended and any(lost(state, bet) is losing for bet in state.bets.values()):
            return True
        return losing and bool(lammers_off(state, step))
    return True


def _is_called_for(state: State, step: Step) -> bool:
    """Return whether the irregularity of a step was called in this round; most steps have none."""
    return step.only_after is None or step.only_after in state.round.irregularities


def lammers_on(state: State, step: Step) -> frozenset[str]:
    """Return the areas of its book on which a lammer is placed in a step."""
    return frozenset(name for name in state.round.placed if state.book.every[name].book == step.book)


def lammers_off(state: State, step: Step) -> frozenset[str]:
    """Return the areas whose lammers are removed in a step; several books on one hand remove theirs by their own rule.

    If the book removes them after the winners are paid, those of a wager that has won are removed then, and a seven
    clears them together with the losing bets. Otherwise they stay until the seven, and its own step removes them.
    """
    seven = sum(state.round.entered) == 7
    paying = {other.id for other in state.live if other.act == "pay winners"}
    found: set[str] = set()
    for removal in state.live:
        if removal.act != "remove lammers":
            continue
        after_pay = bool(paying & set(removal.after))
        with_losers = after_pay and seven
        if (step.act == "collect losers") if with_losers else (step == removal and (after_pay or seven)):
            cleared = {name for name in state.round.cleared if state.book.every[name].book == removal.book}
            found |= cleared & set(state.round.ended) if after_pay else cleared
    return frozenset(found)


def take(state: State, step: Step) -> None:
    """Note that a step was taken or skipped."""
    state.round.done.append(step.id)
    state.round.acts.append(step.act)


def finish(state: State) -> None:
    """Require the end of the round once nothing is due."""
    if due(state) is None:
        state.expect = ["RoundEnded"]
