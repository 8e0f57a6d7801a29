"""The auditor's own reader of wagers: what decides each one, what it pays, and when it is made and taken down."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from pitbook.audit.conditions import Throws, all_throws, winning_throws
from pitbook.audit.odds import PUSH
from pitbook.audit.pays import Pays, charge, divided_odds, fixed_rows, read_commission, read_pays

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pitbook.audit.hand import Hand
    from pitbook.audit.odds import Odds
    from pitbook.audit.pays import Commission

Rows = tuple[tuple[str, Throws], ...]
"""Rows of a pay table with the throws that reach them; the first match counts."""

RETURNED = "returned"
"""The row of a bet that is returned because the bet behind which it was placed was decided or taken down."""


class Tied(NamedTuple):
    """The bet behind which another one is made."""

    parent: str
    point: int | None
    """The parent's own point; None behind a bet on the shooter's point."""
    multiple: dict[int, int]
    """How many times the parent's stake may be bet, by point."""
    by_win: bool
    """Whether the multiple limits the win, not the stake."""
    clauses: tuple[str, ...]


class TakeDown(NamedTuple):
    """When a bet may be taken down: at any time, before it has a point, or never."""

    when: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)  # compared by identity, so that results can be cached for each
class Wager:
    """One area of the layout."""

    id: str
    family: str
    group: str
    kind: str
    """pattern, collect, repeat, count or phases."""
    wins: Rows
    """For a pattern: the rows of a throw."""
    phases: dict[int | None, Rows]
    """For a bet decided by phases: the rows on a come-out roll (None) and on each point; off on those missing."""
    own_point: bool
    """Whether the bet has its own point, to which it travels."""
    tied: Tied | None
    calls: tuple[str, ...]
    """The clauses by which it can be called on and off; none if it cannot."""
    take_down: TakeDown | None
    commission: Commission | None
    numbers: frozenset[int]
    conditions: tuple[Throws, ...]
    """For a collect without totals: the throws that mark each of its numbers, counted from 1."""
    points_made: bool
    """Whether only points that the shooter makes are collected."""
    times: int
    counts: str
    ladder: tuple[str, ...]
    """For a count, or a collect by count: the row of each count; the last one also applies to higher counts."""
    loses_on: str
    after_win: str
    pays: Pays
    """By pay table, of which the first is the default, and row."""
    rolls: str
    """When it is made: on "any roll", the "come-out" or with "point on"."""
    watches: tuple[str, ...]
    """The areas that must be clear when it is bet."""
    stake_min: int
    stake_max: int
    payoff_max: int | None
    envy: int
    """The dealers' bonus if it wins: in minor units, or as a multiple of the stake."""
    envy_by_stake: bool
    labels: int | None
    """How many lammers there are to count with; the last one stays."""
    book: str
    """The book that it is from."""

    @property
    def marked(self) -> bool:
        """Whether lammers show its progress, which all bets on it share."""
        return self.kind not in ("pattern", "phases")


class Sheet(NamedTuple):
    """The parts of a book that its wagers depend on."""

    groups: dict[str, Any]
    dice: int
    unit: int
    equipment: dict[str, Any]
    hand: Hand


def read_wagers(data: dict[str, Any], sheet: Sheet) -> dict[str, Wager]:
    """Return every wager of a book by its id."""
    every: dict[str, Wager] = {}
    for family, text in data["wager"].items():
        for wager in _selections(family, text, sheet, every):
            every[wager.id] = wager
    return every


def _selections(family: str, text: dict[str, Any], sheet: Sheet, above: Mapping[str, Wager]) -> Iterator[Wager]:
    kind = text.get("family", "pattern")
    group = text.get("group", "")
    tables = tuple(sheet.groups[group].get("paytables", ())) if group else ()
    selections = tuple(text.get("repeats", ())) or tuple(text.get("selections", ()))
    limits, envy = text.get("limits", {}), text.get("envy", {})
    window = text.get("window", {"rolls": "any roll", "clear": "none"})
    ladder = read_ladder(text.get("rows", {}))
    parts = tuple(above[name] for name in text.get("parts", ()))
    collects = text.get("collects", ())
    conditions = tuple(winning_throws(one, sheet.dice) for one in collects if isinstance(one, str))
    for selection in selections or (None,):
        own = f"{family}/{selection}" if selection else family
        wins = _divided_rows(parts, sheet.dice) if parts else ()
        if kind == "pattern" and not parts:
            wins = _wins(text["wins"], selection, sheet.dice)
        phases = _phases(text["phases"], selection, sheet) if kind == "phases" else {}
        tied = _tied(text.get("tied"), selection, sheet.hand, above)
        commission = read_commission(text.get("commission"))
        rows = _rows(kind, wins, phases, ladder)
        if parts:
            pays: Pays = {None: {row: divided_odds(_row_odds(parts, throws)) for row, throws in wins}}
        else:
            pays = read_pays(text["pays"], tables, selection, selections, rows)
        for table in pays.values():
            table |= fixed_rows(("lose",) if kind == "pattern" else rows)
            if tied is not None:
                table[RETURNED] = PUSH
            if commission is not None:
                charge(table, commission)
        repeats = text["repeats"][selection] if kind == "repeat" else {}
        numbers = repeats.get("numbers", range(1, len(conditions) + 1) if conditions else collects)
        clear = window.get("clear", "own")
        watches = {"own": (own,), "none": ()}.get(clear) if isinstance(clear, str) else tuple(clear)
        down = text.get("take_down")
        yield Wager(
            id=own,
            family=family,
            group=group,
            kind=kind,
            wins=wins,
            phases=phases,
            own_point=text.get("own_point", False),
            tied=tied,
            calls=listed(text["calls"]["clause"]) if "calls" in text else (),
            take_down=TakeDown(down["when"], listed(down["clause"])) if down else None,
            commission=commission,
            numbers=frozenset(numbers),
            conditions=conditions,
            points_made=text.get("collected") == "points made",
            times=repeats.get("times", 0),
            counts=text.get("counts", ""),
            ladder=ladder,
            loses_on=text.get("loses_on", ""),
            after_win=text.get("after_win", "wait for a seven"),
            pays=pays,
            rolls=window["rolls"],
            watches=watches or (),
            stake_min=limits.get("stake_min", 0) * sheet.unit or 1,
            stake_max=limits.get("stake_max", 0) * sheet.unit or 10**14,
            payoff_max=limits["payoff_max"] * sheet.unit if "payoff_max" in limits else None,
            envy=_envy(envy, selection or family, sheet.unit),
            envy_by_stake=envy.get("unit") == "multiple of the wager",
            labels=sheet.equipment.get(f"{family}-lammers", {}).get("count"),
            book=text["book"],
        )


