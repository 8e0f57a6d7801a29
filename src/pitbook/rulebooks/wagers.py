"""Wagers as the book defines them, one for every area: how they are decided, and what each row pays."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

from pitbook.dice import rolls
from pitbook.errors import InputError, quoted, suggestion
from pitbook.money import LOSE, PUSH, Odds
from pitbook.rulebooks.conditions import AnyOf, Condition, parse_condition
from pitbook.rulebooks.errors import problem, solution

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from pitbook.dice import Roll
    from pitbook.messages import Message
    from pitbook.rulebooks.text import (
        Calls,
        Commission,
        Envy,
        Group,
        Label,
        Seven,
        StakeLimits,
        TakeDownRule,
        Tied,
        WagerText,
        Window,
    )

WIN_ROW = "win"
LOSE_ROW = "lose"
PUSH_ROW = "push"
RETURN_ROW = "returned"
"""A tied bet whose parent is decided while it is off."""
FIXED_ROWS = {LOSE_ROW: LOSE, PUSH_ROW: PUSH, RETURN_ROW: PUSH}
"""Rows whose pay no book states."""


@dataclass(frozen=True, slots=True)
class HandRule:
    """Rules of the come-out roll: totals that set a point, and totals that win for the pass line."""

    points: tuple[int, ...]
    naturals: frozenset[int]


USUAL_HAND = HandRule((4, 5, 6, 8, 9, 10), frozenset({7, 11}))


@dataclass(frozen=True, slots=True)
class Pattern:
    """Decided by one throw: the first row whose condition holds, else lost."""

    rows: tuple[tuple[str, Condition], ...]


@dataclass(frozen=True, slots=True)
class Collect:
    """Each of these numbers before the losing seven; with a ladder of rows, as many as come."""

    numbers: frozenset[int]
    """Totals; or the places of the conditions, from 1."""
    loses_on: Seven
    conditions: tuple[Condition, ...] = ()
    """The condition that marks each number, if it is not the total."""
    collected: Literal["each roll", "points made"] = "each roll"
    rows: tuple[str, ...] = ()
    """The row for each count of marked numbers from 0; none where only all of them win."""
    hand: HandRule = USUAL_HAND


@dataclass(frozen=True, slots=True)
class Repeat:
    """Any of these totals so many times before the losing seven."""

    numbers: frozenset[int]
    times: int
    loses_on: Seven
    hand: HandRule = USUAL_HAND


@dataclass(frozen=True, slots=True)
class Count:
    """Points made, pass line wins or rolls until the ending seven; the count reached is the row."""

    counts: Literal["points made", "pass line wins", "rolls"]
    ends_on: Seven
    rows: tuple[str, ...]
    """The row for each count from 0; the last one holds for every higher count."""
    hand: HandRule = USUAL_HAND


@dataclass(frozen=True, slots=True)
class Parent:
    """The bet that another one is tied to, and its point if it has its own."""

    wager: str
    spec: Phases
    point: int | None


@dataclass(frozen=True, slots=True)
class Phases:
    """Decided by rows that depend on the hand; off where it has none."""

    phases: tuple[tuple[int | None, tuple[tuple[str, Condition], ...]], ...]
    """The rows on each point, and on the come-out roll (None)."""
    own_point: bool = False
    parent: Parent | None = None
    hand: HandRule = USUAL_HAND

    def rows_on(self, point: int | None) -> tuple[tuple[str, Condition], ...] | None:
        """Return the rows on a point, or on the come-out roll; None where the bet is off."""
        return next((rows for known, rows in self.phases if known == point), None)

    @property
    def rows(self) -> tuple[str, ...]:
        """Every row that it can end in: those that pay first."""
        named = dict.fromkeys(chain.from_iterable((row for row, _ in rows) for _, rows in self.phases))
        if self.parent and self.parent.point is not None and any(self.rows_on(p) is None for p in self.every_point):
            named[RETURN_ROW] = None
        return tuple(sorted(named, key=lambda row: row in FIXED_ROWS))

    @property
    def every_point(self) -> tuple[int | None, ...]:
        """The come-out (None), and the points."""
        return (None, *self.hand.points)


@dataclass(frozen=True, slots=True)
class Own:
    """Decided by a game that was written in Python, for what data cannot say."""

    game: Any
    """A `pitbook.wager.games.Game`, which can be hashed."""


Spec = Pattern | Collect | Repeat | Count | Phases | Own


def has_ladder(spec: Spec) -> bool:
    """Return whether the rows are those of a ladder of counts, each with its own pay."""
    return isinstance(spec, Count) or (isinstance(spec, Collect) and bool(spec.rows))


def ladder_of(spec: Spec) -> str:
    """Return what the rows of a wager count."""
    if isinstance(spec, Count):
        return spec.counts
    return "numbers collected" if has_ladder(spec) else "ends with"


@dataclass(frozen=True, slots=True, repr=False)
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
    after_win: Literal["wait for a seven", "open again", "stays up"]
    after_win_clauses: tuple[str, ...] = ()
    tied: Tied | None = None
    commission: Commission | None = None
    take_down: TakeDownRule | None = None
    calls: Calls | None = None

    def __repr__(self) -> str:
        return f"<Wager {self.id}>"

    @property
    def marked(self) -> bool:
        """Whether lammers show its progress, which all stakes on it share."""
        return not isinstance(self.spec, Pattern | Phases | Own)

    @property
    def own_state(self) -> bool:
        """Whether each bet on it has its own state, apart from all other bets on the area."""
        return isinstance(self.spec, Phases)

    @property
    def one_roll(self) -> bool:
        """Whether it is decided by the next throw, whatever that shows."""
        return isinstance(self.spec, Pattern)

    @property
    def envy_pays(self) -> int | None:
        """The dealers' bonus when it wins, in the envy's unit."""
        return self.envy.pays[self.selection or self.family] if self.envy else None

    def clauses_of(self, paytable: str | None, row: str) -> tuple[str, ...]:
        """Return the clauses that define it and set what this row pays."""
        return (*self.clauses, *(c for c in [self.row_clauses[paytable][row]] if c not in self.clauses))


@dataclass(frozen=True, slots=True)
class WagerError:
    """An error below a wager's key: where, what is wrong, and how to correct it."""

    key: str
    problem: Message
    solution: Message


