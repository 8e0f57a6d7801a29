"""The limits of a table, grouped by areas that share them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.server.schemas.tables import LimitGroup, Name
from pitbook.table.limits import NO_LIMIT, limit_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.text import Label
    from pitbook.table.commands import Limit
    from pitbook.table.state import Table


def limit_groups(table: Table) -> tuple[LimitGroup, ...]:
    """Return the limits by areas that share them, the largest set of areas last and unnamed."""
    rules = table.rules
    shared: dict[Limit, list[str]] = {}
    for wager in rules.wagers:
        shared.setdefault(limit_of(table, wager), []).append(wager)
    rest = max(shared, key=lambda limit: len(shared[limit]), default=None)
    ordered = sorted(shared, key=lambda limit: limit is rest)
    return tuple(
        LimitGroup(
            () if limit is rest else tuple(_names(rules, shared[limit])),
            tuple(shared[limit]),
            limit.stake_min,
            highest_maximum([limit]),
        )
        for limit in ordered
    )


def highest_maximum(limits: Iterable[Limit]) -> int | None:
    """Return the highest maximum, or None if one of them has none."""
    most = max((limit.stake_max for limit in limits), default=None)
    return None if most == NO_LIMIT.stake_max else most


def _names(rules: Rulebook, wagers: Sequence[str]) -> Iterable[Name]:
    """Name these wagers: whole groups and whole families by one name, other areas by their own."""
    left = list(wagers)
    for group, found in rules.groups.items():
        yield from _take_complete(left, [one.id for one in rules.wagers.values() if one.group == group], found.name)
    for family in dict.fromkeys(rules.wagers[wager].family for wager in wagers):
        areas = [one.id for one in rules.wagers.values() if one.family == family]
        yield from _take_complete(left, areas, rules.family_name(family))
    yield from (Name.of(rules.wagers[wager].name) for wager in left)


def _take_complete(left: list[str], areas: Sequence[str], name: Label) -> Iterable[Name]:
    """Yield the name and remove its areas from the list, if all of them are on it."""
    if areas and set(areas) <= set(left):
        left[:] = [wager for wager in left if wager not in areas]
        yield Name.of(name)
