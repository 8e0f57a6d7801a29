"""Wagers as the book defines them, one for every area: what they watch for, and what each row pays."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pitbook.errors import InputError, quoted, suggestion
from pitbook.money import LOSE, Odds
from pitbook.rulebooks.conditions import Condition, parse_condition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pitbook.rulebooks.text import Envy, Group, Label, Seven, StakeLimits, WagerText, Window

WIN_ROW = "win"
LOSE_ROW = "lose"


@dataclass(frozen=True, slots=True)
class Pattern:
    """Decided by one throw: the first row whose condition holds, else lost."""

    rows: tuple[tuple[str, Condition], ...]


@dataclass(frozen=True, slots=True)
class Collect:
    """Each of these totals before the losing seven."""

    numbers: frozenset[int]
    loses_on: Seven


@dataclass(frozen=True, slots=True)
class Repeat:
    """Any of these totals so many times before the losing seven."""

    numbers: frozenset[int]
    times: int
    loses_on: Seven


@dataclass(frozen=True, slots=True)
class Count:
    """Points made, or pass line wins, until the ending seven; the count reached is the row."""

    counts: Literal["points made", "pass line wins"]
    ends_on: Seven
    rows: tuple[str, ...]
    """The row for each count from 0; the last one holds for every higher count."""


Spec = Pattern | Collect | Repeat | Count


@dataclass(frozen=True, slots=True)
class Wager:
    """One betting area: `family` or `family/selection`."""

    id: str
    family: str
    selection: str | None
    name: Label
    group: str | None
    clauses: tuple[str, ...]
    spec: Spec
    rows: tuple[str, ...]
    """Every way in which it can end."""
    paytables: tuple[str | None, ...]
    """The names of its pay tables, the default first; one without a name where the book has no choice."""
    pays: Mapping[str | None, Mapping[str, Odds]]
    row_clauses: Mapping[str | None, Mapping[str, str]]
    window: Window | None
    limits: StakeLimits | None
    envy: Envy | None
    after_win: Literal["wait for a seven", "open again"]
    after_win_clauses: tuple[str, ...] = ()

    @property
    def one_roll(self) -> bool:
        """Whether it is decided by the next throw, whatever that shows."""
        return isinstance(self.spec, Pattern)

    @property
    def envy_pays(self) -> int | None:
        """What the dealers get when it wins, in the envy's unit."""
        return self.envy.pays[self.selection or self.family] if self.envy else None

    def clauses_of(self, paytable: str | None, row: str) -> tuple[str, ...]:
        """The clauses that define it and set what this row pays."""
        return (*self.clauses, *(c for c in [self.row_clauses[paytable][row]] if c not in self.clauses))


@dataclass(frozen=True, slots=True)
class WagerError:
    """Something wrong below a wager's key: where, what, and what would be right."""

    key: str
    wrong: str
    right: str


def expand(family: str, text: WagerText, groups: Mapping[str, Group], dice: int) -> Iterator[Wager | WagerError]:
    """A book's wager, one for every selection, and everything that is wrong with it."""
    if text.group is not None and text.group not in groups:
        yield WagerError("group", f"there is no group {quoted(text.group)}", suggestion(text.group, groups))
        return
    paytables = tuple(groups[text.group].paytables) if text.group else ()
    selections = tuple(text.repeats or ()) or tuple(text.selections)
    for stranger in [name for name in text.clause_of if name not in set(selections)]:
        yield WagerError("clause_of", f"there is no selection {quoted(stranger)}", suggestion(stranger, selections))
    double = [name for name, times in Counter(selections).items() if times > 1]
    if double:
        yield WagerError("selections", f"{quoted(double)} named twice", "name each selection once")
    troubles = list(_misplaced_keys(text))
    if troubles:
        yield from troubles
        return
    for selection in dict.fromkeys(selections or (None,)):
        try:
            spec = _SPECS[text.family](text, selection, dice)
        except _InvalidWager as wrong:
            yield wrong.trouble
            spec = None
        yield from _with_pays(family, text, selection, spec, paytables, selections)


class _InvalidWager(Exception):
    def __init__(self, key: str, wrong: str, right: str) -> None:
        self.trouble = WagerError(key, wrong, right)


