"""Stored snapshots: each must be complete and equal the replay at that entry."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pitbook.audit.chain import snapshot_hash
from pitbook.audit.custody import snapshot_fields
from pitbook.audit.errors import CheckFailed, ensure
from pitbook.audit.side_bets import state_key, state_numbers

if TYPE_CHECKING:
    from pitbook.audit.state import State

Snapshot = tuple[int, bytes, bytes, bytes]
"""Sequence, head, content, hash."""

PAID = -1
DISPLAY_FIELDS = ("by", "behalf")
"""Parts of a bet that are only displayed."""
BET_SINCE: dict[str, Any] = {"point": None, "called": None, "since_roll": 0, "commission": 0}
"""Parts of a bet that older snapshots do not have, with their values then."""
SINCE: dict[str, Any] = {"purses": {}}
"""Parts of a table that older snapshots do not have, with their values then."""


def check_snapshot(state: State, snapshot: Snapshot, head: bytes) -> None:
    """Check a snapshot's hash, its place in the chain, and every part that later entries depend on."""
    sequence, after, content, stored = snapshot
    ensure(stored == snapshot_hash(state.name, sequence, after, content), "snapshot-hash")
    ensure(after == head, "snapshot-other")
    try:
        given = json.loads(content)
    except ValueError as error:
        raise CheckFailed("snapshot-json", error=error) from None
    given["bets"] = {number: _recorded_bet(bet) for number, bet in given["bets"].items()}
    for name, right in _expected_fields(state).items():
        if given.get(name, SINCE.get(name)) != right:
            raise CheckFailed("snapshot-value", name=name, given=given.get(name), right=right)
    _check_setup(state.setup, given["setup"])
    _check_round(state, given["round"])
    low = {*given["under_minimum"], *given["round"].get("low", ())}  # older snapshots have both in one
    ensure(low == state.low | state.round.low, "snapshot-low", low=sorted(low))
    _check_areas(state, given["areas"])


def _recorded_bet(bet: dict[str, Any]) -> dict[str, Any]:
    """Return a bet of a snapshot without what is only displayed."""
    return {**BET_SINCE, **{name: value for name, value in bet.items() if name not in DISPLAY_FIELDS}}


def _expected_fields(state: State) -> dict[str, Any]:
    return {
        "id": state.name,
        "open": state.open,
        "step": state.step,
        "point": state.point,
        "bets": {str(number): _fields(bet) for number, bet in state.bets.items()},
        "next_bet": state.next_bet,
        "shaker": state.shaker,
        "failed": state.failed,
        "power_failed": state.power_failed,
        "withdrawn": state.withdrawn,
        "shooter": state.shooter,
        "purses": {player: purse._asdict() for player, purse in state.purses.items()},
        "disputed": state.disputed,
        "inventory": state.books["day"],
        "shift_inventory": state.books["shift"],
        **snapshot_fields(state),
    }


def _check_setup(right: dict[str, Any], given: Any) -> None:
    """Check the setup against its event; a snapshot may have fields that were added since."""
    same = isinstance(given, dict) and _covers(given, right)
    ensure(same, "snapshot-setup", given=given, right=right)


LATER = {"witness": "named", "reveal_seconds": 30}
"""Fields of a setup that older events lack, with their values then; others are empty."""


def _covers(given: dict[str, Any], right: dict[str, Any]) -> bool:
    added = [value for name, value in given.items() if name not in right and value != LATER.get(name)]
    return not any(added) and all(
        _covers(given[name], value) if name == "automatic" and value and given.get(name) else given.get(name) == value
        for name, value in right.items()
    )


def _fields(thing: Any) -> dict[str, Any]:
    return {name: getattr(thing, name) for name in thing.__slots__}


def _check_round(state: State, given: dict[str, Any]) -> None:
    now = state.round
    right = {
        "number": now.number,
        "done": now.done,
        "announced": list(now.announced),
        "entered": list(now.entered),
        "shakes": now.shakes,
        "ended": now.ended,
    }
    for name, value in right.items():
        ensure(given[name] == value, "snapshot-round", name=name, given=given[name], right=value)
    open_yet = {int(number): row for number, row in given.get("decided", {}).items()}
    ensure(open_yet == now.decided, "snapshot-decided", given=open_yet, right=now.decided)
    for name, areas in (("placed", now.placed), ("cleared", now.cleared)):
        ensure(set(given[name]) == areas, "snapshot-lammers", name=name, given=given[name])


def _check_areas(state: State, given: dict[str, list[Any]]) -> None:
    """Check areas by the numbers of their states: those with lammers, and one-throw wagers in their initial state.

    Nothing depends on the areas of bets that have their own state.
    """
    book = state.book
    ensure(set(given) == {*book.offered, *state.areas}, "snapshot-areas")
    still = all(tuple(given[name]) == (0, False) for name in book.offered if book.every[name].kind == "pattern")
    ensure(still, "snapshot-moved")
    for name, area in state.areas.items():
        wager = state.book.every[name]
        number = PAID if area.paid else state_numbers(wager, state.book.hand)[state_key(wager, area.marks, state.point)]
        right = (number, area.just_won)
        ensure(tuple(given[name]) == right, "snapshot-area", name=name, given=given[name], right=right)