def listed(clause: str | Sequence[str]) -> tuple[str, ...]:
    """Return clauses that a book states as one or as a list."""
    return (clause,) if isinstance(clause, str) else tuple(clause)


def _envy(envy: dict[str, Any], name: str, unit: int) -> int:
    pays = int(envy.get("pays", {}).get(name, 0))
    return pays if envy.get("unit") == "multiple of the wager" else pays * unit


# ---------------------------------------------------------------- what decides a wager


def _throws(words: str, selection: str | None, dice: int) -> Throws:
    faces = " ".join(re.findall(r"\d", selection or ""))
    return winning_throws(words.replace("{number}", selection or "").replace("{faces}", faces), dice)


def _wins(text: str | dict[str, str], selection: str | None, dice: int) -> Rows:
    rows = {"win": text} if isinstance(text, str) else text
    return tuple((row, _throws(words, selection, dice)) for row, words in rows.items())


def _phases(text: dict[str, dict[str, str]], selection: str | None, sheet: Sheet) -> dict[int | None, Rows]:
    found: dict[int | None, Rows] = {}
    for point in (None, *sheet.hand.points):
        rows = text.get("any roll") or text.get("come-out" if point is None else "point")
        if rows is not None:
            filled = {
                row.replace("{point}", str(point)): when.replace("{point}", str(point)) for row, when in rows.items()
            }
            found[point] = _wins(filled, selection, sheet.dice)
    return found


def row_reached(rows: Rows, throw: tuple[int, ...]) -> str | None:
    """Return the first row that a throw fits, or None."""
    return next((row for row, throws in rows if throw in throws), None)


def _divided_rows(parts: tuple[Wager, ...], dice: int) -> Rows:
    """Return a row for each set of parts that win together; a throw with which none wins is lost."""
    rows: dict[str, set[tuple[int, ...]]] = {}
    for throw in sorted(all_throws(dice)):
        won = [part.family for part in parts if row_reached(part.wins, throw)]
        if won:
            rows.setdefault(" and ".join(won), set()).add(throw)
    return tuple((row, frozenset(throws)) for row, throws in rows.items())


def _row_odds(parts: tuple[Wager, ...], throws: Throws) -> list[Odds]:
    """Return the odds that each part of a stake reaches with these throws."""
    return [part.pays[None][row_reached(part.wins, min(throws)) or "lose"] for part in parts]


def _rows(kind: str, wins: Rows, phases: Mapping[int | None, Rows], ladder: tuple[str, ...]) -> tuple[str, ...]:
    """Return the rows that a wager can reach, except one that a pattern reaches when nothing else does."""
    if kind == "pattern":
        return tuple(row for row, _ in wins)
    if kind == "phases":
        return tuple(dict.fromkeys(row for rows in phases.values() for row, _ in rows))
    return tuple(dict.fromkeys(ladder)) or ("win", "lose")


def read_ladder(rows: dict[str, str]) -> tuple[str, ...]:
    """Return the row of each count from 0 on, from spans like "0..2", "3" and "10.."."""
    steps: dict[int, str] = {}
    for row, span in rows.items():
        low, dots, high = span.partition("..")
        first = int(low or 0)
        for count in range(first, (int(high) if high else first) + 1):
            steps[count] = row
        if not dots:
            steps[first] = row
    return tuple(steps[count] for count in range(len(steps)))


def _tied(text: dict[str, Any] | None, selection: str | None, hand: Hand, above: Mapping[str, Wager]) -> Tied | None:
    if text is None:
        return None
    multiple = text["multiple"]
    if isinstance(multiple, int):
        multiple = dict.fromkeys(map(str, hand.points), multiple)
    by_point = {int(point): times for point, times in multiple.items()}
    point = int(selection) if selection and above[text["parent"]].own_point else None
    return Tied(text["parent"], point, by_point, text.get("measures") == "win", listed(text["clause"]))
