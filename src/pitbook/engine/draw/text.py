"""Diagrams for other programs to lay out: Graphviz (DOT) and Mermaid."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pitbook.engine.draw.model import phrase

if TYPE_CHECKING:
    from pitbook.engine.draw.model import Diagram, Edge, Node
    from pitbook.messages import Language

COLOURS = {
    "start": ("#f6e8c4", "#a37a2c"),
    "state": ("#ffffff", "#9fb0a6"),
    "win": ("#d9eddd", "#3a8a55"),
    "push": ("#e9edf3", "#8492a6"),
    "lose": ("#f0ede7", "#c9c2b7"),
}
"""Of each kind of node: its fill and its line."""


def dot(diagram: Diagram) -> str:
    """Return a diagram in Graphviz's language."""
    lines = [
        f"digraph {_quoted(diagram.wager)} {{",
        f'  graph [rankdir=LR, label={_quoted(diagram.title)}, labelloc=t, fontname="sans-serif", ranksep=0.8];',
        '  node [shape=box, style="rounded,filled", fontname="sans-serif", fontsize=12];',
        '  edge [fontname="sans-serif", fontsize=10, color="#5d7066"];',
    ]
    for node in diagram.nodes:
        fill, line = COLOURS[node.kind]
        label = _quoted("\n".join(_lines(node, diagram.language)))
        lines.append(f'  {node.id} [label={label}, fillcolor="{fill}", color="{line}"];')
    ends = " ".join(node.id for node in diagram.nodes if node.is_end)
    lines.append(f"  {{ rank=max; {ends} }}")
    discreet = _discreet(diagram)
    for edge in diagram.edges:
        quiet = ', color="#bdb6ab", fontcolor="#756e64"' if edge in discreet else ""
        label = _quoted("\n".join(_captions(edge)))
        lines.append(f"  {edge.source} -> {edge.target} [label={label}{quiet}];")
    return "\n".join([*lines, "}", ""])


def mermaid(diagram: Diagram) -> str:
    """Return a diagram in Mermaid's language, as Markdown pages show it."""
    lines = ["---", f"title: {json.dumps(diagram.title, ensure_ascii=False)}", "---", "flowchart LR"]
    for node in diagram.nodes:
        left, right = ("([", "])") if node.is_end else ("(", ")")
        label = "<br/>".join(map(_entities, _lines(node, diagram.language)))
        lines.append(f'  {node.id}{left}"{label}"{right}:::{node.kind}')
    discreet = _discreet(diagram)
    for edge in diagram.edges:
        arrow = "-.->" if edge in discreet else "-->"
        caption = "<br/>".join(map(_entities, _captions(edge)))
        lines.append(f'  {edge.source} {arrow}|"{caption}"| {edge.target}')
    for kind, (fill, line) in COLOURS.items():
        lines.append(f"  classDef {kind} fill:{fill},stroke:{line},color:#22302a")
    return "\n".join([*lines, ""])


def _lines(node: Node, language: Language) -> list[str]:
    return [node.label] if node.states == 1 else [node.label, phrase(language, "states", count=node.states)]


def _captions(edge: Edge) -> list[str]:
    return [edge.label] if edge.label == edge.counted else [edge.label, edge.counted]


def _discreet(diagram: Diagram) -> set[Edge]:
    losing = {node.id for node in diagram.nodes if node.kind == "lose"}
    return {edge for edge in diagram.edges if edge.is_loop or edge.target in losing}


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _entities(text: str) -> str:
    for character, name in (("#", "#35;"), ("&", "#amp;"), ('"', "#quot;"), ("<", "#lt;"), (">", "#gt;")):
        text = text.replace(character, name)
    return text
