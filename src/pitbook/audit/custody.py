"""Custody at a table: dice in the shaker and their age, where the shakers are, and who is responsible for them.

Records from before the register of dice do not contain the first use of a set. Such a table is followed, but these
rules only apply from its first set that has one.
"""

from __future__ import annotations

from calendar import monthrange
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from pitbook.audit.errors import CheckFailed, ensure

if TYPE_CHECKING:
    from pitbook.audit.equipment import Life
    from pitbook.audit.state import Actor, Body, Moves, State

PLACES = {"removed": "removed", "covered": "covered", "sign": "signed"}
"""The place of a shaker after it was put away."""


class RecordedMove(NamedTuple):
    """A move of dice at a table in the house's register."""

    kind: str
    set: str
    at: str
    first_used: str
    fate: str
    """The fate of a set that was taken out; empty for other moves."""


@dataclass(slots=True)
class Custody:
    """Dice, shakers and dealer of a table."""

    recorded: deque[RecordedMove] = field(default_factory=deque)
    """The moves in the register that the table's own record has not reached."""
    register_since: str | None = None
    """When the house's register was started."""
    held: bool = False
    """Whether these rules apply to the table."""
    dice: Body | None = None
    """The set in the shaker, in the format of snapshots."""
    registered: bool = False
    """Whether the register has it there."""
    shakers: dict[str, Body] = field(default_factory=dict)
    """In the format of snapshots."""
    dealer: str | None = None

    def on_table(self, shaker: str) -> bool:
        """Return whether a shaker is at the table and was not put away."""
        return bool(self.shakers.get(shaker, {}).get("place") == "in use")


# ---------------------------------------------------------------- dice


def dice_put(state: State, event: Body, _who: Actor) -> Moves:
    mine, first_used = state.custody, event.get("first_used", "")
    state.failed = {name: cease for name, cease in state.failed.items() if state.book.equipment.get(name) != "dice"}
    started = mine.register_since
    ensure(first_used or started is None or state.at < started, "first-use")
    mine.held = mine.held or bool(first_used)
    ensure(event["at"] == state.at, "put-at", at=event["at"])
    if mine.held:
        ensure(mine.dice is None, "dice-in-use")
        _check_movable(state)
        used = _check_register(mine, "DiceUsed", event["set"], state.at)
        ensure(used.first_used == first_used, "other-first-use", set=event["set"])
        if not state.book.craps:
            ensure(event["sealed"], "not-sealed")
            _check_in_use(state)
            _check_age(state, first_used)
            has_keeper = state.shaker == "manual" and state.book.answerable.get("manual")
            ensure(not has_keeper or mine.dealer is not None, "filled-unattended")
    mine.registered = bool(first_used)
    mine.dice = {
        "set": event["set"],
        "put_in": event["at"],
        "sealed": event["sealed"],
        "first_used": first_used or event["at"],
        "serials": event.get("serials", []),
    }
    return []


def dice_taken_out(state: State, event: Body, _who: Actor) -> Moves:
    mine = state.custody
    ensure(mine.dice is not None and mine.dice["set"] == event["set"], "set-not-in", set=event["set"])
    ensure(event["at"] == state.at, "out-at", at=event["at"])
    _check_movable(state)
    fate = event.get("fate", "kept")
    damaged = mine.held and "dice" in map(state.book.equipment.get, state.failed)
    ensure(not damaged or fate != "kept", "damaged-kept")
    if mine.registered:
        returned = _check_register(mine, "DiceReturned", event["set"], state.at)
        recorded = returned.fate or "kept"
        ensure(recorded == fate, "other-fate", set=event["set"], fate=fate, noted=recorded)
    else:
        while mine.recorded and mine.recorded[0].set == event["set"] and mine.recorded[0].at == state.at:
            mine.recorded.popleft()
    mine.dice, mine.registered = None, False
    return []


def _check_movable(state: State) -> None:
    """Check that dice are exchanged between rounds, or in a round of Sic Bo before the shake."""
    between = not state.round.done and not state.new_bets()
    ensure(between or (not state.book.craps and "shake" not in state.round.acts), "moved-after-shake")


def _check_register(mine: Custody, kind: str, name: str, at: str) -> RecordedMove:
    """Return the register's entry of a move that the table has recorded."""
    recorded = mine.recorded.popleft() if mine.recorded else None
    if recorded is None or recorded[:3] != (kind, name, at):
        raise CheckFailed("no-such-move", name=name)
    return recorded


def _check_age(state: State, first_used: str) -> None:
    now, since = datetime.fromisoformat(state.at), datetime.fromisoformat(first_used)
    ensure(since <= now, "used-later")
    for life in state.book.lives:
        if life.shaker in ("any", state.shaker) and now > _end(life, since):
            text = "too-old-hours" if life.unit == "hours" else "too-old-months"
            raise CheckFailed(text, first_used=first_used, length=life.length)


