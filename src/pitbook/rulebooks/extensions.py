"""A licensee's own book that extends a packaged one: what it may change, and how far."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pitbook.errors import suggestion
from pitbook.rulebooks.errors import BookError, problem, solution
from pitbook.rulebooks.patches import join_key
from pitbook.rulebooks.text import Identity
from pitbook.rulebooks.wagers import LOSE_ROW

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Wager

Place = tuple[str, ...]
EXTENDS: Place = ("book", "extends")
MAY_CHANGE = (
    "book.id",
    "book.title",
    "book.short",
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


def forbidden_keys(own: Mapping[str, Any], file: str) -> Iterator[BookError]:
    """Keys that an extending book may not touch."""
    for place in _places(own):
        if place == EXTENDS or _may_change(place):
            continue
        key = join_key(place)
        if place[0] == "book" and len(place) == 2 and place[1] not in Identity.model_fields:
            yield BookError(file, key, problem("no-key"), suggestion(place[1], Identity.model_fields))
        else:
            yield BookError(file, key, problem("not-extendable"), solution("only", keys=MAY_CHANGE))


def allowed(own: Mapping[str, Any], above: Place = ()) -> dict[str, Any]:
    """Return a copy of an extending book's data without the keys that it may not change."""
    own_values: dict[str, Any] = {}
    for name, value in own.items():
        place = (*above, name)
        if place == EXTENDS or _may_change(place):
            own_values[name] = value
        elif isinstance(value, dict) and (inner := allowed(value, place)):
            own_values[name] = inner  # never an empty table: it would take the place of what the regulator says
    return own_values


def _places(data: Mapping[str, Any], above: Place = ()) -> Iterator[Place]:
    """Yield where a book says something: down to what may be changed as a whole, to a value or to an empty table."""
    for name, value in data.items():
        place = (*above, name)
        if isinstance(value, dict) and value and not _may_change(place):
            yield from _places(value, place)
        else:
            yield place


def _may_change(place: Place) -> bool:
    """Yield names one by one: a name with dots in it is one name."""
    return any(
        len(place) == len(wanted) and all(want in ("*", have) for want, have in zip(wanted, place, strict=True))
        for wanted in (pattern.split(".") for pattern in MAY_CHANGE)
    )


def find_out_of_bounds(
    wagers: Iterable[Wager], identity: Identity | None, base: Rulebook, file: str
) -> Iterator[BookError]:
    """Yield pays, limits and a currency outside what the extended book allows, each with its clause.

    The book may be broken in other ways: these are its wagers as far as they can be read.
    """
    families: dict[str, Wager] = {}
    for wager in wagers:
        yield from _pays_beyond(wager, base, file)
        families.setdefault(wager.family, wager)
    for wager in families.values():  # a family has one set of limits
        yield from _limits_beyond(wager, base, file)
    limited = next((wager.limits for wager in base.wagers.values() if wager.limits), None)
    stated = base.identity.currency
    if limited and identity and identity.currency != stated:
        wrong = problem("currency", clauses=limited.clause, currency=stated)
        yield BookError(file, "book.currency", wrong, solution("keep-currency", currency=stated))


def own_limits(wagers: Iterable[Wager], base: Rulebook) -> Iterator[tuple[str, str]]:
    """Return the limits that are the licensee's own responsibility, since no clause of the regulator sets them."""
    for wager in wagers:
        outer = base.wagers[wager.id].limits if wager.id in base.wagers else None
        for bound in ("stake_min", "stake_max", "payoff_max"):
            if wager.limits and getattr(wager.limits, bound) != getattr(outer, bound, None):
                yield wager.id, bound


def _pays_beyond(wager: Wager, base: Rulebook, file: str) -> Iterator[BookError]:
    original = base.wagers.get(wager.id)
    if not original or any(set(rows) != set(original.pays.get(table, ())) for table, rows in wager.pays.items()):
        yield BookError(file, f"wager.{wager.family}", problem("not-in-base", base=base.id), solution("leave-out"))
        return
    for paytable, rows in wager.pays.items():
        for row, odds in rows.items():
            least = original.pays[paytable][row]
            key, clause = f"wager.{wager.family}.pays", original.row_clauses[paytable][row]
            given = {"wager": wager.id, "odds": str(odds), "row": row, "base": base.id, "clause": clause}
            if base.odds.basis == "fixed" and odds != least:
                wrong = problem("pays-fixed", **given, least=str(least))
                yield BookError(file, key, wrong, solution("pay", odds=str(least)))
            elif odds.gain < least.gain:
                wrong = problem("pays-below", **given, least=str(least))
                yield BookError(file, key, wrong, solution("pay-at-least", odds=str(least)))


def _limits_beyond(wager: Wager, base: Rulebook, file: str) -> Iterator[BookError]:
    outer = base.wagers[wager.id].limits if wager.id in base.wagers else None
    inner = wager.limits
    key = f"wager.{wager.family}.limits"
    if not inner:
        return
    if inner.payoff_max and not (outer and outer.payoff_max):
        asks = {rows[row]: None for rows in wager.row_clauses.values() for row in rows if row != LOSE_ROW}
        wrong = problem("no-cap", base=base.id, clauses=list(asks))
        yield BookError(file, f"{key}.payoff_max", wrong, solution("stake-max"))
    if not outer:
        return
    clauses = outer.clause
    if inner.clause != outer.clause:
        yield BookError(file, f"{key}.clause", problem("not-extendable"), solution("keep-clause", clauses=clauses))
    if outer.stake_min and (inner.stake_min or 0) < outer.stake_min:
        wrong = problem("stake-below", least=outer.stake_min)
        yield BookError(file, key, wrong, solution("at-least", clauses=clauses, least=outer.stake_min))
    for name in ("stake_max", "payoff_max"):
        most, own = getattr(outer, name), getattr(inner, name)
        if most and (own is None or own > most):
            wrong = problem("limit-above", own=own, most=most) if own else problem("limit-missing", most=most)
            yield BookError(file, f"{key}.{name}", wrong, solution("at-most", clauses=clauses, most=most))
