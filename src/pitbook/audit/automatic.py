"""Automatic tables: seeds, countdowns and draws; what the house would have won in a void round.

The electronic tumbler's mapping is implemented here again, from its description.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pitbook.audit import side_bets
from pitbook.audit.errors import CheckFailed, ensure
from pitbook.audit.patterns import rows_reached
from pitbook.audit.phases import decided
from pitbook.audit.procedure import betting_open, check_countdown
from pitbook.audit.settling import expected_line, honoured

if TYPE_CHECKING:
    from pitbook.audit.state import Actor, Bet, Body, Moves, State

MAPPING = 1
REVEAL_SECONDS = 30
"""The time from the close of betting until the dice are due, for setups without this setting."""


@dataclass(slots=True)
class Draw:
    """A draw that is not over."""

    round: int
    commitment: str
    mapping: int
    until: str | None = None
    nonces: dict[str, str] = field(default_factory=dict)
    closed: str | None = None
    reveal_by: datetime | None = None
    """When the dice are due; None in older records."""
    voided: bool = False
    would: list[tuple[Bet, int]] = field(default_factory=list)
    """The bets of a void round, each with the part that counted."""


def clock_corrected(state: State, event: Body, _who: Actor) -> Moves:
    """Continue at an earlier time; a countdown starts again, and a closed round is void, as its gap is unknown."""
    ensure(state.at < state.earlier, "clock-not-ahead", "time")
    ensure(event["words"].strip(), "clock-no-reason")
    draw = state.draw
    if draw is None or draw.voided:
        return []
    if draw.closed is not None:
        state.expect = ["RoundVoided"]
    elif draw.until is not None:
        state.expect = ["CountdownStarted"]
    draw.until = None
    return []


def seed_committed(state: State, event: Body, _who: Actor) -> Moves:
    ensure(state.draw is None, "draw-not-over", "order")
    ensure(not (state.paused or state.tumbler_failed), "held-begins", "order")
    ensure(event["round"] == state.round.number, "other-round", number=state.round.number, round=event["round"])
    ensure(event["day"] == state.at[:10], "other-day")
    state.draw = Draw(event["round"], event["commitment"], event["mapping"])
    state.void_by = None
    return []


def countdown_started(state: State, event: Body, _who: Actor) -> Moves:
    draw = _draw(state)
    ensure(event["round"] == draw.round, "other-round", "order", number=draw.round, round=event["round"])
    ensure(draw.until is None and betting_open(state), "countdown-running", "order")
    in_play = any(bet.called != "off" for bet in state.bets.values())
    ensure(in_play, "countdown-no-bet")
    seconds = state.setup["automatic"]["betting_seconds"]
    right = _time(state.at) + timedelta(seconds=seconds)
    ensure(_time(event["until"]) == right, "open-until", until=event["until"], right=right)
    draw.until = event["until"]
    return []


def nonce_given(state: State, event: Body, _who: Actor) -> Moves:
    ensure(betting_open(state), "nonce-closed", "late")
    check_countdown(state, "nonce-late")
    _draw(state).nonces[event["player"]] = event["nonce"]
    return []


def betting_closed(state: State, event: Body, _who: Actor) -> Moves:
    draw = _draw(state)
    ensure(event["round"] == draw.round, "in-round", round=draw.round)
    ensure(draw.until is not None and _time(state.at) >= _time(draw.until), "closed-early", until=draw.until)
    closing = any(step.act == "close betting" for step in state.book.steps)
    ensure(not closing or "close betting" in state.round.acts, "closing-step", "order")
    draw.closed, draw.until = state.hash, None
    seconds = state.setup["automatic"].get("reveal_seconds")
    given = event.get("reveal_by")
    if seconds is not None or given is not None:
        draw.reveal_by = _time(state.at) + timedelta(seconds=seconds or REVEAL_SECONDS)
        given = None if given is None else _time(given)
        ensure(given == draw.reveal_by, "due-by", "late", given=given, reveal_by=draw.reveal_by)
    return []


def seed_revealed(state: State, event: Body, _who: Actor) -> Moves:
    draw = _draw(state)
    ensure(draw.closed is not None or draw.voided, "seed-while-open", "order")
    ensure(event["round"] == draw.round, "draw-of-round", round=draw.round)
    ensure(event["voided"] == draw.voided, "void-stated-wrongly")
    if draw.reveal_by is not None and not draw.voided:
        late = (_time(state.at) - draw.reveal_by).total_seconds()
        ensure(late <= 0, "revealed-late", "late", reveal_by=draw.reveal_by, late=f"{late:.1f}")
    seed = bytes.fromhex(event["seed"])
    found = hashlib.sha256(_written(b"pitbook seed 1", seed)).hexdigest()
    ensure(found == draw.commitment, "other-seed")
    ensure(event["close"] == (draw.closed or ""), "other-closing")
    ensure(sorted(event["nonces"]) == sorted(draw.nonces.values()), "other-nonces")
    right: tuple[int, ...] = ()
    if draw.closed is not None:
        right = _throw(seed, state, draw)
    ensure(tuple(event["dice"]) == right, "other-dice", dice=event["dice"], right=list(right))
    if draw.voided:
        if draw.closed is not None:
            state.voids.append((draw.round, _house_gain(state, draw, right)))
    else:
        state.drawn = tuple(sorted(right))
    state.draw = None
    return []


def _throw(seed: bytes, state: State, draw: Draw) -> tuple[int, ...]:
    ensure(draw.mapping == MAPPING, "mapping", mapping=draw.mapping)
    faces: list[int] = []
    nonces = sorted(nonce.encode() for nonce in draw.nonces.values())
    block = 0
    while True:
        parts = (state.name, draw.round, draw.closed, len(nonces), *nonces, state.book.dice, block)
        digest = hmac.new(seed, _written(b"pitbook tumbler 1", *parts), hashlib.sha256).digest()
        for value in digest:
            if value < 252:
                faces.append(value % 6 + 1)
            if len(faces) == state.book.dice:
                return tuple(faces)
        block += 1


def _written(title: bytes, *parts: object) -> bytes:
    data = [part if isinstance(part, bytes) else str(part).encode() for part in parts]
    return title + b"\n" + b"".join(b"%d:%s," % (len(part), part) for part in data)


def check_voiding(state: State, who: Actor) -> None:
    """Check who may void a round of an automatic table, and keep what would have been settled."""
    draw = state.draw
    if draw is None:
        ensure(state.last == "TumblerFailed", "void-no-draw")
        return
    by_rule = state.last in ("TumblerFailed", "ClockCorrected")
    if not by_rule and state.void_by in (None, who.name):
        closing = not state.bets and draw.closed is None
        ensure(closing, "void-alone", "witness", who=who.name)
        state.expect = ["TableClosed"]
    if not by_rule:
        _note_gap(state, draw)
    draw.would = [(bet, honoured(state, bet)) for bet in state.bets.values()]
    draw.voided, state.void_by = True, None


def _house_gain(state: State, draw: Draw, dice: tuple[int, ...]) -> int:
    """Return what the house would have won on the returned wagers, if the void round's dice had counted."""
    throw = tuple(sorted(dice))
    rows = dict(rows_reached(state.book, throw))
    own: dict[int, str] = {}
    if state.book.craps:
        rows |= side_bets.roll(state.book, state.point, state.areas, throw).ended
        own = decided(state.book, state.point, [bet for bet, _ in draw.would], throw)
    lines = [
        expected_line(state.book, state.setup, bet, stake, own.get(bet.id) or rows[bet.wager])
        for bet, stake in draw.would
        if bet.id in own or bet.wager in rows
    ]
    return -sum(int(line["net"] + line["envy"]) for line in lines)


