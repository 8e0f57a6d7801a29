/** The name, number or dice of an area; it moves into the space that chips leave free. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Box, PricedArea, Showing } from "./model";
import { footHeight } from "./pays";
import { takenBy } from "./stakes";

/** The distance from the edges of the area. */
const EDGE = 3;
/** The elements that people read. */
const LEAVES = "text, .die-mark, .felt-totals circle";

interface LabelProps {
  area: PricedArea;
  showing: Showing;
  /** The height that it may fill, from the top; by default, everything above the odds. */
  floor?: number;
  children: ComponentChildren;
}

export function Label({ area, showing, floor, children }: LabelProps) {
  const group = useRef<SVGGElement>(null);
  const { box } = area;
  useLayoutEffect(() => {
    const [label, taken] = [group.current, takenBy(area, showing)];
    if (label === null) return;
    label.removeAttribute("transform");
    const foot = floor ?? box.height - footHeight({ area, showing });
    if (taken.length > 0) avoid(label, { width: box.width, height: foot }, taken);
  });
  return (
    <g ref={group} class="area-label">
      {children}
    </g>
  );
}

/** Moves a label into the largest free rectangle, as little as possible, and reduces it if that is too small. */
function avoid(label: SVGGElement, room: { width: number; height: number }, taken: readonly Box[]): void {
  const leaves = [...label.querySelectorAll<SVGGraphicsElement>(LEAVES)].map(one => measured(one, label));
  const around = union(leaves.filter(one => one.width > 0));
  if (around === null) return;
  const inside = around.y + around.height <= room.height + EDGE;
  if (inside && !leaves.some(one => taken.some(other => meet(one, other)))) return;
  const fits = freeIn(room, taken).map(free => {
    const scale = Math.min(1, free.width / around.width, free.height / around.height);
    const [width, height] = [around.width * scale, around.height * scale];
    const x = within(around.x + (around.width - width) / 2, free.x, free.x + free.width - width);
    const y = within(around.y + (around.height - height) / 2, free.y, free.y + free.height - height);
    const moved = Math.hypot(
      x + width / 2 - around.x - around.width / 2,
      y + height / 2 - around.y - around.height / 2,
    );
    return { scale, x, y, moved };
  });
  const best = fits.sort((one, other) => other.scale - one.scale || one.moved - other.moved)[0];
  if (best === undefined) return;
  const { scale, x, y } = best;
  label.setAttribute("transform", `translate(${x - around.x * scale} ${y - around.y * scale}) scale(${scale})`);
}

/** The extent of an element in the coordinates of its area, at whatever size the drawing is shown. */
function measured(one: SVGGraphicsElement, label: SVGGElement): Box {
  const touch = label.closest(".area")?.querySelector<SVGRectElement>(".area-touch");
  const [box, origin] = [one.getBoundingClientRect(), touch?.getBoundingClientRect()];
  const scale = (origin?.width ?? 0) / (touch?.width.baseVal.value || 1);
  if (origin === undefined || scale === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const [x, y] = [(box.left - origin.left) / scale, (box.top - origin.top) / scale];
  return { x, y, width: box.width / scale, height: box.height / scale };
}

function union(all: readonly Box[]): Box | null {
  if (all.length === 0) return null;
  const [x, y] = [Math.min(...all.map(one => one.x)), Math.min(...all.map(one => one.y))];
  const right = Math.max(...all.map(one => one.x + one.width));
  const foot = Math.max(...all.map(one => one.y + one.height));
  return { x, y, width: right - x, height: foot - y };
}

/** The rectangles of an area without chips. */
function freeIn(room: { width: number; height: number }, taken: readonly Box[]): Box[] {
  const [right, foot] = [room.width - EDGE, room.height];
  const lefts = [EDGE, ...taken.map(one => one.x + one.width)];
  const rights = [right, ...taken.map(one => one.x)].map(one => Math.min(one, right));
  const tops = [1, ...taken.map(one => one.y + one.height)];
  const feet = [foot, ...taken.map(one => one.y)].map(one => Math.min(one, foot));
  return lefts
    .flatMap(x => rights.map(end => ({ x, width: end - x })))
    .flatMap(across => tops.flatMap(y => feet.map(end => ({ ...across, y, height: end - y }))))
    .filter(free => free.width > 0 && free.height > 0 && !taken.some(one => meet(free, one)));
}

/** Whether two boxes overlap, by more than a rounding error. */
function meet(one: Box, other: Box): boolean {
  const apart = 0.1;
  return (
    one.x < other.x + other.width - apart &&
    other.x < one.x + one.width - apart &&
    one.y < other.y + other.height - apart &&
    other.y < one.y + one.height - apart
  );
}

function within(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
