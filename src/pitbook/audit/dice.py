"""Replay of the house's register of dice: one lifetime, one place at a time and one first use for each set."""

from __future__ import annotations

import json
from collections import defaultdict, deque
from typing import TYPE_CHECKING

from pitbook.audit.custody import RecordedMove
from pitbook.audit.errors import CheckFailed, ensure

if TYPE_CHECKING:
    from pitbook.audit.people import Actor, Body, House
    from pitbook.audit.source import Source

MOVES_MAX = 40
"""How many moves of a set a snapshot keeps."""

MOVES = (
    "SELECT kind, body, at FROM entries WHERE table_name = 'house'"
    " AND kind IN ('DiceReceived', 'DiceUsed', 'DiceReturned', 'DiceRetired') ORDER BY sequence"
)


class DiceMoves:
    """The register's moves by table, for the replays of the tables."""

    def __init__(self, source: Source) -> None:
        self.since: str | None = None
        self._by_table: dict[str, deque[RecordedMove]] = defaultdict(deque)
        for kind, body, at in source.rows(MOVES):
            self.since = self.since or at
            try:
                event = json.loads(bytes(body))
            except ValueError:
                continue  # reported by the replay of the house's own record
            if isinstance(event, dict) and event.get("table"):
                first = str(event.get("first_used", ""))
                self._by_table[event["table"]].append(
                    RecordedMove(kind, str(event.get("set")), str(event.get("at")), first, str(event.get("fate", "")))
                )

    def of(self, table: str) -> deque[RecordedMove]:
        """Return the moves at a table, in order."""
        return self._by_table[table]


def received(house: House, event: Body, who: Actor) -> None:
    name, serials = event["set"], event.get("serials", [])
    _check_entry(event, who)
    ensure(name not in house.dice, "set-twice", name=name)
    for other in house.dice.values():
        ensure(not set(serials) & set(other["serials"]), "dice-again", set=other["set"])
    house.dice[name] = {
        "set": name, "serials": serials, "standing": "out", "first_used": "", "table": "", "shaker": "", "moves": [],
    }  # fmt: skip
    _move(house, event, "received")


def used(house: House, event: Body, who: Actor) -> None:
    record = _find_set(house, event, who)
    name = event["set"]
    if record["standing"] != "out":
        standing = {"name": name, "standing": record["standing"]}
        if record["table"]:
            raise CheckFailed("set-not-free-at", **standing, table=record["table"])
        raise CheckFailed("set-not-free", **standing)
    ensure(event["first_used"] <= event["at"], "set-used-later", name=name)
    again = record["first_used"] and record["first_used"] != event["first_used"]
    ensure(not again, "set-time-again", name=name, first_used=record["first_used"])
    record["serials"] = record["serials"] or event.get("serials", [])
    record.update(standing="in use", first_used=event["first_used"], table=event["table"], shaker=event["shaker"])
    _move(house, event, "put in")


def returned(house: House, event: Body, who: Actor) -> None:
    record = _find_set(house, event, who)
    here = record["standing"] == "in use" and record["table"] == event["table"]
    ensure(here, "set-not-there", set=event["set"], table=event["table"])
    record.update(standing="out", table="", shaker="")
    _move(house, event, "taken out")
    if event["fate"] != "kept":
        _retire(house, event)


def retired(house: House, event: Body, who: Actor) -> None:
    record = _find_set(house, event, who)
    may = record["standing"] == "out" or (record["standing"] == "cancelled" and event["fate"] == "destroyed")
    ensure(may, "set-fate", set=event["set"], fate=event["fate"], standing=record["standing"])
    _retire(house, event)


def _retire(house: House, event: Body) -> None:
    fate = event["fate"]
    if fate not in ("cancelled", "destroyed"):
        raise CheckFailed("no-such-fate", fate=fate)
    house.dice[event["set"]]["standing"] = fate
    _move(house, {**event, "table": ""}, fate)


def _find_set(house: House, event: Body, who: Actor) -> Body:
    _check_entry(event, who)
    if event["set"] not in house.dice:
        raise CheckFailed("set-unknown", set=event["set"])
    return house.dice[event["set"]]


def _check_entry(event: Body, who: Actor) -> None:
    ensure(event["by"] == who.name and event["at"] == who.at, "other-person-or-time")


def _move(house: House, event: Body, what: str) -> None:
    record = house.dice[event["set"]]
    move = {
        "what": what,
        "at": event["at"],
        "by": event["by"],
        "table": event.get("table", ""),
        "shaker": event.get("shaker", ""),
        "words": event.get("reason", ""),
    }
    record["moves"] = [*record["moves"], move][-MOVES_MAX:]