def expand(
    family: str,
    text: WagerText,
    groups: Mapping[str, Group],
    dice: int,
    hand: HandRule = USUAL_HAND,
    above: Mapping[str, Wager] | None = None,
) -> Iterator[Wager | WagerError]:
    """Yield a book's wager, one for every selection, and everything that is wrong with it.

    `above` are the wagers that the book states before this one: it can be tied to one, or be made up of several.
    """
    if text.group is not None and text.group not in groups:
        wrong = problem("unknown", kind="group", name=quoted(text.group))
        yield WagerError("group", wrong, suggestion(text.group, groups))
        return
    paytables = tuple(groups[text.group].paytables) if text.group else ()
    selections = tuple(text.repeats or ()) or tuple(text.selections)
    for stranger in [name for name in text.clause_of if name not in set(selections)]:
        wrong = problem("unknown", kind="selection", name=quoted(stranger))
        yield WagerError("clause_of", wrong, suggestion(stranger, selections))
    double = [name for name, times in Counter(selections).items() if times > 1]
    if double:
        yield WagerError("selections", problem("selections-twice", names=quoted(double)), solution("selection-once"))
    troubles = list(_misplaced_keys(text))
    if troubles:
        yield from troubles
        return
    for selection in dict.fromkeys(selections or (None,)):
        case = _Case(text, selection, dice, hand, above or {})
        try:
            spec = _SPECS[text.family](case)
        except _InvalidWager as invalid:
            yield invalid.trouble
            spec = None
        yield from _with_pays(family, case, spec, paytables, selections)


@dataclass(frozen=True, slots=True)
class _Case:
    """One selection of a wager, and what it may refer to."""

    text: WagerText
    selection: str | None
    dice: int
    hand: HandRule
    above: Mapping[str, Wager]


class _InvalidWager(Exception):
    def __init__(self, key: str, wrong: Message, right: Message) -> None:
        self.trouble = WagerError(key, wrong, right)


_NEEDS: dict[str, set[str]] = {
    "pattern": {"wins"},
    "collect": {"collects", "loses_on"},
    "repeat": {"repeats", "loses_on"},
    "count": {"counts", "rows", "loses_on"},
    "phases": {"phases"},
}
_MAY_HAVE: dict[str, set[str]] = {
    "collect": {"rows", "collected"},
    "phases": {"own_point", "tied", "commission", "calls"},
}
_SPEC_KEYS = {key for keys in (*_NEEDS.values(), *_MAY_HAVE.values()) for key in keys}
_UNSET = (None, False, "each roll")
"""Values of a definition's keys that a book leaves out."""


