"""A diagram before layout: nodes and edges."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from pitbook.messages import compose

if TYPE_CHECKING:
    from pitbook.messages import Language

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
    """The number of states that it represents."""

    @property
    def is_end(self) -> bool:
        """Whether the wager is over there."""
        return self.kind in ("win", "push", "lose")


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge from one node to another, or back to itself."""

    source: str
    target: str
    label: str
    ways: int
    """In how many of the throws; the fewest, where a summary joins states that differ."""
    ways_max: int
    of: int
    counted: str
    """The ways in words: "6 of 36", "3–5 of 36"."""

    @property
    def is_loop(self) -> bool:
        """Whether the wager stays where it is."""
        return self.source == self.target


@dataclass(frozen=True, slots=True)
class Diagram:
    """A machine as nodes and edges, ready to be drawn."""

    book: str
    wager: str
    title: str
    """The title: the wager and, after " · ", its book, the pay table shown, and whether it is a summary."""
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    language: Language = "en"

    def as_data(self) -> dict[str, Any]:
        """Return the diagram as JSON data."""
        data = {name: getattr(self, name) for name in ("book", "wager", "title")}
        return data | {name: [asdict(one) for one in getattr(self, name)] for name in ("nodes", "edges")}


def phrase(language: Language, id: str, /, **params: Any) -> str:  # noqa: A002
    """Return a text of diagrams by its id in `diagrams.toml`."""
    return compose(f"diagrams.{id}", **params).text(language)


def span(low: int, high: int) -> str:
    """Two numbers as one range: "3–5", or the one they are."""
    return str(low) if low == high else f"{low}–{high}"
