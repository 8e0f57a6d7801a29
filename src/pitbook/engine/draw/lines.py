"""How the lines of a diagram run from box to box, and the positions of their captions."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pitbook.engine.draw.layout import FRAME, SMALL, STRIP, text_width
from pitbook.engine.draw.model import phrase

if TYPE_CHECKING:
    from pitbook.engine.draw.layout import Box, Frame, Plan
    from pitbook.engine.draw.model import Edge

CAPTIONED_IN_FULL = 100
"""With more edges than this, captions leave the ways out."""
SLOT = 16.0
"""Between two lines on the same side of a box."""
GUTTER, GUTTER_WIDE = 48.0, 72.0
"""Between two rows: for lines that run one way, or both."""

Way = Literal["across", "back", "drop", "bulge", "down", "leftward", "rightward"]
Side = Literal["left", "right", "top", "bottom"]
_SIDES: dict[Way, tuple[Side, Side]] = {
    "across": ("right", "left"),
    "back": ("left", "right"),
    "drop": ("left", "top"),
    "bulge": ("right", "right"),
    "down": ("bottom", "top"),
    "leftward": ("bottom", "top"),
    "rightward": ("bottom", "top"),
}
_FRACTIONS: dict[Way, tuple[float, float]] = {
    "down": (0.5, 0.5),
    "leftward": (0.12, 0.75),
    "rightward": (0.88, 0.12),
}
"""The points at which lines between rows leave one box and reach the other, as shares of the width."""


@dataclass(frozen=True, slots=True)
class Caption:
    """A text beside a line."""

    text: str
    x: float
    y: float
    anchor: Literal["start", "middle", "end"] = "middle"


@dataclass(frozen=True, slots=True)
class Line:
    """An edge as it is drawn."""

    edge: Edge
    path: str
    tip: tuple[float, float]
    enters: Side
    captions: tuple[Caption, ...]
    from_frame: bool = False


@dataclass(slots=True)
class Route:
    """The way of an edge, and the heights at which it leaves and reaches the sides of its boxes."""

    edge: Edge
    way: Way
    source: Box
    target: Box
    leaves_at: float = 0.0
    reaches_at: float = 0.0
    only_out: bool = False
    only_in: bool = False
    paired: bool = False
    """Whether another line runs straight back."""

    @property
    def straight(self) -> bool:
        """Whether it is a level line with room above and below."""
        return self.leaves_at == self.reaches_at and (self.paired or (self.only_out and self.only_in))


class Lines:
    """All lines of a plan; making them sets the plan's boxes in their places."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.full = len(plan.diagram.edges) <= CAPTIONED_IN_FULL
        self.routes = [
            Route(edge, _way(plan, edge), plan.boxes[edge.source], plan.boxes[edge.target]) for edge in plan.edges
        ]
        ways = {route.way for route in self.routes}
        self.gutter = 0.0 if len(plan.rows) == 1 else GUTTER_WIDE if "rightward" in ways else GUTTER
        outs: dict[tuple[str, Side], list[Route]] = defaultdict(list)
        ins: dict[tuple[str, Side], list[Route]] = defaultdict(list)
        for route in self.routes:
            leaves, enters = _SIDES[route.way]
            outs[route.edge.source, leaves].append(route)
            ins[route.edge.target, enters].append(route)
        for (name, side), routes in outs.items():
            if side in ("left", "right"):
                plan.boxes[name].height = max(plan.boxes[name].height, len(routes) * SLOT + 8)
        more = FRAME * (len(plan.frames) > 1)
        self.bottom = plan.pile(self.gutter + more)
        self._assign_slots(outs, ins)
        self.right = plan.spread(self._gaps())

    def _assign_slots(
        self, outs: dict[tuple[str, Side], list[Route]], ins: dict[tuple[str, Side], list[Route]]
    ) -> None:
        """Give every outgoing line its own place on a box's side; incoming lines share one."""
        pairs = {(route.edge.target, route.edge.source) for route in self.routes}
        for name, side in outs.keys() | ins.keys():
            leaving = sorted(outs[name, side], key=lambda route: route.target.y)
            reaching = ins[name, side]
            count = len(leaving) + bool(reaching)
            heights = [self.plan.boxes[name].y + (place - (count - 1) / 2) * SLOT for place in range(count)]
            for place, route in enumerate(leaving, int(bool(reaching) and side == "left")):
                route.leaves_at = heights[place]
                route.only_out = len(leaving) == 1
            for route in reaching:
                route.reaches_at = heights[0 if side == "left" else -1]
                route.only_in = len(reaching) == 1
                route.paired = (route.edge.source, route.edge.target) in pairs

    def _gaps(self) -> dict[int, float]:
        """Return the room after each column: enough for the captions in it."""
        places = self.plan.places
        gaps = {column: 64.0 if self.full else 120.0 for _, column in places.values()}
        for route in self.routes:
            if _SIDES[route.way][0] in ("left", "right"):
                column = min(places[route.edge.source][1], places[route.edge.target][1])
                texts = self._two(route.edge) if route.straight and not route.paired else [self._one(route.edge)]
                room = max(text_width(text, SMALL) for text in texts) + (40 if route.straight else 80)
                room += FRAME if self._frame_left(route) else 0
                gaps[column] = max(gaps[column], room)
        for frame in self.plan.frames:
            column = places[frame.exit.target][1] - 1
            room = max(text_width(text, SMALL) for text in self._exit_captions(frame))
            gaps[column] = max(gaps[column], room + FRAME + 40)
        return gaps

    def _two(self, edge: Edge) -> list[str]:
        return [edge.label] if edge.label == edge.counted or not self.full else [edge.label, edge.counted]

    def _one(self, edge: Edge) -> str:
        return " · ".join(self._two(edge))

    def _exit_captions(self, frame: Frame) -> list[str]:
        return [phrase(self.plan.diagram.language, "leads.from-any", rolls=frame.exit.label), frame.exit.counted]

    def _frame_left(self, route: Route) -> Frame | None:
        """Return the frame that a line leads out of."""
        frames = (frame for frame in self.plan.frames if route.source in frame.boxes)
        return next(frames, None) if route.target.node.is_end else None

    # ------------------------------------------------------------ drawing

    def drawn(self) -> list[Line]:
        """Every line with its captions."""
        return [self._way_out(frame) for frame in self.plan.frames] + [
            self._between_rows(route) if route.way in _FRACTIONS else self._sideways(route) for route in self.routes
        ]

    def _way_out(self, frame: Frame) -> Line:
        target = self.plan.boxes[frame.exit.target]
        x, y = frame.right, frame.bottom - STRIP / 2
        level = target.y == y
        middle = (x + target.left) / 2 - 4 if level else x + 50
        captions = _above_and_below(self._exit_captions(frame), middle, y)
        path = f"M{x:g} {y:g}H{x if level else x + 80:g}{_curve(x if level else x + 80, y, target.left, target.y)}"
        return Line(frame.exit, path, (target.left, target.y), "left", captions, from_frame=True)

    def _sideways(self, route: Route) -> Line:
        leaves, enters = _SIDES[route.way]
        source, target = route.source, route.target
        x, y = (source.left if leaves == "left" else source.right), route.leaves_at
        x_to, y_to = (target.left if enters == "left" else target.right), route.reaches_at
        if enters == "top":
            x_to, y_to = target.left + 0.75 * target.width, target.top
        onward = -1 if leaves == "left" else 1
        frame = self._frame_left(route)
        clear = frame.right if frame else x
        if route.straight:
            path = f"M{x:g} {y:g}H{x_to:g}"
            middle = (clear + x_to) / 2 - onward * 4
            captions = (
                (Caption(self._one(route.edge), middle, y + (10 if route.way == "back" else -10)),)
                if route.paired
                else _above_and_below(self._two(route.edge), middle, y)
            )
            return Line(route.edge, path, (x_to, y_to), enters, captions)
        text = self._one(route.edge)
        room = onward * (text_width(text, SMALL) + 8)
        near_end = route.way == "across" and route.only_in
        if near_end:  # where lines are apart at their ends, captions are there; otherwise where they begin
            stop = x_to - onward * 16
            path = f"{_curve(x, y, stop - room, y_to)}M{stop:g} {y_to:g}H{x_to:g}"
            caption = Caption(text, stop - room / 2, y_to)
        else:
            begin = clear + onward * 6
            path = f"M{x:g} {y:g}H{begin:g}" + _BENT.get(route.way, _curve)(begin + room, y, x_to, y_to)
            caption = Caption(text, begin + room / 2, y)
        return Line(route.edge, path, (x_to, y_to), enters, (caption,))

    def _between_rows(self, route: Route) -> Line:
        source, target = route.source, route.target
        leaves, reaches = _FRACTIONS[route.way]
        x, x_to = source.left + leaves * source.width, target.left + reaches * target.width
        row, column = self.plan.places[route.edge.source]
        ground = self.plan.row_ends[row]
        if route.way == "down":
            texts = self._two(route.edge)
            first = ground + self.gutter / 2 - 4 - 6.5 * (len(texts) - 1)
            captions = tuple(
                # On the outer side, away from the lines that run between the columns.
                Caption(text, x + (7 if column else -7), first + 13 * place, "start" if column else "end")
                for place, text in enumerate(texts)
            )
            return Line(route.edge, f"M{x:g} {source.bottom:g}V{target.top:g}", (x, target.top), "top", captions)
        share = 0.5 if self.gutter < GUTTER_WIDE else 0.3 if route.way == "leftward" else 0.66
        track = ground + self.gutter * share
        caption = Caption(self._one(route.edge), (x + x_to) / 2, track - 9)
        path = _elbow(x, source.bottom, track, x_to, target.top)
        return Line(route.edge, path, (x_to, target.top), "top", (caption,))


