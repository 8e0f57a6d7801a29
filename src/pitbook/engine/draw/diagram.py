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
from pitbook.engine.draw.model import Diagram, Edge, Kind, Node, phrase, span
from pitbook.rulebooks.wagers import Collect, Count, Own, Pattern, Phases, Repeat
from pitbook.wager.hand import Hand
from pitbook.wager.machine import machine_of

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterator, Mapping

    from pitbook.messages import Language
    from pitbook.money import Odds
    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Spec, Wager
    from pitbook.wager.games import State
    from pitbook.wager.machine import Machine

SUMMARISED_ABOVE = 40
"""With more states than this, or one for every hand, a diagram is a summary unless the whole is requested."""


def diagram(rules: Rulebook, wager: Wager, *, whole: bool = False, language: Language = "en") -> Diagram:
    """Return the diagram of a wager's machine under its first pay table; a large one is summarised unless `whole`."""
    machine = machine_of(wager.spec, rules.dice)
    any_roll = wager.window is not None and wager.window.rolls == "any roll"
    starts = set(machine.starts) if any_roll else {machine.start()}
    reached = _reached(machine, starts)
    hands = any(_parted(state)[1] is not None for state in machine.states)
    summary = not whole and (hands or len(reached) > SUMMARISED_ABOVE)
    marks = _marks(wager.spec, machine, reached, language, summary=summary)
    edges = tuple(_edges(wager.spec, machine, marks, language))

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
            label = _end_label(rules, wager.spec, row, odds, language)
            nodes.append(Node(f"e{number}", label, _KINDS[odds.result], last, median_low(sources)))
    title = _title(rules, wager, len(reached) if summary else None, language)
    return Diagram(rules.id, wager.id, title, tuple(nodes), edges, language)


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


def _title(rules: Rulebook, wager: Wager, summarised: int | None, language: Language) -> str:
    title = phrase(language, "title.wager", wager=wager.name, book=rules.identity.title)
    if len(wager.paytables) > 1:
        title += phrase(language, "title.paytable", paytable=wager.paytables[0], count=len(wager.paytables))
    if summarised is not None:
        title += phrase(language, "title.summary", count=summarised)
    return title


def _end_label(rules: Rulebook, spec: Spec, row: str, odds: Odds, language: Language) -> str:
    """Return the row in which a wager ends, and what it pays; the ids of rows are English."""
    pays = rules.printed(odds)
    paid = phrase(language, "end.pays", pays=pays)
    if isinstance(spec, Count) and row.isdecimal():
        name = _counted(spec, int(row), language)
    elif language == "en":
        name = row
    else:
        name = phrase(language, "end.wins") if odds.wins else paid
    return name if name == paid else phrase(language, "end.row", row=name, pays=pays)


def _counted(spec: Count, count: int, language: Language, *, more: bool = False) -> str:
    return phrase(language, f"counted.{spec.counts}", count=count, more="yes" if more else "no")


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


def _marks(spec: Spec, machine: Machine, reached: list[int], language: Language, *, summary: bool) -> dict[int, _Mark]:
    parted = [_parted(state) for state in machine.states]
    hands = Counter(inner for inner, _ in parted)
    names: dict[Hashable, str] = {}
    marks = {}
    for state in reached:
        inner, hand = parted[state]
        progress = len(inner) if isinstance(inner, frozenset) else inner if isinstance(inner, int) else 0
        label = phrase(language, "off") if state in machine.idle else _progress_label(spec, progress, language)
        if isinstance(inner, frozenset) and inner and not summary:
            label = " · ".join(map(str, sorted(inner)))
        if isinstance(spec, Own) and inner is not None:
            label = str(inner)
        on_point = hand is not None and not hand.come_out
        if hand is not None and hands[inner] > 1:  # a single state is equal for all hands: unsaid
            label += _hand_label(hand, language, summary=summary)
        key = (progress, on_point) if summary else (inner, hand)
        marks[state] = _Mark(names.setdefault(key, f"s{len(names)}"), label, progress, hand)
    return marks


def _parted(state: State) -> tuple[Hashable, Hand | None]:
    if isinstance(state, Hand):
        return None, state
    if isinstance(state, tuple) and len(state) == 2 and isinstance(state[1], Hand):
        return state
    return state, None


def _progress_label(spec: Spec, progress: int, language: Language) -> str:
    match spec:
        case Collect():
            return phrase(language, "marked", count=progress) if progress else phrase(language, "nothing-marked")
        case Repeat(times=times):
            return phrase(language, "times", count=progress, wanted=times)
        case Count(rows=rows):
            return _counted(spec, progress, language, more=progress == len(rows) - 1)
        case Pattern():
            return phrase(language, "the-throw")
        case Phases() | Own():
            return phrase(language, "working")


def _hand_label(hand: Hand, language: Language, *, summary: bool) -> str:
    if hand.point is None:
        return phrase(language, "hand.come-out")
    return phrase(language, "hand.point-on") if summary else phrase(language, "hand.point", point=hand.point)


# ---------------------------------------------------------------- what the rolls do


@dataclass(slots=True)
class _Move:
    """A transition from a state to a node: its rolls, and in how many ways they fall."""

    source: _Mark
    target: _Mark | None
    """None for an end."""
    rolls: set[Roll] = field(default_factory=set)
    ways: int = 0


def _edges(spec: Spec, machine: Machine, marks: Mapping[int, _Mark], language: Language) -> Iterator[Edge]:
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
        counted = phrase(language, "leads.ways", ways=span(fewest, most), throws=machine.throws)
        if isinstance(spec, Pattern):
            label = phrase(language, "leads.ways", ways=fewest, throws=machine.throws)
        else:
            label = rolls_label(*alike) if len(alike) == 1 else phrase(language, _leading(spec, found[0]))
        yield Edge(before, beyond, label, fewest, most, machine.throws, counted)


def _leading(spec: Spec, move: _Move) -> str:
    """Return the phrase for the totals that lead on, where the states of a summary differ in them."""
    source, target = move.source, move.target
    if target is None:
        return "leads.the-point" if isinstance(spec, Phases) else "leads.last-number"
    if source.on_point and not target.on_point:
        return "leads.the-point"
    if target.progress > source.progress:
        return "leads.missing-number" if isinstance(spec, Collect) else "leads.its-number"
    return "leads.other" if source.on_point == target.on_point else "leads.a-point"


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
