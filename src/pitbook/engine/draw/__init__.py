"""Diagrams of machines, for people: as SVG, Graphviz or Mermaid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.engine.draw.diagram import diagram
from pitbook.engine.draw.model import Diagram
from pitbook.engine.draw.svg import svg
from pitbook.engine.draw.text import dot, mermaid

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["RENDERERS", "Diagram", "diagram"]

RENDERERS: dict[str, Callable[[Diagram], str]] = {"dot": dot, "mermaid": mermaid, "svg": svg}
"""A diagram's text in each format."""
