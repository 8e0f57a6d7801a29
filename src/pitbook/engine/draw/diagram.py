"""A diagram of a wager's machine, for people: its states, what each roll does, its ends.

A machine with many states is summarised: states that have come equally far are one node, and what leads from one such
node to another is one edge.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from statistics import median_low
from typing import TYPE_CHECKING

from pitbook.dice import Roll, rolls
from pitbook.engine.draw.model import Diagram, Edge, Kind, Node, span
from pitbook.engine.draw.words import WORDS
from pitbook.rulebooks.wagers import Collect, Count, Own, Pattern, Phases, Repeat
from pitbook.wager.hand import Hand
from pitbook.wager.machine import machine_of

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterator, Mapping

    from pitbook.engine.draw.words import English, Language
    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Spec, Wager
    from pitbook.wager.games import State
    from pitbook.wager.machine import Machine

SUMMARISED_ABOVE = 40
"""With more states than this, or one for every hand, a diagram is a summary unless the whole is requested."""


def diagram(rules: Rulebook, wager: Wager, *, whole: bool = False, language: Language = "en") -> Diagram:
    """Return the diagram of a wager's machine under its first pay table; a large one is summarised unless `whole`."""
    words = WORDS[language]
    machine = machine_of(wager.spec, rules.dice)
    any_roll = wager.window is not None and wager.window.rolls == "any roll"
    starts = set(machine.starts) if any_roll else {machine.start()}
    reached = _reached(machine, starts)
    hands = any(_parted(state)[1] is not None for state in machine.states)
    summary = not whole and (hands or len(reached) > SUMMARISED_ABOVE)
    marks = _marks(wager.spec, machine, reached, words, summary=summary)
    edges = tuple(_edges(wager.spec, machine, marks, words))

    of_node: dict[str, list[int]] = {}
    for state, mark in marks.items():
        of_node.setdefault(mark.node, []).append(state)
    nodes = []
    for name, states in of_node.items():
        mark = marks[states[0]]
        kind: Kind = "state" if starts.isdisjoint(states) else "start"
        nodes.append(Node(name, mark.label, kind, mark.level, mark.lane, len(states)))
    lanes = {node.id: node.lane for node in nodes}
    last = max(node.level for node in nodes) + 1
    for number, row in enumerate(machine.ends):
        sources = [lanes[edge.source] for edge in edges if edge.target == f"e{number}"]
        if sources:
            odds = wager.pays[wager.paytables[0]][row]
            label = words.end(rules, wager.spec, row, odds)
            nodes.append(Node(f"e{number}", label, _KINDS[odds.result], last, median_low(sources)))
    book = rules.identity.title
    title = _title(book.zh if language == "zh" else book.en, wager, len(reached) if summary else None, words)
    return Diagram(rules.id, wager.id, title, tuple(nodes), edges, words)


_KINDS: dict[str, Kind] = {"win": "win", "push": "push", "lose": "lose"}


def _reached(machine: Machine, starts: Collection[int]) -> list[int]:
    """Return the states that a wager can reach from where it may be made."""
    found = set(starts)
    queue = list(starts)
    for state in queue:  # grows while it is walked
        new = {target for target in machine.rows[state] if target < machine.size} - found
        found |= new
        queue += new
    return sorted(found)


def _title(book: str, wager: Wager, summarised: int | None, words: English) -> str:
    parts = [words.name(wager.name), book]
    if len(wager.paytables) > 1:
        parts.append(words.first_paytable(wager.paytables[0], len(wager.paytables)))
    if summarised is not None:
        parts.append(words.summary(summarised))
    return " · ".join(parts)


# ---------------------------------------------------------------- states in words


@dataclass(frozen=True, slots=True)
class _Mark:
    """The progress of a state: its node, the node's label, and its position."""

    node: str
    label: str
    progress: int
    hand: Hand | None

    @property
    def on_point(self) -> bool:
        return self.hand is not None and not self.hand.come_out

    @property
    def level(self) -> int:
        return self.progress if self.hand is None else int(self.on_point)

    @property
    def lane(self) -> int:
        return 0 if self.hand is None else self.progress


