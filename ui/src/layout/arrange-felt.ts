/** Where the areas of a felt lie: lines across the table, boxes of numbers, and the line around its edge. */

import type { Block, FeltBand, WagerEntry } from "../api/types";
import { named } from "../i18n";
import { even, GAP, TOUCH } from "./arrange";
import type { Box, Drawing, Placed } from "./model";

/** A box of a number, with the areas of that number in it. */
export interface NumberBox {
  title: string;
  selection: string;
  box: Box;
}

export interface FeltDrawing extends Drawing {
  boxes: NumberBox[];
  /** Where the puck lies while there is no point; null where the felt has no place for it. */
  rest: { x: number; y: number } | null;
}

/** A line of the felt before it is stretched; lower, its name cannot be read. */
const LINE = 48;
const LOWEST = 44;
/** What stands above the areas of a box: its number, and the puck. */
export const BOX_HEAD = 38;
const BOX_EDGE = 3;
/** Narrower, the line around the edge would leave too little of the table. */
const EDGED = 560;
const EDGE = 52;
/** Narrower, what stands beside the boxes gets a line of its own. */
const BESIDE = 560;
/** How wide areas are beside each other: those behind another bet, those of a selection, and all others. */
const [TIED, CHOSEN, OWN] = [1.6, 1.1, 5];

interface Row {
  band: FeltBand;
  wagers: WagerEntry[];
}

/** The rows of a felt that have something to draw, each with its band. */
export function feltRows(block: Block, wagers: ReadonlyMap<string, WagerEntry>): Row[] {
  return block.rows
    .map((row, index) => ({ band: block.bands[index], wagers: row.flatMap(id => wagers.get(id) ?? []) }))
    .filter((row): row is Row => row.band !== undefined && row.wagers.length > 0);
}

export function arrangeFelt(rows: readonly Row[], width: number, stretch = 1): FeltDrawing {
  const last = rows.at(-1);
  const arm = last?.band.draws === "edge" && width >= EDGED && rows.length > 1 ? EDGE : 0;
  const left = arm > 0 ? arm + GAP : 0;
  const drawing: FeltDrawing = { width, height: 0, areas: [], boxes: [], rest: null };
  for (const row of rows) {
    const top = drawing.height;
    const edge = row.band.draws === "edge";
    const from = edge ? 0 : left;
    const height =
      row.band.draws === "boxes"
        ? putBoxes(drawing, row, { x: from, y: top, width: width - from, height: 0 }, stretch)
        : putLine(drawing, row, { x: from, y: top, width: width - from, height: 0 }, stretch);
    drawing.height = top + height + GAP;
    if (edge && arm > 0) {
      const first = drawing.areas.find(area => area.wager === row.wagers[0]);
      if (first !== undefined) first.arm = { x: 0, y: 0, width: arm, height: top };
    }
  }
  drawing.height = Math.max(0, drawing.height - GAP);
  return drawing;
}

function putLine(drawing: FeltDrawing, { band, wagers }: Row, at: Box, stretch: number): number {
  const height = Math.max(LOWEST, Math.round(LINE * band.height * stretch));
  const mixed = wagers.some(one => one.selection === null);
  const weight = (one: WagerEntry): number => (one.parent !== null ? TIED : mixed && one.selection ? CHOSEN : OWN);
  const most = Math.max(1, Math.floor((at.width + GAP) / (TOUCH + GAP)));
  const lines = wagers.length > most ? even(wagers, at.width) : [wagers];
  for (const [index, line] of lines.entries()) {
    const free = at.width - GAP * (line.length - 1);
    const units = line.reduce((sum, one) => sum + weight(one), 0);
    const narrow = line.filter(one => (free * weight(one)) / units < TOUCH);
    const rest = units - narrow.reduce((sum, one) => sum + weight(one), 0);
    let x = at.x;
    for (const wager of line) {
      const own = narrow.includes(wager) ? TOUCH : ((free - TOUCH * narrow.length) * weight(wager)) / rest;
      drawing.areas.push({ wager, box: { x, y: at.y + index * (height + GAP), width: own, height } });
      x += own + GAP;
    }
  }
  return lines.length * (height + GAP) - GAP;
}

/** A box for each selection; areas without one stand beside them, or under them where it is narrow. */
function putBoxes(drawing: FeltDrawing, row: Row, at: Box, stretch: number): number {
  const own = row.wagers.filter(one => one.selection === null);
  const stacks = new Map<string, WagerEntry[]>();
  for (const one of row.wagers) {
    if (one.selection !== null) stacks.set(one.selection, [...(stacks.get(one.selection) ?? []), one]);
  }
  const beside = at.width >= BESIDE ? own : [];
  const all = [...stacks].sort(([one], [other]) => Number(one) - Number(other));
  const room = at.width - beside.length * (columnWidth(at.width, all.length + beside.length) + GAP);
  const lines = even(all, room, TOUCH + 2 * BOX_EDGE);
  let y = at.y;
  for (const line of lines) {
    const width = (room - GAP * (line.length - 1)) / line.length;
    const columns = width - 2 * BOX_EDGE >= 2 * TOUCH + GAP ? 2 : 1;
    const deep = Math.max(...line.map(([, areas]) => Math.ceil(areas.length / columns)));
    const cell = Math.max(TOUCH, Math.round(44 * Math.min(stretch, 1.35)));
    const height = BOX_HEAD + deep * (cell + GAP) - GAP + 2 * BOX_EDGE;
    for (const [index, [selection, areas]] of line.entries()) {
      const box = { x: at.x + at.width - room + index * (width + GAP), y, width, height };
      const title = row.band.titles[selection];
      drawing.boxes.push({ selection, title: title ? named(title) : selection, box });
      fillBox(drawing.areas, areas, box, columns);
    }
    y += height + GAP;
  }
  let height = y - GAP - at.y;
  let x = at.x;
  for (const wager of beside) {
    const width = columnWidth(at.width, all.length + beside.length);
    drawing.areas.push({ wager, box: { x, y: at.y, width, height } });
    drawing.rest ??= { x: x + width / 2, y: at.y + 32 };
    x += width + GAP;
  }
  if (beside.length < own.length) {
    const under = { ...row, wagers: own };
    height += GAP + putLine(drawing, under, { ...at, y }, stretch);
  }
  return height;
}

function columnWidth(width: number, count: number): number {
  return Math.max(TOUCH + 20, (width - GAP * (count - 1)) / count);
}

/** Row by row as wide as the box; of an odd number the first is twice as wide. */
function fillBox(areas: Placed[], wagers: readonly WagerEntry[], box: Box, columns: number): void {
  const rows = Math.ceil(wagers.length / columns);
  const inner = { x: box.x + BOX_EDGE, y: box.y + BOX_HEAD + BOX_EDGE, width: box.width - 2 * BOX_EDGE };
  const height = (box.height - BOX_HEAD - 2 * BOX_EDGE - GAP * (rows - 1)) / rows;
  let place = 0;
  for (const wager of wagers) {
    const whole = columns === 2 && place === 0 && wagers.length % 2 === 1;
    const width = columns === 1 || whole ? inner.width : (inner.width - GAP) / 2;
    const [row, column] = [Math.floor(place / columns), place % columns];
    const [x, y] = [inner.x + column * (width + GAP), inner.y + row * (height + GAP)];
    areas.push({ wager, box: { x, y, width, height }, cell: true });
    place += whole ? 2 : 1;
  }
}