_NEEDS: dict[str, set[str]] = {
    "pattern": {"wins"},
    "collect": {"collects", "loses_on"},
    "repeat": {"repeats", "loses_on"},
    "count": {"counts", "rows", "loses_on"},
}
_SPEC_KEYS = {key for keys in _NEEDS.values() for key in keys}


def _misplaced_keys(text: WagerText) -> Iterator[WagerError]:
    needs = _NEEDS[text.family]
    for key in sorted(_SPEC_KEYS):
        given = getattr(text, key) is not None
        if given and key not in needs:
            yield WagerError(key, f"a {text.family} wager has no {quoted(key)}", f"it is defined by {sorted(needs)}")
        if not given and key in needs:
            yield WagerError(key, "missing", f"a {text.family} wager is defined by {sorted(needs)}")
    if text.family == "repeat" and text.selections:
        yield WagerError("selections", "a repeat wager has those of `repeats`", "leave it out")


def _pattern(text: WagerText, selection: str | None, dice: int) -> Pattern:
    assert text.wins is not None
    rows = {WIN_ROW: text.wins} if isinstance(text.wins, str) else text.wins
    if not rows:
        raise _InvalidWager("wins", "empty", "say when the wager wins")
    parsed = []
    for row, template in rows.items():
        key = "wins" if isinstance(text.wins, str) else f"wins.{row}"
        try:
            parsed.append((row, parse_condition(_filled(template, selection), dice)))
        except InputError as mistake:
            raise _InvalidWager(key, str(mistake), "write it like `total 4..10 and not triple`") from None
    return Pattern(tuple(parsed))


def _filled(template: str, selection: str | None) -> str:
    if "{" not in template:
        return template
    if selection is None:
        raise InputError(f"{quoted(template)} asks for a selection, and the wager has none")
    faces = " ".join(re.findall(r"\d", selection))
    filled = template.replace("{number}", selection).replace("{faces}", faces)
    if "{" in filled:
        raise InputError(f"{quoted(template)} has a place that is neither {{number}} nor {{faces}}")
    return filled


def _collect(text: WagerText, _selection: str | None, _dice: int) -> Collect:
    assert text.collects is not None
    assert text.loses_on is not None
    _no_seven("collects", text.collects)
    return Collect(frozenset(text.collects), text.loses_on)


def _repeat(text: WagerText, selection: str | None, _dice: int) -> Repeat:
    assert text.repeats is not None
    assert text.loses_on is not None
    if selection not in text.repeats:
        raise _InvalidWager("repeats", "empty", "name at least one selection")
    repetition = text.repeats[selection]
    _no_seven(f"repeats.{selection}.numbers", repetition.numbers)
    return Repeat(frozenset(repetition.numbers), repetition.times, text.loses_on)


def _no_seven(key: str, numbers: list[int]) -> None:
    if not numbers or 7 in numbers or len(set(numbers)) < len(numbers):
        raise _InvalidWager(key, f"{numbers} cannot be won", "name totals from 2 to 12, each once, and not 7")


def _count(text: WagerText, _selection: str | None, _dice: int) -> Count:
    assert text.counts is not None
    assert text.rows is not None
    assert text.loses_on is not None
    ladder: dict[int, str] = {}
    top: int | None = None
    for row, span in text.rows.items():
        found = re.fullmatch(r"(\d{0,3})\.\.(\d{0,3})|(\d{1,3})", span, re.ASCII)
        if not found or span == "..":
            raise _InvalidWager(f"rows.{row}", f"{quoted(span)} is not a span of counts", "write 3, 0..2, ..2 or 10..")
        low = int(found[3] or found[1] or 0)
        high = int(found[3] or found[2] or low)
        if high > 99 or low > high:
            raise _InvalidWager(
                f"rows.{row}", f"{quoted(span)} is not a span of counts", "write the lower count first, up to 99"
            )
        if found[3] is None and not found[2]:
            if top is not None:
                raise _InvalidWager(f"rows.{row}", "a second row without an upper end", "only the top row is open")
            top = low
        for count in range(low, high + 1):
            if count in ladder:
                raise _InvalidWager(
                    f"rows.{row}", f"{count} is already in {quoted(ladder[count])}", "each count has one row"
                )
            ladder[count] = row
    if top is None or sorted(ladder) != list(range(top + 1)):
        right = "every count from 0 has a row, and the highest row is open (10..)"
        raise _InvalidWager("rows", f"the rows cover {sorted(ladder)}", right)
    return Count(text.counts, text.loses_on, tuple(ladder[count] for count in range(top + 1)))