def _marks(spec: Spec, machine: Machine, reached: list[int], words: English, *, summary: bool) -> dict[int, _Mark]:
    parted = [_parted(state) for state in machine.states]
    hands = Counter(inner for inner, _ in parted)
    names: dict[Hashable, str] = {}
    marks = {}
    for state in reached:
        inner, hand = parted[state]
        progress = len(inner) if isinstance(inner, frozenset) else inner if isinstance(inner, int) else 0
        label = words.off if state in machine.idle else _progress_label(spec, progress, words)
        if isinstance(inner, frozenset) and inner and not summary:
            label = " · ".join(map(str, sorted(inner)))
        if isinstance(spec, Own) and inner is not None:
            label = str(inner)
        on_point = hand is not None and not hand.come_out
        if hand is not None and hands[inner] > 1:  # a single state is equal for all hands: unsaid
            label += words.point_on if summary and on_point else words.hand(hand)
        key = (progress, on_point) if summary else (inner, hand)
        marks[state] = _Mark(names.setdefault(key, f"s{len(names)}"), label, progress, hand)
    return marks


def _parted(state: State) -> tuple[Hashable, Hand | None]:
    if isinstance(state, Hand):
        return None, state
    if isinstance(state, tuple) and len(state) == 2 and isinstance(state[1], Hand):
        return state
    return state, None


def _progress_label(spec: Spec, progress: int, words: English) -> str:
    match spec:
        case Collect():
            return words.marked(progress) if progress else words.nothing_marked
        case Repeat(times=times):
            return words.times(progress, times)
        case Count(rows=rows):
            return words.counted(spec, progress, more=progress == len(rows) - 1)
        case Pattern():
            return words.the_throw
        case Phases() | Own():
            return words.working


# ---------------------------------------------------------------- what the rolls do


@dataclass(slots=True)
class _Move:
    """A transition from a state to a node: its rolls, and in how many ways they fall."""

    source: _Mark
    target: _Mark | None
    """None for an end."""
    rolls: set[Roll] = field(default_factory=set)
    ways: int = 0


def _edges(spec: Spec, machine: Machine, marks: Mapping[int, _Mark], words: English) -> Iterator[Edge]:
    of_column: list[set[Roll]] = [set() for _ in machine.ways]
    for roll, column in zip(rolls(machine.dice), machine.columns.tolist(), strict=True):
        of_column[column].add(roll)
    joined: dict[tuple[str, str], list[_Move]] = {}
    for state, mark in marks.items():
        moves: dict[str, _Move] = {}
        for column, target in enumerate(machine.rows[state]):
            after = marks.get(target)
            node = after.node if after else f"e{target - machine.size}"
            move = moves.setdefault(node, _Move(mark, after))
            move.rolls |= of_column[column]
            move.ways += machine.ways[column]
        for node, move in moves.items():
            joined.setdefault((mark.node, node), []).append(move)
    sizes = Counter(mark.node for mark in marks.values())
    for (before, beyond), found in joined.items():
        ways = [move.ways for move in found]
        fewest, most = min(ways) if len(found) == sizes[before] else 0, max(ways)
        alike = {frozenset(move.rolls) for move in found}
        counted = words.ways(span(fewest, most), machine.throws)
        if isinstance(spec, Pattern):
            label = words.ways(str(fewest), machine.throws)
        else:
            label = rolls_label(*alike) if len(alike) == 1 else _in_words(spec, found[0].source, found[0].target, words)
        yield Edge(before, beyond, label, fewest, most, machine.throws, counted)


def _in_words(spec: Spec, source: _Mark, target: _Mark | None, words: English) -> str:
    """Return the totals that lead on, where the states of a summary differ in them."""
    if target is None:
        return words.the_point if isinstance(spec, Phases) else words.last_number
    if source.on_point and not target.on_point:
        return words.the_point
    if target.progress > source.progress:
        return words.missing_number if isinstance(spec, Collect) else words.its_number
    return words.other if source.on_point == target.on_point else words.a_point


def rolls_label(some: Collection[Roll]) -> str:
    """Return rolls by their totals, and by their faces where a total comes in other ways, too."""
    dice = len(next(iter(some)).faces)
    whole = {
        total for total in {roll.total for roll in some} if all(r in some for r in rolls(dice) if r.total == total)
    }
    faces = [str(roll) for roll in sorted(some) if roll.total not in whole]
    return ", ".join([totals_label(whole)] * bool(whole) + faces)


def totals_label(totals: Collection[int]) -> str:
    """Return totals as people list them, three or more in a row as a span.

    >>> totals_label({2, 3, 12}), totals_label({3, 4, 5, 6, 8, 9})
    ('2, 3, 12', '3–6, 8, 9')
    """
    runs: list[list[int]] = []
    for total in sorted(totals):
        if runs and total == runs[-1][-1] + 1:
            runs[-1].append(total)
        else:
            runs.append([total])
    return ", ".join(span(run[0], run[-1]) if len(run) > 2 else ", ".join(map(str, run)) for run in runs)
