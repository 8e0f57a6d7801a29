/** Positions of the areas of a felt: lines across the table, boxes of numbers, and the line around the edge. */

import type { Block, FeltBand, WagerEntry } from "../api/types";
import { named } from "../i18n";
import { evenRows, GAP, TOUCH } from "./arrange";
import type { Box, Drawing, Placed } from "./model";

/** A box for a number, with the areas of that number. */
export interface NumberBox {
  title: string;
  selection: string;
  box: Box;
  /** The height of its head, which has its number. */
  head: number;
}

export interface FeltDrawing extends Drawing {
  boxes: NumberBox[];
  /** The place of the puck without a point; null if the felt has none. */
  rest: { x: number; y: number } | null;
}

/** The minimum height of a line, at which its name is legible. */
const LINE = 48;
const LOWEST = 44;
/** The content above the areas of a box: its number, and the puck. */
const [BOX_HEAD, LOW_HEAD] = [38, 30];
/** The minimum width and height of an area in a box on a low felt. */
const [LOW_CELL, LOW_HEIGHT] = [42, 46];
/** On a low felt, areas beside the boxes are narrower than the boxes by this factor. */
const LOW_COLUMN = 0.75;
const BOX_EDGE = 3;
/** Below this width, the line around the edge would leave too little of the table. */
const EDGED = 560;
const EDGE = 52;
/** Below this width, the areas beside the boxes get a separate line. */
const BESIDE = 560;
/** Widths of areas side by side: those behind another bet, those of a selection, and all others. */
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

/** A low felt: tall lines share one line, and the areas of a box are three abreast. */
export function arrangeFelt(all: readonly Row[], width: number, stretch = 1, low = false): FeltDrawing {
  const rows = low ? sharedLines(all) : all;
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
        ? putBoxes(drawing, row, { x: from, y: top, width: width - from, height: 0 }, stretch, low)
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

/** Merges adjacent tall lines into one of the usual height. */
function sharedLines(rows: readonly Row[]): Row[] {
  const shared: Row[] = [];
  let above = 1;
  for (const { band, wagers } of rows) {
    const last = shared.at(-1);
    if (last !== undefined && above > 1 && band.height > 1) last.wagers = [...last.wagers, ...wagers];
    else shared.push({ band: { ...band, height: 1 }, wagers });
    above = band.height;
  }
  return shared;
}

function putLine(drawing: FeltDrawing, { band, wagers }: Row, at: Box, stretch: number): number {
  const height = Math.max(LOWEST, Math.round(LINE * band.height * stretch));
  const mixed = wagers.some(one => one.selection === null);
  const weight = (one: WagerEntry): number => (one.parent !== null ? TIED : mixed && one.selection ? CHOSEN : OWN);
  const most = Math.max(1, Math.floor((at.width + GAP) / (TOUCH + GAP)));
  const lines = wagers.length > most ? evenRows(wagers, at.width) : [wagers];
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

/** A box for each selection; areas without one are beside them, or below them on a narrow felt. */
function putBoxes(drawing: FeltDrawing, row: Row, at: Box, stretch: number, low: boolean): number {
  const own = row.wagers.filter(one => one.selection === null);
  const stacks = new Map<string, WagerEntry[]>();
  for (const one of row.wagers) {
    if (one.selection !== null) stacks.set(one.selection, [...(stacks.get(one.selection) ?? []), one]);
  }
  const beside = at.width >= BESIDE ? own : [];
  const all = [...stacks].sort(([one], [other]) => Number(one) - Number(other));
  const column = columnWidth(at.width, all.length + beside.length) * (low ? LOW_COLUMN : 1);
  const room = at.width - beside.length * (column + GAP);
  const lines = evenRows(all, room, TOUCH + 2 * BOX_EDGE);
  let y = at.y;
  for (const line of lines) {
    const width = (room - GAP * (line.length - 1)) / line.length;
    const abreast = low
      ? Math.min(3, Math.floor((width - 2 * BOX_EDGE + GAP) / (LOW_CELL + GAP)))
      : Math.min(2, Math.floor((width - 2 * BOX_EDGE + GAP) / (TOUCH + GAP)));
    const columns = Math.max(1, abreast);
    const head = low ? LOW_HEAD : BOX_HEAD;
    const deep = Math.max(...line.map(([, areas]) => Math.ceil(areas.length / columns)));
    const cell = low ? LOW_HEIGHT : Math.max(TOUCH, Math.round(44 * Math.min(stretch, 1.35)));
    const height = head + deep * (cell + GAP) - GAP + 2 * BOX_EDGE;
    for (const [index, [selection, areas]] of line.entries()) {
      const box = { x: at.x + at.width - room + index * (width + GAP), y, width, height };
      const title = row.band.titles[selection];
      drawing.boxes.push({ selection, title: title ? named(title) : selection, box, head });
      fillBox(drawing.areas, areas, box, head, columns);
    }
    y += height + GAP;
  }
  let height = y - GAP - at.y;
  let x = at.x;
  for (const wager of beside) {
    drawing.areas.push({ wager, box: { x, y: at.y, width: column, height } });
    drawing.rest ??= { x: x + column / 2, y: at.y + 32 };
    x += column + GAP;
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

/** Lines of areas in a box; if they don't come out even, the first has fewer, wider ones. */
function fillBox(areas: Placed[], wagers: readonly WagerEntry[], box: Box, head: number, columns: number): void {
  const rows = Math.ceil(wagers.length / columns);
  const inner = { x: box.x + BOX_EDGE, y: box.y + head + BOX_EDGE, width: box.width - 2 * BOX_EDGE };
  const height = (box.height - head - 2 * BOX_EDGE - GAP * (rows - 1)) / rows;
  const first = wagers.length - (rows - 1) * columns;
  for (let row = 0; row < rows; row += 1) {
    const from = row === 0 ? 0 : first + (row - 1) * columns;
    const line = wagers.slice(from, first + row * columns);
    const width = (inner.width - GAP * (line.length - 1)) / line.length;
    for (const [column, wager] of line.entries()) {
      const [x, y] = [inner.x + column * (width + GAP), inner.y + row * (height + GAP)];
      areas.push({ wager, box: { x, y, width, height }, cell: true });
    }
  }
}