def _misplaced_keys(text: WagerText) -> Iterator[WagerError]:
    needs = _NEEDS[text.family] if text.parts is None else {"parts"}
    for key in sorted(_SPEC_KEYS):
        given = getattr(text, key) not in _UNSET
        if given and key not in needs | _MAY_HAVE.get(text.family, set()):
            wrong = problem("family-has-no", family=text.family, key=quoted(key))
            yield WagerError(key, wrong, solution("defined-by", keys=sorted(needs)))
        if not given and key in needs:
            right = solution("family-defined-by", family=text.family, keys=sorted(needs))
            yield WagerError(key, problem("missing"), right)
    if text.family == "repeat" and text.selections:
        yield WagerError("selections", problem("repeat-selections"), solution("leave-out"))
    if text.after_win == "stays up" and text.family != "phases":
        yield WagerError("after_win", problem("stays-up", family=text.family), solution("leave-out"))
    if text.parts is not None and (text.family != "pattern" or text.group or text.selections):
        yield WagerError("parts", problem("parts-of-pattern"), solution("leave-them-out"))
    if (text.pays is None) != (text.parts is not None):
        if text.pays is None:
            yield WagerError("pays", problem("missing"), solution("required"))
        else:
            yield WagerError("pays", problem("parts-pay"), solution("leave-out"))


def _pattern(case: _Case) -> Pattern:
    text = case.text
    if text.parts is not None:
        return _divided(case)
    assert text.wins is not None
    rows = {WIN_ROW: text.wins} if isinstance(text.wins, str) else text.wins
    if not rows:
        raise _InvalidWager("wins", problem("empty"), solution("when-it-wins"))
    return Pattern(
        tuple(
            (row, _condition(case, template, "wins" if isinstance(text.wins, str) else f"wins.{row}"))
            for row, template in rows.items()
        )
    )


def _condition(case: _Case, template: str, key: str) -> Condition:
    try:
        return parse_condition(_filled(template, case.selection), case.dice)
    except InputError as mistake:
        raise _InvalidWager(key, mistake.message, solution("condition")) from None


def _divided(case: _Case) -> Pattern:
    """Build a stake in equal parts on other wagers: a row for every set of parts that one roll wins."""
    rows: dict[str, list[Roll]] = {}
    for roll in rolls(case.dice):
        won = [part.family for part in _parts(case) if _row_of(part, roll) != LOSE_ROW]
        if won:
            rows.setdefault(" and ".join(won), []).append(roll)
    return Pattern(tuple((row, AnyOf(tuple(roll.faces for roll in found))) for row, found in rows.items()))


def _parts(case: _Case) -> list[Wager]:
    found = []
    for name in case.text.parts or ():
        part = case.above.get(name)
        if part is None or not isinstance(part.spec, Pattern):
            raise _InvalidWager("parts", problem("not-a-part", name=quoted(name)), solution("one-roll-above"))
        found.append(part)
    if len(found) < 2 or len(set(case.text.parts or ())) < len(found):
        raise _InvalidWager("parts", problem("not-divisible", names=case.text.parts), solution("two-parts"))
    return found


def _row_of(wager: Wager, roll: Roll) -> str:
    assert isinstance(wager.spec, Pattern)
    return next((row for row, condition in wager.spec.rows if condition.holds(roll)), LOSE_ROW)


def _divided_pays(case: _Case, spec: Pattern) -> dict[str, Odds]:
    """Return what each row gains: the parts that win less those that lose."""
    parts = _parts(case)
    pays = {}
    for row, condition in spec.rows:
        gains = {
            sum((part.pays[None][_row_of(part, roll)].gain for part in parts), Fraction(0)) / len(parts)
            for roll in rolls(case.dice)
            if condition.holds(roll)
        }
        if len(gains) > 1:
            raise _InvalidWager("parts", problem("several-pays", row=quoted(row)), solution("one-pay"))
        pays[row] = Odds(gains.pop())
    return pays


