"""A diagram of a wager's machine, for people: its states, what each roll does, its ends.

A machine with many states is summarised: states that have come equally far are one node, and what leads from one such
node to another is one edge.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from statistics import median_low
from typing import TYPE_CHECKING, Any, Literal

from pitbook.dice import rolls
from pitbook.engine.draw_svg import svg
from pitbook.engine.draw_text import dot, mermaid
from pitbook.rulebooks.wagers import Collect, Count, Pattern, Repeat
from pitbook.wager.machine import machine_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterator, Mapping

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Spec, Wager
    from pitbook.wager.games import State
    from pitbook.wager.hand import Hand
    from pitbook.wager.machine import Machine

SUMMARISED_ABOVE = 40
"""With more states than this, a diagram is a summary unless the whole is asked for."""

Kind = Literal["start", "state", "win", "push", "lose"]


@dataclass(frozen=True, slots=True)
class Node:
    """A state, several of them in a summary, or an end."""

    id: str
    label: str
    kind: Kind
    level: int
    """Its place from left to right; the ends come last."""
    lane: int = 0
    """Its place from top to bottom, where left to right is come-out and point."""
    states: int = 1
    """How many states it stands for."""

    @property
    def is_end(self) -> bool:
        """Whether the wager is over there."""
        return self.kind in ("win", "push", "lose")


@dataclass(frozen=True, slots=True)
class Edge:
    """What leads from one node to another, or keeps a wager where it is."""

    source: str
    target: str
    label: str
    ways: int
    """In how many of the throws; the fewest, where a summary joins states that differ."""
    ways_max: int
    of: int

    @property
    def is_loop(self) -> bool:
        """Whether the wager stays where it is."""
        return self.source == self.target

    @property
    def counted(self) -> str:
        """The ways in words: "6 of 36", "3–5 of 36"."""
        return f"{_span(self.ways, self.ways_max)} of {self.of}"


@dataclass(frozen=True, slots=True)
class Diagram:
    """A machine as nodes and edges, ready to be drawn."""

    book: str
    wager: str
    title: str
    """What is drawn, and after " · " where it is from, which pay table is shown, whether it is a summary."""
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    def as_data(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def diagram(rules: Rulebook, wager: Wager, *, whole: bool = False) -> Diagram:
    """The diagram of a wager's machine, under its first pay table; a large one summarised unless it is to be whole."""
    machine = machine_of(wager.spec, rules.dice)
    summary = machine.size > SUMMARISED_ABOVE and not whole
    marks = _marks(wager.spec, machine, summary=summary)
    keys = list(dict.fromkeys(mark.key for mark in marks))
    ids = {key: f"s{number}" for number, key in enumerate(keys)}
    pays = wager.pays[wager.paytables[0]]
    edges = tuple(_edges(wager.spec, machine, marks, ids))

    sizes = Counter(mark.key for mark in marks)
    starts = {marks[start].key for start in _starts(wager, machine)}
    mark_of = {mark.key: mark for mark in reversed(marks)}
    nodes = [
        Node(ids[key], mark.label, "start" if key in starts else "state", mark.level, mark.lane, sizes[key])
        for key, mark in ((key, mark_of[key]) for key in keys)
    ]
    lanes = {node.id: node.lane for node in nodes}
    last = max(node.level for node in nodes) + 1
    for number, row in enumerate(machine.ends):
        reached_from = [lanes[edge.source] for edge in edges if edge.target == f"e{number}"]
        if reached_from:
            kind: Any = pays[row].result
            label = _end_label(wager.spec, row, rules.printed(pays[row]))
            nodes.append(Node(f"e{number}", label, kind, last, median_low(reached_from)))
    return Diagram(rules.id, wager.id, _title(rules, wager, machine, summary=summary), tuple(nodes), edges)


def _title(rules: Rulebook, wager: Wager, machine: Machine, *, summary: bool) -> str:
    parts = [f"{wager.name.en} {wager.name.zh}", rules.identity.title]
    if len(wager.paytables) > 1:
        parts.append(f"pays by {wager.paytables[0]}, the first of {len(wager.paytables)} pay tables")
    if summary:
        parts.append(f"a summary of {machine.size:,} states")
    return " · ".join(parts)


def _starts(wager: Wager, machine: Machine) -> Collection[int]:
    """Where a wager can begin: on the come-out, or on any hand where it may be made on any roll."""
    any_roll = wager.window is not None and wager.window.rolls == "any roll"
    return set(machine.starts) if any_roll else {machine.start()}


# ---------------------------------------------------------------- states in words


@dataclass(frozen=True, slots=True)
class _Mark:
    """How far a state has come: the node it belongs to, and that node's place and words."""

    key: Hashable
    label: str
    progress: int
    on_point: bool
    laned: bool

    @property
    def level(self) -> int:
        return self.on_point if self.laned else self.progress

    @property
    def lane(self) -> int:
        return self.progress if self.laned else 0


