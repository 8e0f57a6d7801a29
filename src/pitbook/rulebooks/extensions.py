"""A licensee's own book that extends a packaged one: what it may change, and how far."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pitbook.mistakes import suggestion
from pitbook.rulebooks.problems import Problem
from pitbook.rulebooks.text import Identity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Wager

MAY_CHANGE = (
    "book.id",
    "book.title",
    "book.authority",
    "book.about",
    "book.version",
    "book.in_force_since",
    "book.inferred",
    "book.currency",
    "wager.*.name",
    "wager.*.pays",
    "wager.*.limits",
    "option.*.default",
    "reading.*.default",
    "group.*.name",
    "offer",
)


def forbidden_keys(own: Mapping[str, Any], file: str) -> Iterator[Problem]:
    """Keys that an extending book may not touch."""
    for key in _keys(own):
        if key == "book.extends" or any(_covers(pattern, key) for pattern in MAY_CHANGE):
            continue
        section, _, name = key.partition(".")
        if section == "book" and name not in Identity.model_fields:
            yield Problem(file, key, "no such key", suggestion(name, Identity.model_fields))
        else:
            right = "an extending book changes only " + ", ".join(MAY_CHANGE)
            yield Problem(file, key, "is the regulator's to say", right)


def allowed(own: Mapping[str, Any], key: str = "") -> dict[str, Any]:
    """A copy of an extending book's data without the keys that it may not touch."""
    kept: dict[str, Any] = {}
    for name, value in own.items():
        place = f"{key}.{name}" if key else name
        if place == "book.extends" or any(_covers(pattern, place) for pattern in MAY_CHANGE):
            kept[name] = value
        elif isinstance(value, dict):
            kept[name] = allowed(value, place)
    return kept


def _keys(data: Mapping[str, Any], key: str = "") -> Iterator[str]:
    for name, value in data.items():
        place = f"{key}.{name}" if key else name
        if isinstance(value, dict) and value and not any(_covers(pattern, place) for pattern in MAY_CHANGE):
            yield from _keys(value, place)
        else:
            yield place


def _covers(pattern: str, key: str) -> bool:
    wanted, given = pattern.split("."), key.split(".")
    pairs = zip(wanted, given, strict=False)
    return len(given) >= len(wanted) and all(want in ("*", have) for want, have in pairs)


def beyond_the_base(own: Rulebook, base: Rulebook, file: str) -> Iterator[Problem]:
    """Pays and limits outside what the extended book allows, each with its clause."""
    for wager in own.wagers.values():
        yield from _pays_beyond(wager, base, file)
        yield from _limits_beyond(wager, base, file)


def _pays_beyond(wager: Wager, base: Rulebook, file: str) -> Iterator[Problem]:
    original = base.wagers[wager.id]
    for paytable, rows in wager.pays.items():
        for row, odds in rows.items():
            least = original.pays[paytable][row]
            clause = original.row_clauses[paytable][row]
            if base.odds.basis == "fixed" and odds != least:
                wrong = f"{wager.id} pays {odds} ({row}); {base.id} {clause} fixes {least}"
                yield Problem(file, f"wager.{wager.family}.pays", wrong, f"pay {least}")
            elif odds.gain < least.gain:
                wrong = f"{wager.id} pays {odds} ({row}); {base.id} {clause} asks for no less than {least}"
                yield Problem(file, f"wager.{wager.family}.pays", wrong, f"pay {least} or more")


def _limits_beyond(wager: Wager, base: Rulebook, file: str) -> Iterator[Problem]:
    outer, inner = base.wagers[wager.id].limits, wager.limits
    if not outer or not inner:
        return
    clause = ", ".join(outer.clause)
    key = f"wager.{wager.family}.limits"
    if outer.stake_min and (inner.stake_min or 0) < outer.stake_min:
        yield Problem(file, key, f"less than {outer.stake_min} may be staked", f"{clause}: {outer.stake_min} or more")
    for name in ("stake_max", "payoff_max"):
        most, own = getattr(outer, name), getattr(inner, name)
        if most and (own is None or own > most):
            yield Problem(file, f"{key}.{name}", f"{own} is above {most}", f"{clause}: {most} or less")