def _filled(template: str, selection: str | None) -> str:
    if "{" not in template:
        return template
    if selection is None:
        raise InputError("rulebooks.template-selection", template=quoted(template))
    faces = " ".join(re.findall(r"\d", selection))
    filled = template.replace("{number}", selection).replace("{faces}", faces)
    if "{" in filled:
        raise InputError("rulebooks.template-place", template=quoted(template))
    return filled


def _collect(case: _Case) -> Collect:
    text = case.text
    assert text.collects is not None
    assert text.loses_on is not None
    totals = [number for number in text.collects if isinstance(number, int)]
    templates = [template for template in text.collects if isinstance(template, str)]
    if totals and templates:
        raise _InvalidWager("collects", problem("mixed"), solution("one-way"))
    if templates:
        if text.collected == "points made":
            raise _InvalidWager("collected", problem("point-is-total"), solution("totals"))
        numbers = list(range(1, len(templates) + 1))
    else:
        _no_seven("collects", totals)
        numbers = totals
    if text.collected == "points made" and not set(numbers) <= set(case.hand.points):
        right = solution("points-are", points=_texts(case.hand.points))
        raise _InvalidWager("collects", problem("not-points", numbers=_texts(numbers)), right)
    return Collect(
        frozenset(numbers),
        text.loses_on,
        tuple(_condition(case, template, "collects") for template in templates),
        text.collected,
        _ladder(text.rows, len(numbers)) if text.rows is not None else (),
        case.hand,
    )


def _repeat(case: _Case) -> Repeat:
    text, selection = case.text, case.selection
    assert text.repeats is not None
    assert text.loses_on is not None
    if selection not in text.repeats:
        raise _InvalidWager("repeats", problem("empty"), solution("a-selection"))
    repetition = text.repeats[selection]
    _no_seven(f"repeats.{selection}.numbers", repetition.numbers)
    return Repeat(frozenset(repetition.numbers), repetition.times, text.loses_on, case.hand)


def _no_seven(key: str, numbers: list[int]) -> None:
    if not numbers or 7 in numbers or len(set(numbers)) < len(numbers):
        raise _InvalidWager(key, problem("never-wins", numbers=numbers), solution("no-seven"))


def _texts(numbers: Iterable[int]) -> list[str]:
    return [str(number) for number in numbers]


def _count(case: _Case) -> Count:
    text = case.text
    assert text.counts is not None
    assert text.rows is not None
    assert text.loses_on is not None
    return Count(text.counts, text.loses_on, _ladder(text.rows), case.hand)


def _ladder(rows: Mapping[str, str], most: int | None = None) -> tuple[str, ...]:
    """Return the row for each count from 0; without a `most`, the last row is open."""
    ladder: dict[int, str] = {}
    top: int | None = None
    for row, span in rows.items():
        found = re.fullmatch(r"(\d{0,3})\.\.(\d{0,3})|(\d{1,3})", span, re.ASCII)
        if not found or span == "..":
            raise _InvalidWager(f"rows.{row}", problem("not-a-span", span=quoted(span)), solution("span"))
        low = int(found[3] or found[1] or 0)
        high = int(found[3] or found[2] or low)
        if high > 99 or low > high:
            raise _InvalidWager(f"rows.{row}", problem("not-a-span", span=quoted(span)), solution("lower-first"))
        if found[3] is None and not found[2]:
            if top is not None:
                raise _InvalidWager(f"rows.{row}", problem("second-open"), solution("top-open"))
            top = low
        for count in range(low, high + 1):
            if count in ladder:
                wrong = problem("count-taken", count=count, row=quoted(ladder[count]))
                raise _InvalidWager(f"rows.{row}", wrong, solution("count-one-row"))
            ladder[count] = row
    counts = sorted(ladder)
    if most is not None and (top is not None or counts != list(range(most + 1))):
        right = solution("rows-to", most=most)
    elif most is None and (top is None or counts != list(range(top + 1))):
        right = solution("rows-open")
    else:
        return tuple(ladder[count] for count in counts)
    raise _InvalidWager("rows", problem("rows-cover", counts=_texts(counts)), right)


