"""The equipment of a book: what is checked, and how it is inspected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple


class Life(NamedTuple):
    """How long dice may be used in a shaker."""

    shaker: str
    length: int
    unit: str


@dataclass(frozen=True, slots=True)
class Point:
    """A requirement on an item."""

    clause: str
    shaker: str | None
    group: str | None
    approval: bool
    pays: bool
    """Whether it displays what is paid."""


@dataclass(frozen=True, slots=True)
class Item:
    """Equipment with the points to check."""

    kind: str
    shaker: str | None
    checklist: bool
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Test:
    """An inspection."""

    equipment: str
    when: str
    shaker: str | None
    how: str
    times: int


def read_item(thing: dict[str, Any]) -> Item:
    """Return an item with the points on which it is checked."""
    points = tuple(
        Point(
            clause=str(point["clause"]),
            shaker=point.get("shaker"),
            group=point.get("group"),
            approval=point.get("approval", False),
            pays=point.get("displays") == "pays",
        )
        for point in thing.get("requires", ())
    )
    return Item(thing["kind"], thing.get("shaker"), thing.get("checklist", False), points)


def read_test(test: dict[str, Any]) -> Test:
    """Return an inspection."""
    return Test(
        equipment=test["equipment"],
        when=test["when"],
        shaker=test.get("shaker"),
        how=test["how"],
        times=test["times"],
    )


def read_lives(equipment: dict[str, Any]) -> tuple[Life, ...]:
    """Return how long dice may be used in each shaker."""
    return tuple(
        Life(life["shaker"], life["length"], life["unit"])
        for thing in equipment.values()
        if thing["kind"] == "dice"
        for life in thing.get("life", [])
    )