def _marks(spec: Spec, machine: Machine, *, summary: bool) -> list[_Mark]:
    parted = [_parted(state) for state in machine.states]
    laned = any(hand is not None for _, hand in parted)
    alone = Counter(inner for inner, _ in parted)
    marks = []
    for inner, hand in parted:
        progress = len(inner) if isinstance(inner, frozenset) else inner if isinstance(inner, int) else 0
        on_point = hand is not None and not hand.come_out
        label = _progress_label(spec, progress) if summary else _state_label(spec, inner, progress)
        if hand is not None and alone[inner] > 1:  # a single state for all hands: the hand no longer matters
            label += f", {'point on' if summary and on_point else hand}"
        key: Hashable = (progress, on_point) if summary else (inner, hand)
        marks.append(_Mark(key, label, progress, on_point, laned))
    return marks


def _parted(state: State) -> tuple[Hashable, Hand | None]:
    return state if isinstance(state, tuple) else (state, None)


def _state_label(spec: Spec, inner: Hashable, progress: int) -> str:
    if isinstance(inner, frozenset) and inner:
        return " · ".join(map(str, sorted(inner)))
    return _progress_label(spec, progress)


def _progress_label(spec: Spec, progress: int) -> str:
    match spec:
        case Collect():
            return f"{progress} marked" if progress else "nothing marked"
        case Repeat(times=times):
            return f"{progress} of {times}"
        case Count(rows=rows):
            more = "+" if progress == len(rows) - 1 else ""
            return f"{progress}{more} {_counted(spec, progress)}"
        case Pattern():
            return "the throw"


def _counted(spec: Count, count: int) -> str:
    noun = "point" if spec.counts == "points made" else "win"
    return noun if count == 1 else f"{noun}s"


def _end_label(spec: Spec, row: str, pays: str) -> str:
    name = f"{row} {_counted(spec, int(row))}" if isinstance(spec, Count) and row.isdecimal() else row
    return name if name == pays else f"{name}: {pays}"


# ---------------------------------------------------------------- what the rolls do


@dataclass(slots=True)
class _Move:
    """From one state to one node: the totals that do it, and in how many ways they fall."""

    totals: set[int] = field(default_factory=set)
    ways: int = 0


def _edges(spec: Spec, machine: Machine, marks: list[_Mark], ids: Mapping[Hashable, str]) -> Iterator[Edge]:
    totals: list[set[int]] = [set() for _ in machine.ways]
    for roll, column in zip(rolls(machine.dice), machine.columns.tolist(), strict=True):
        totals[column].add(roll.total)
    size = Counter(mark.key for mark in marks)
    moves: dict[tuple[Hashable, Hashable], list[_Move]] = {}
    target_marks: dict[Hashable, _Mark | None] = {}
    for mark, row in zip(marks, machine.rows, strict=True):
        of_state: dict[Hashable, _Move] = {}
        for column, target in enumerate(row):
            after = marks[target] if target < machine.size else None
            key = after.key if after else f"e{target - machine.size}"
            target_marks[key] = after
            move = of_state.setdefault(key, _Move())
            move.totals |= totals[column]
            move.ways += machine.ways[column]
        for key, move in of_state.items():
            moves.setdefault((mark.key, key), []).append(move)
    mark_of = {mark.key: mark for mark in marks}
    for (source, target), found in moves.items():
        ways = [move.ways for move in found] + [0] * (len(found) < size[source])
        fewest, most = min(ways), max(ways)
        alike = {frozenset(move.totals) for move in found}
        if isinstance(spec, Pattern):
            label = f"{_span(fewest, most)} of {machine.throws}"
        elif len(alike) == 1:
            label = totals_label(*alike)
        else:
            label = _in_words(spec, mark_of[source], target_marks[target])
        yield Edge(ids[source], ids.get(target, str(target)), label, fewest, most, machine.throws)


def _in_words(spec: Spec, source: _Mark, target: _Mark | None) -> str:
    """What leads on, where the states of a summary differ in the totals that do it."""
    if target is None:
        return "the last number"
    if source.on_point and not target.on_point:
        return "the point"
    if target.progress > source.progress:
        return "a missing number" if isinstance(spec, Collect) else "one of its numbers"
    return "any other" if source.on_point == target.on_point else "a point"


def totals_label(totals: Collection[int]) -> str:
    """Totals as people list them, three or more in a row as a span.

    >>> totals_label({2, 3, 12}), totals_label({3, 4, 5, 6, 8, 9})
    ('2, 3, 12', '3–6, 8, 9')
    """
    runs: list[list[int]] = []
    for total in sorted(totals):
        if runs and total == runs[-1][-1] + 1:
            runs[-1].append(total)
        else:
            runs.append([total])
    return ", ".join(
        _span(run[0], run[-1]) if len(run) > 2 else ", ".join(map(str, run)) for run in runs
    )


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"


RENDERERS: dict[str, Callable[[Diagram], str]] = {"dot": dot, "mermaid": mermaid, "svg": svg}
"""A diagram as text, by the name of the format."""