def _phases(case: _Case) -> Phases:
    text = case.text
    assert text.phases is not None
    if not text.phases or ("any roll" in text.phases and len(text.phases) > 1):
        names = sorted(text.phases)
        wrong = problem("not-phases", names=names) if names else problem("no-phases")
        raise _InvalidWager("phases", wrong, solution("phases"))
    if text.own_point and set(text.phases) != {"come-out", "point"}:
        raise _InvalidWager("phases", problem("own-point"), solution("both-phases"))
    phases: list[tuple[int | None, tuple[tuple[str, Condition], ...]]] = []
    for point in (None, *case.hand.points):
        name = "any roll" if "any roll" in text.phases else "come-out" if point is None else "point"
        if name not in text.phases:
            continue
        rows = []
        for row, template in text.phases[name].items():
            if "{point}" in row + template and name != "point":
                raise _InvalidWager(f"phases.{name}.{row}", problem("no-point"), solution("point-phase"))
            filled = template.replace("{point}", str(point))
            rows.append((row.replace("{point}", str(point)), _condition(case, filled, f"phases.{name}.{row}")))
        phases.append((point, tuple(rows)))
    if not any(one.matching_rolls(case.dice) for _, rows in phases for _, one in rows):
        raise _InvalidWager("phases", problem("never-decided"), solution("reachable"))
    if text.calls and any("{point}" in row + when for row, when in text.phases.get("point", {}).items()):
        raise _InvalidWager("calls", problem("calls-on-point"), solution("leave-out"))
    if text.calls and "point" not in text.phases:
        raise _InvalidWager("calls", problem("never-off"), solution("leave-out"))
    return Phases(tuple(phases), text.own_point, _parent(case), case.hand)


def _parent(case: _Case) -> Parent | None:
    tied = case.text.tied
    if tied is None:
        return None
    parent = next((wager for wager in case.above.values() if wager.id == tied.parent), None)
    if parent is None or not isinstance(parent.spec, Phases):
        wrong = problem("not-a-parent", name=quoted(tied.parent))
        raise _InvalidWager("tied.parent", wrong, solution("phases-above"))
    needed = [str(point) for point in case.hand.points]
    point = None
    if parent.spec.own_point:
        if case.selection is None or not case.selection.isdecimal():
            raise _InvalidWager("selections", problem("missing"), solution("points-of", parent=tied.parent))
        point = int(case.selection)
        needed = [case.selection]
    elif case.selection is not None:
        wrong = problem("shooters-point", parent=tied.parent)
        raise _InvalidWager("selections", wrong, solution("leave-them-out"))
    lacking = [] if isinstance(tied.multiple, int) else [name for name in needed if name not in tied.multiple]
    if lacking:
        raise _InvalidWager("tied.multiple", problem("nothing-for", names=lacking), solution("multiples"))
    return Parent(tied.parent, parent.spec, point)


_SPECS: dict[str, Callable[[_Case], Spec]] = {
    "pattern": _pattern,
    "collect": _collect,
    "repeat": _repeat,
    "count": _count,
    "phases": _phases,
}


def _with_pays(
    family: str,
    case: _Case,
    spec: Spec | None,
    paytables: tuple[str, ...],
    selections: tuple[str, ...],
) -> Iterator[Wager | WagerError]:
    text, selection = case.text, case.selection
    if spec is None and text.family == "phases":
        return
    paid = _paid_rows(text, spec)
    axes = {"pay table": paytables, "selection": selections, "row": (*paid, *_other_points(text))}
    pays: dict[str | None, dict[str, Odds]] = {}
    row_clauses: dict[str | None, dict[str, str]] = {}
    fixed = _fixed_rows(spec)
    try:
        divided = _divided_pays(case, spec) if text.parts is not None and isinstance(spec, Pattern) else None
    except _InvalidWager as invalid:
        yield invalid.trouble
        return
    for paytable in paytables or (None,):
        pays[paytable], row_clauses[paytable] = {}, {}
        for row in paid:
            where = {"pay table": paytable, "selection": selection, "row": row}
            try:
                pays[paytable][row] = divided[row] if divided else Odds.parse(find_case(text.pays, axes, where))
            except InputError as mistake:
                yield WagerError("pays", mistake.message, solution("odds"))
                return
            try:
                row_clauses[paytable][row] = find_case(text.pays_clause, axes, where)
            except InputError as mistake:
                yield WagerError("pays_clause", mistake.message, solution("pays-clause"))
                return
        for row in fixed:
            pays[paytable][row] = FIXED_ROWS[row]
            row_clauses[paytable][row] = text.clause[0]
        if text.commission:
            pays[paytable] = _less_commission(pays[paytable], text.commission)
    if text.envy and (selection or family) not in text.envy.pays:
        wrong = problem("nothing-for", names=[quoted(selection or family)])
        yield WagerError("envy.pays", wrong, solution("envy"))
        return
    if spec is None:
        return
    yield Wager(
        id=f"{family}/{selection}" if selection else family,
        family=family,
        selection=selection,
        name=_named(text.name, selection),
        group=text.group,
        clauses=(*text.clause_of.get(selection or "", ()), *text.clause),
        spec=spec,
        rows=(*paid, *fixed),
        paytables=paytables or (None,),
        pays=pays,
        row_clauses=row_clauses,
        window=text.window,
        limits=text.limits,
        envy=text.envy,
        after_win=text.after_win,
        after_win_clauses=tuple(text.after_win_clause),
        tied=text.tied,
        commission=text.commission,
        take_down=text.take_down,
        calls=text.calls,
    )


