"""Positions of a diagram's nodes: levels are columns, from left to right; lanes are rows.

Where every state of a lane ends on the same roll, a frame around them has one line out instead of one from each.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.engine.draw.model import Diagram, Edge, Node

LABEL, SMALL = 13.0, 10.5
"""Sizes of type: of a box's label, and of everything beside it."""
LEFT, TOP = 28.0, 86.0
STACK_GAP = 14.0
FRAME, STRIP = 16.0, 44.0
"""The room between a frame and its boxes, and below them for the line out."""
CHAIN_LONGEST = 5
"""A longer chain of single states is broken into rows."""


def text_width(text: str, size: float) -> float:
    """Estimate the width of a text, generously, because the font is unknown."""
    return size * sum(
        1.0 if east_asian_width(letter) in "WF" else 0.38 if letter in " ,.:;·–-'()ijl" else 0.62 for letter in text
    )


@dataclass(slots=True, eq=False)
class Box:
    """A node with its size and the place of its centre."""

    node: Node
    loop: Edge | None
    """Rolls that keep a wager there; written inside the box."""
    width: float
    height: float
    x: float = 0.0
    y: float = 0.0

    @property
    def bold(self) -> bool:
        return self.node.kind in ("start", "win")

    @property
    def left(self) -> float:
        return self.x - self.width / 2

    @property
    def right(self) -> float:
        return self.x + self.width / 2

    @property
    def top(self) -> float:
        return self.y - self.height / 2

    @property
    def bottom(self) -> float:
        return self.y + self.height / 2


@dataclass(frozen=True, slots=True)
class Frame:
    """Around states that all end on the same roll."""

    exit: Edge
    boxes: tuple[Box, ...]

    @property
    def left(self) -> float:
        return min(box.left for box in self.boxes) - FRAME

    @property
    def top(self) -> float:
        return min(box.top for box in self.boxes) - FRAME

    @property
    def right(self) -> float:
        return max(box.right for box in self.boxes) + FRAME

    @property
    def bottom(self) -> float:
        return max(box.bottom for box in self.boxes) + STRIP


class Plan:
    """A diagram's boxes in rows and columns. Heights need no widths, so they are known first."""

    def __init__(self, diagram: Diagram) -> None:
        self.diagram = diagram
        loops = {edge.source: edge for edge in diagram.edges if edge.is_loop}
        self.boxes = {node.id: _sized(node, loops.get(node.id)) for node in diagram.nodes}
        self.states = [node for node in diagram.nodes if not node.is_end]
        self.frames = self._framed()
        framed = {(box.node.id, frame.exit.target) for frame in self.frames for box in frame.boxes}
        self.edges = [edge for edge in diagram.edges if not edge.is_loop and (edge.source, edge.target) not in framed]
        """Those that are their own line: neither loops nor the way out of a frame."""
        self.places = self._placed()
        """Row and column of every box."""
        self.row_ends: dict[int, float] = {}
        """The end of each row, including its frame."""

    def _framed(self) -> list[Frame]:
        ends = {node.id for node in self.diagram.nodes if node.is_end}
        leaving = [edge for edge in self.diagram.edges if edge.target in ends]
        lanes: dict[int, list[Box]] = defaultdict(list)
        for node in self.states:
            lanes[node.lane].append(self.boxes[node.id])
        frames = []
        for boxes in lanes.values():
            members = {box.node.id for box in boxes}
            alike = Counter((edge.target, edge.label) for edge in leaving if edge.source in members)
            for edge in leaving:
                if edge.source == boxes[0].node.id and alike[edge.target, edge.label] == len(boxes) > 1:
                    frames.append(Frame(edge, tuple(boxes)))
                    break
        return frames

    def _placed(self) -> dict[str, tuple[int, int]]:
        nodes, count = self.diagram.nodes, len(self.states)
        chain = count == len({node.level for node in self.states}) and not any(node.lane for node in self.states)
        if not chain or count <= CHAIN_LONGEST:
            return {node.id: (node.lane, node.level) for node in nodes}
        rows = ceil(count / CHAIN_LONGEST)
        across = ceil(count / rows)
        return {node.id: (rows - 1, across) if node.is_end else divmod(node.level, across) for node in nodes}

    @cached_property
    def cells(self) -> dict[tuple[int, int], list[Box]]:
        """The boxes in each place; an end that only a frame leads to is beside the frame instead."""
        reached = {edge.target for edge in self.edges}
        cells: dict[tuple[int, int], list[Box]] = defaultdict(list)
        for name, place in self.places.items():
            if name in reached or not self.boxes[name].node.is_end or not self._alone_at(name):
                cells[place].append(self.boxes[name])
        return cells

    def _alone_at(self, name: str) -> bool:
        return sum(frame.exit.target == name for frame in self.frames) == 1

    @cached_property
    def rows(self) -> list[int]:
        """The rows, from top to bottom."""
        return sorted({row for row, _ in self.places.values()})

    @cached_property
    def stacked(self) -> bool:
        """Whether several states share a row and a column, so that no line can run between the rows."""
        return len(self.rows) > 1 and any(sum(not box.node.is_end for box in cell) > 1 for cell in self.cells.values())

    def pile(self, gutter: float) -> float:
        """Set every box's vertical position with so much room between rows; return where the last one ends."""
        y = TOP + FRAME * bool(self.frames)
        for row in self.rows:
            piles = [cell for place, cell in self.cells.items() if place[0] == row]
            heights = [sum(box.height + STACK_GAP for box in pile) - STACK_GAP for pile in piles]
            middle = y + max(heights) / 2
            for pile, height in zip(piles, heights, strict=True):
                at = middle - height / 2
                for box in pile:
                    box.y = at + box.height / 2
                    at += box.height + STACK_GAP
            self.row_ends[row] = y + max(heights)
            for frame in self.frames:
                if row == max(self.places[box.node.id][0] for box in frame.boxes):
                    self.row_ends[row] += STRIP
                    target = self.boxes[frame.exit.target]
                    if target not in self.cells[self.places[target.node.id]]:
                        target.y = frame.bottom - STRIP / 2
            y = self.row_ends[row] + gutter
        return max(self.row_ends[row], *(box.bottom for box in self.boxes.values()))

    def spread(self, gaps: Mapping[int, float]) -> float:
        """Set every box's horizontal position with so much room after each column; return the right edge."""
        x = LEFT + FRAME * bool(self.frames)
        for column, gap in sorted(gaps.items()):
            boxes = [self.boxes[name] for name, place in self.places.items() if place[1] == column]
            width = max(box.width for box in boxes)
            for box in boxes:
                box.x, box.width = x + width / 2, width
            x += width + gap
        return max(box.right for box in self.boxes.values())


def _sized(node: Node, loop: Edge | None) -> Box:
    box = Box(node, loop, 0.0, 36.0 + 14 * ((node.states > 1) + bool(loop)))
    label = text_width(node.label, LABEL) * (1.06 if box.bold else 1)
    box.width = max(76.0, label + 26, text_width(loop.label, SMALL) + 40 if loop else 0.0)
    return box