_SPECS: dict[str, Callable[[WagerText, str | None, int], Spec]] = {
    "pattern": _pattern,
    "collect": _collect,
    "repeat": _repeat,
    "count": _count,
}


def _with_pays(
    family: str,
    text: WagerText,
    selection: str | None,
    spec: Spec | None,
    paytables: tuple[str, ...],
    selections: tuple[str, ...],
) -> Iterator[Wager | WagerError]:
    paid = tuple(dict.fromkeys(spec.rows)) if isinstance(spec, Count) else _paid_rows(text)
    axes = {"pay table": paytables, "selection": selections, "row": paid}
    pays: dict[str | None, dict[str, Odds]] = {}
    row_clauses: dict[str | None, dict[str, str]] = {}
    for paytable in paytables or (None,):
        pays[paytable], row_clauses[paytable] = {}, {}
        for row in paid:
            case = {"pay table": paytable, "selection": selection, "row": row}
            try:
                pays[paytable][row] = Odds.parse(find_case(text.pays, axes, case))
            except InputError as mistake:
                yield WagerError("pays", str(mistake), 'write odds like "34 to 1" for every case')
                return
            try:
                row_clauses[paytable][row] = find_case(text.pays_clause, axes, case)
            except InputError as mistake:
                yield WagerError("pays_clause", str(mistake), "name the clause of every case")
                return
        if text.family != "count":
            pays[paytable][LOSE_ROW] = LOSE
            row_clauses[paytable][LOSE_ROW] = text.clause[0]
    if text.envy and (selection or family) not in text.envy.pays:
        yield WagerError("envy.pays", f"nothing for {quoted(selection or family)}", "name what the dealers get for it")
        return
    if spec is None:
        return
    rows_all = paid if isinstance(spec, Count) else (*paid, LOSE_ROW)
    yield Wager(
        id=f"{family}/{selection}" if selection else family,
        family=family,
        selection=selection,
        name=_named(text.name, selection),
        group=text.group,
        clauses=(*text.clause_of.get(selection or "", ()), *text.clause),
        spec=spec,
        rows=rows_all,
        paytables=paytables or (None,),
        pays=pays,
        row_clauses=row_clauses,
        window=text.window,
        limits=text.limits,
        envy=text.envy,
        after_win=text.after_win,
        after_win_clauses=tuple(text.after_win_clause),
    )


def _paid_rows(text: WagerText) -> tuple[str, ...]:
    """The rows whose pay the book must state; of the others only a loss, which needs no statement."""
    if text.family == "count":
        return tuple(text.rows or ())
    return tuple(text.wins) if isinstance(text.wins, dict) else (WIN_ROW,)


def _named(name: Label, selection: str | None) -> Label:
    if selection is None:
        return name
    return name.model_copy(update={key: value.replace("{selection}", selection) for key, value in name})


def find_case(value: Any, axes: Mapping[str, tuple[str, ...]], case: Mapping[str, str | None]) -> str:
    """The text for one case out of a `PerCase`: a list goes by pay table, a table by whichever its keys name."""
    while not isinstance(value, str):
        if isinstance(value, list):
            columns = axes["pay table"]
            if not columns or len(value) != len(columns):
                raise InputError(f"{len(value)} entries for {len(columns)} pay tables")
            value = value[columns.index(str(case["pay table"]))]
        elif isinstance(value, dict):
            axis = _axis(value, axes)
            name = str(case[axis])
            if name not in value:
                raise InputError(f"nothing for {axis} {quoted(name)}")
            value = value[name]
        else:
            raise InputError(f"{quoted(value)} is not a text")
    return value


def _axis(table: Mapping[str, Any], axes: Mapping[str, tuple[str, ...]]) -> str:
    for axis, names in axes.items():
        if table and set(table) <= set(names):
            return axis
    known = [name for names in axes.values() for name in names]
    stranger = next((name for name in table if name not in known), None)
    if stranger is None:
        raise InputError("rows, selections and pay tables are mixed in one table" if table else "empty")
    raise InputError(f"no row, selection or pay table {quoted(stranger)}; {suggestion(stranger, known)}")