def _note_gap(state: State, draw: Draw) -> None:
    """Keep by how much the end of a closed round came after its dice were due."""
    if draw.reveal_by is not None and not draw.voided:
        late = (_time(state.at) - draw.reveal_by).total_seconds()
        if late > 0:
            state.overdue.append((draw.round, late))


def tumbler_failed(state: State, event: Body, _who: Actor) -> Moves:
    state.tumbler_failed = event["words"]
    draw = state.draw
    if draw is not None:
        _note_gap(state, draw)
    if event["lost"]:
        ensure(draw is not None, "no-seed-to-lose")
        state.lost += 1
    if draw is not None and not draw.voided:
        state.expect = ["RoundVoided"]
    if event["lost"]:
        state.draw = None
    return []


def tumbler_repaired(state: State, _event: Body, _who: Actor) -> Moves:
    ensure(state.tumbler_failed is not None, "tumbler-works")
    state.tumbler_failed = None
    return []


def paused(state: State, event: Body, _who: Actor) -> Moves:
    ensure(not state.paused, "held-already", "order")
    ensure(state.draw is None or state.draw.closed is None, "held-closed", "order")
    left = None
    if state.draw is not None and state.draw.until is not None:
        left = max(0.0, (_time(state.draw.until) - _time(state.at)).total_seconds())
        state.draw.until = None
    ensure(event["left"] == left, "seconds-left", given=event["left"], right=left)
    state.paused, state.left = True, left
    return []


def unpaused(state: State, event: Body, _who: Actor) -> Moves:
    ensure(state.paused, "not-held", "order")
    right = None if state.left is None else _time(state.at) + timedelta(seconds=state.left)
    given = None if event["until"] is None else _time(event["until"])
    ensure(given == right, "open-until", until=given, right=right)
    state.paused, state.left = False, None
    if state.draw is not None:
        state.draw.until = event["until"]
    return []


def void_proposed(state: State, event: Body, who: Actor) -> Moves:
    ensure(
        event["by"] == who.name and event["round"] == _draw(state).round,
        "other-proposer",
    )
    state.void_by = who.name
    return []


def _draw(state: State) -> Draw:
    if state.draw is None:
        raise CheckFailed("no-draw")
    return state.draw


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)