def _paid_rows(text: WagerText, spec: Spec | None) -> tuple[str, ...]:
    """Return the rows whose pay the book must state."""
    if spec is not None and has_ladder(spec):
        assert isinstance(spec, Count | Collect)
        return tuple(dict.fromkeys(spec.rows))
    if isinstance(spec, Phases):
        return tuple(row for row in spec.rows if row not in FIXED_ROWS)
    if isinstance(spec, Pattern):
        return tuple(row for row, _ in spec.rows)
    if text.family in ("count", "collect") and text.rows is not None:
        return tuple(text.rows)
    return tuple(text.wins) if isinstance(text.wins, dict) else (WIN_ROW,)


def _other_points(text: WagerText) -> tuple[str, ...]:
    """Return rows that are there under another hand: a book may state the pay of every total that can be a point."""
    rows = (text.phases or {}).get("point", {})
    return tuple(str(total) for total in range(2, 13)) if "{point}" in rows else ()


def _fixed_rows(spec: Spec | None) -> tuple[str, ...]:
    """Return the rows whose pay needs no statement: a loss, a returned stake."""
    if isinstance(spec, Phases):
        return tuple(row for row in spec.rows if row in FIXED_ROWS)
    return () if spec is not None and has_ladder(spec) else (LOSE_ROW,)


def _less_commission(pays: Mapping[str, Odds], commission: Commission) -> dict[str, Odds]:
    """Return the pays with the commission taken off: from wins, or from losses too where it is paid with the bet."""
    share = Fraction(commission.percent, 100)
    most = max(odds.gain for odds in pays.values())
    charged = {}
    for row, odds in pays.items():
        cost = share if commission.of == "bet" else share * (odds.gain if odds.wins else most)
        if odds.wins or (commission.charged == "when bet" and odds.gain < 0):
            charged[row] = replace(odds, gain=odds.gain - cost, commission=cost)
        else:
            charged[row] = odds
    return charged


def _named(name: Label, selection: str | None) -> Label:
    if selection is None:
        return name
    return name.model_copy(update={key: value.replace("{selection}", selection) for key, value in name})


def find_case(value: Any, axes: Mapping[str, tuple[str, ...]], case: Mapping[str, str | None]) -> str:
    """Return the text of a `PerCase` for one case: a list is by pay table, a table by whatever its keys name."""
    while not isinstance(value, str):
        if isinstance(value, list):
            columns = axes["pay table"]
            if not columns or len(value) != len(columns):
                raise InputError("rulebooks.entries", entries=len(value), tables=len(columns))
            value = value[columns.index(str(case["pay table"]))]
        elif isinstance(value, dict):
            axis = _axis(value, axes)
            name = str(case[axis])
            if name not in value:
                raise InputError("rulebooks.nothing-for", axis=axis, name=quoted(name))
            value = value[name]
        else:
            raise InputError("rulebooks.not-text", value=quoted(value))
    return value


def _axis(table: Mapping[str, Any], axes: Mapping[str, tuple[str, ...]]) -> str:
    for axis, names in axes.items():
        if table and set(table) <= set(names):
            return axis
    known = [name for names in axes.values() for name in names]
    stranger = next((name for name in table if name not in known), None)
    if stranger is None:
        raise InputError("rulebooks.mixed-axes" if table else "rulebooks.empty")
    raise InputError("rulebooks.no-row", name=quoted(stranger), nearest=suggestion(stranger, known))
