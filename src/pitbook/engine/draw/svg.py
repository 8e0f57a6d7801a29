"""A diagram as a self-contained SVG picture."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from pitbook.engine.draw.layout import LABEL, LEFT, SMALL, Plan, text_width
from pitbook.engine.draw.lines import Lines
from pitbook.engine.draw.model import phrase
from pitbook.engine.draw.text import COLOURS
from pitbook.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.engine.draw.layout import Box, Frame
    from pitbook.engine.draw.lines import Caption, Line
    from pitbook.engine.draw.model import Diagram
    from pitbook.messages import Language

STATES_MAX = 300
"""A picture of more states cannot be read."""

HEADING = 17.0
FONTS = (
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', "
    "'PingFang TC', 'Microsoft JhengHei', 'Noto Sans CJK TC', sans-serif"
)
GROUND, FRAMED, FRAME_LINE = "#fbf9f4", "#f5f1e6", "#e0d8c5"
INK, MUTED = "#22302a", "#6d675d"
TONES = {"win": "#3a8a55", "push": "#8492a6", "lose": "#bdb6ab"}
"""Lines by the end they lead to."""
LINE = "#5d7066"
"""All other lines."""
_TIPS = {"left": "l-8 -4v8z", "right": "l8 -4v8z", "top": "l-4 -8h8z"}


def svg(diagram: Diagram) -> str:
    """Return a diagram as SVG."""
    states = sum(not node.is_end for node in diagram.nodes)
    if states > STATES_MAX:
        raise InputError("engine.picture-too-large", states=f"{states:,}")
    plan = Plan(diagram)
    lines = Lines(plan)
    heading, _, rest = diagram.title.partition(" · ")
    width = max(lines.right, LEFT + text_width(heading, HEADING), LEFT + text_width(rest, 11.5)) + LEFT
    height = lines.bottom + 30
    kinds = {node.id: node.kind for node in diagram.nodes}
    labels = {node.id: node.label for node in diagram.nodes}
    drawn = sorted(lines.drawn(), key=lambda line: kinds[line.edge.target] != "lose")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" role="img" font-family="{escape(FONTS)}" font-size="{SMALL:g}" fill="{INK}">',
        f"<title>{escape(diagram.title)}</title>",
        f'<rect width="100%" height="100%" rx="10" fill="{GROUND}"/>',
        f'<text x="{LEFT:g}" y="38" font-size="{HEADING:g}" font-weight="600">{escape(heading)}</text>',
        f'<text x="{LEFT:g}" y="58" font-size="11.5" fill="{MUTED}">{escape(rest)}</text>',
        *(_frame(frame) for frame in plan.frames),
        f'<g fill="none" stroke-width="{1.3 if lines.full else 1}">',
        *(_line(line, TONES.get(kinds[line.edge.target], LINE), labels, diagram.language) for line in drawn),
        "</g>",
        *(_caption(caption, quiet=kinds[line.edge.target] == "lose") for line in drawn for caption in line.captions),
        *(_box(box, diagram.language) for box in plan.boxes.values()),
        "</svg>",
        "",
    ]
    return "\n".join(parts)


def _frame(frame: Frame) -> str:
    return (
        f'<rect x="{frame.left:g}" y="{frame.top:g}" width="{frame.right - frame.left:g}" '
        f'height="{frame.bottom - frame.top:g}" rx="14" fill="{FRAMED}" stroke="{FRAME_LINE}"/>'
    )


def _line(line: Line, tone: str, labels: Mapping[str, str], language: Language) -> str:
    edge = line.edge
    source = phrase(language, "any-state") if line.from_frame else labels[edge.source]
    target = labels[edge.target]
    title = phrase(language, "leads.from-to", source=source, target=target, rolls=edge.label, ways=edge.counted)
    x, y = line.tip
    thin = ' stroke-width="1"' if tone == TONES["lose"] else ""
    return (
        f"<g><title>{escape(title)}</title>"
        f'<path d="{line.path}" stroke="{tone}"{thin}/>'
        f'<path d="M{x:g} {y:g}{_TIPS[line.enters]}" fill="{tone}"/></g>'
    )


def _caption(caption: Caption, *, quiet: bool) -> str:
    return (
        f'<text x="{caption.x:g}" y="{caption.y + SMALL * 0.35:g}" text-anchor="{caption.anchor}" '
        f'fill="{MUTED if quiet else INK}">{escape(caption.text)}</text>'
    )


def _box(box: Box, language: Language) -> str:
    node = box.node
    fill, line = COLOURS[node.kind]
    small = [phrase(language, "states", count=node.states)] if node.states > 1 else []
    rows = 1 + len(small) + bool(box.loop)
    y = box.y - 7 * (rows - 1)
    ink = MUTED if node.kind == "lose" else INK
    parts = [
        f'<g><rect x="{box.left:g}" y="{box.top:g}" width="{box.width:g}" height="{box.height:g}" '
        f'rx="{18 if node.is_end else 9}" fill="{fill}" stroke="{line}" stroke-width="1.2"/>',
        f'<text x="{box.x:g}" y="{y + LABEL * 0.35:g}" text-anchor="middle" font-size="{LABEL:g}" '
        f'font-weight="{600 if box.bold else 400}" fill="{ink}">{escape(node.label)}</text>',
    ]
    for text in small:
        y += 15
        parts.append(_small(box.x, y, text))
    if box.loop:
        y += 15
        half = text_width(box.loop.label, SMALL) / 2
        title = phrase(language, "leads.stays", rolls=box.loop.label, ways=box.loop.counted)
        parts.append(_small(box.x + 7, y, box.loop.label, title))
        # A circle that is nearly closed, with the tip of an arrow at its end.
        parts.append(
            f'<path d="M{box.x - half - 1.5:g} {y - 3:g}a4 4 0 1 0 1.2 3.4" fill="none" stroke="{MUTED}"/>'
            f'<path d="M{box.x - half + 1.6:g} {y - 1.2:g}l-4.2 -.6l3 -3.2z" fill="{MUTED}"/>'
        )
    return "".join([*parts, "</g>"])


def _small(x: float, y: float, text: str, title: str = "") -> str:
    title = f"<title>{escape(title)}</title>" if title else ""
    return f'<text x="{x:g}" y="{y + SMALL * 0.35:g}" text-anchor="middle" fill="{MUTED}">{title}{escape(text)}</text>'