def _way(plan: Plan, edge: Edge) -> Way:
    """Return how a line runs, by the relative position of its boxes."""
    row, column = plan.places[edge.source]
    row_to, column_to = plan.places[edge.target]
    if row_to == row:
        return "across" if column_to > column else "back"
    if column_to == column and len(plan.cells[row, column]) == len(plan.cells[row_to, column]) == 1:
        return "down"
    if plan.stacked or plan.boxes[edge.target].node.is_end:
        return "across" if column_to > column else "bulge" if column_to == column else "drop"
    return "rightward" if column_to > column else "leftward"


def _above_and_below(texts: list[str], x: float, y: float) -> tuple[Caption, ...]:
    return tuple(Caption(text, x, y + shift) for text, shift in zip(texts, (-9, 10), strict=False))


def _curve(x: float, y: float, x_to: float, y_to: float) -> str:
    bend = (x_to - x) * 0.5
    return f"M{x:g} {y:g}C{x + bend:g} {y:g} {x_to - bend:g} {y_to:g} {x_to:g} {y_to:g}"


def _bulge(x: float, y: float, x_to: float, y_to: float) -> str:
    reach = x + 10 + abs(y_to - y) / 12
    return f"M{x:g} {y:g}C{reach:g} {y:g} {reach:g} {y_to:g} {x_to:g} {y_to:g}"


def _drop(x: float, y: float, x_to: float, y_to: float) -> str:
    return f"M{x:g} {y:g}C{x - 60:g} {y:g} {x_to:g} {y_to - 90:g} {x_to:g} {y_to:g}"


_BENT = {"bulge": _bulge, "drop": _drop}


def _elbow(x: float, y: float, track: float, x_to: float, y_to: float) -> str:
    """Down to a track, along it, and down again, with rounded corners."""
    bend = 8 if x_to > x else -8
    return (
        f"M{x:g} {y:g}V{track - 8:g}Q{x:g} {track:g} {x + bend:g} {track:g}"
        f"H{x_to - bend:g}Q{x_to:g} {track:g} {x_to:g} {track + 8:g}V{y_to:g}"
    )