def _end(life: Life, since: datetime) -> datetime:
    if life.unit == "hours":
        return since + timedelta(hours=life.length)
    year, month = divmod(since.year * 12 + since.month - 1 + life.length, 12)
    return since.replace(year=year, month=month + 1, day=min(since.day, monthrange(year, month + 1)[1]))


# ---------------------------------------------------------------- shakers


def opened(state: State) -> None:
    """Place the setup's shaker at the table unless it was put away; an automated one stays where it is."""
    mine = state.custody
    if mine.shakers.get("manual", {}).get("place") == "in use":
        del mine.shakers["manual"]
    mine.shakers.setdefault(state.shaker, _shaker())


def closed(state: State) -> None:
    """Check that no dice are left in the shaker of a closed table, and that nobody is responsible for it."""
    mine = state.custody
    ensure(not mine.held or mine.dice is None, "closed-with-dice")
    mine.dealer = None


def _shaker(place: str = "in use", name: str = "") -> Body:
    return {"place": place, "name": name}


def shaker_put_away(state: State, event: Body, _who: Actor) -> Moves:
    mine = state.custody
    if mine.held:
        ensure(not state.round.done and not state.new_bets(), "change-between")
        ensure(event["how"] in state.book.put_away, "put-away-how", how=event["how"])
        ensure(state.shaker != "automated" or mine.dice is None, "put-away-full")
    name = mine.shakers.get("automated", {}).get("name", "")
    mine.shakers["automated"] = _shaker(PLACES[event["how"]], name)
    return []


def shaker_in_use(state: State, event: Body) -> None:
    """Check a shaker that is put into use; the table's own state follows elsewhere."""
    mine, shaker = state.custody, event["shaker"]
    if mine.held:
        ensure(mine.dice is None, "other-not-empty")
        ensure(not _has_failed(state, shaker), "shaker-failed", shaker=shaker)
        if shaker == "manual":
            ensure(not mine.on_table("automated"), "manual-beside")
            has_keeper = state.book.answerable.get("manual")
            ensure(not has_keeper or mine.dealer is not None, "manual-unattended")
    name = event.get("name") or mine.shakers.get(shaker, {}).get("name", "")
    away = {other: one for other, one in mine.shakers.items() if one["place"] != "in use"}
    mine.shakers = {**away, shaker: _shaker(name=name)}
    mine.dice = None


def _has_failed(state: State, shaker: str) -> bool:
    """Return whether a shaker has failed and was not repaired."""
    items = (state.book.items[name] for name in state.failed if name in state.book.items)
    return any(item.kind == "shaker" and item.shaker == shaker for item in items)


def _check_in_use(state: State) -> None:
    mine = state.custody
    beside = state.shaker == "manual" and mine.on_table("automated")
    ensure(not beside, "manual-beside")
    ensure(mine.on_table(state.shaker), "shaker-away", shaker=state.shaker)


# ---------------------------------------------------------------- the dealer


def dealer_took_over(state: State, event: Body, who: Actor) -> Moves:
    ensure(event["dealer"] == who.name, "takes-for", who=who.name, dealer=event["dealer"])
    state.custody.dealer = who.name
    return []


def dealer_left(state: State, _event: Body, who: Actor) -> Moves:
    mine = state.custody
    if mine.held:
        ensure(mine.dealer == who.name, "leaves-not-dealing", who=who.name, dealer=mine.dealer)
        has_keeper = not state.book.craps and (state.book.answerable.get(state.shaker) or state.shaker == "manual")
        ensure(not has_keeper, "shaker-left", shaker=state.shaker)
        ensure(not state.round.done and not state.new_bets(), "left-in-round")
    mine.dealer = None
    return []


def check_step(state: State, act: str, who: Actor) -> None:
    """Check that the dealer responsible for the table takes a step, and shakes valid dice where allowed."""
    mine = state.custody
    if not mine.held or state.automatic or state.book.craps:
        return
    dealers = state.book.answerable.get(state.shaker) or state.book.lowest
    if who.role in dealers:
        ensure(who.name == mine.dealer, "not-answerable", who=who.name, dealer=mine.dealer or "nobody")
    if act == "shake":
        _check_in_use(state)
        if mine.dice is None:
            raise CheckFailed("no-dice")
        _check_age(state, mine.dice["first_used"])
        ensure("dice" not in map(state.book.equipment.get, state.failed), "damaged-shaken")
        ensure(not _has_failed(state, state.shaker), "shaker-failed", shaker=state.shaker)


def check_end(state: State) -> None:
    """Check that every move in the register is in the table's own record."""
    for left in state.custody.recorded:
        raise CheckFailed("register-has", kind=left.kind, set=left.set)


def snapshot_fields(state: State) -> dict[str, Any]:
    """Return the custody in the format of snapshots."""
    mine = state.custody
    return {"dice": mine.dice, "shakers": mine.shakers, "dealer": mine.dealer} if mine.held else {}
