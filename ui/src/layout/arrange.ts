/** Positions of the areas of a block for a given width in pixels. Nothing is narrower than a fingertip. */

import type { WagerEntry } from "../api/types";
import type { Drawing, Placed } from "./model";

/** The minimum size of a touch target. */
export const TOUCH = 44;
/** The minimum height of a line with dice and odds. */
const LOWEST = 46;
export const GAP = 3;
/** On a narrower area odds may need a second line. */
const ODDS_ROOM = 64;
/** From this width, a layout is a table's; below, a phone's. */
const WIDE = 620;

/** An area that is alone in its row, like Small or Any triple, is larger than one of many. */
function isOwn(wager: WagerEntry): boolean {
  return wager.selection === null;
}

function weight(wager: WagerEntry): number {
  return isOwn(wager) ? 2 : 1;
}

/** Lines of areas, each as wide as the block; `stretch` scales their height. */
export function arrangeGrid(rows: readonly WagerEntry[][], width: number, stretch = 1): Drawing {
  const lines = rows.flatMap(row => broken(row, width));
  const ends = endWidth(lines, width);
  const areas: Placed[] = [];
  let y = 0;
  for (const line of lines) {
    const height = Math.max(LOWEST, Math.round(lineHeight(line, width) * stretch), highest(line, width));
    const widths = lineWidths(line, width, ends);
    let x = 0;
    for (const [index, wager] of line.entries()) {
      const own = widths[index] ?? 0;
      areas.push({ wager, box: { x, y, width: own, height } });
      x += own + GAP;
    }
    y += height + GAP;
  }
  return { width, height: Math.max(0, y - GAP), areas };
}

/** A row as one line, or as several if its areas would be too narrow. */
function broken(row: WagerEntry[], width: number): WagerEntry[][] {
  const units = row.reduce((sum, wager) => sum + weight(wager), 0);
  if ((width - GAP * (row.length - 1)) / units >= TOUCH) return [row];
  const own = row.filter(isOwn);
  const others = row.filter(wager => !isOwn(wager));
  return [
    ...(own.length > 0 ? chunks(own, Math.max(1, Math.floor(width / (2 * TOUCH)))) : []),
    ...evenRows(others, width),
  ];
}

/** As few lines as touch targets allow, all about equally long. */
export function evenRows<Item>(items: readonly Item[], width: number, least = TOUCH): Item[][] {
  if (items.length === 0) return [];
  const most = Math.max(1, Math.floor((width + GAP) / (least + GAP)));
  const lines = Math.ceil(items.length / most);
  return chunks(items, Math.ceil(items.length / lines));
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

function hasEnds(line: readonly WagerEntry[]): boolean {
  const [first, last] = [line[0], line.at(-1)];
  return line.length > 2 && first !== undefined && last !== undefined && isOwn(first) && isOwn(last);
}

/** Rows that begin and end with a separate area share the width of these, so that they are aligned. */
function endWidth(lines: readonly WagerEntry[][], width: number): number {
  const widths = lines.filter(hasEnds).map(line => {
    const units = line.reduce((sum, wager) => sum + weight(wager), 0);
    return (2 * (width - GAP * (line.length - 1))) / units;
  });
  return widths.length > 0 ? Math.min(...widths) : 0;
}

function lineWidths(line: readonly WagerEntry[], width: number, ends: number): number[] {
  const free = width - GAP * (line.length - 1);
  if (!hasEnds(line)) {
    const units = line.reduce((sum, wager) => sum + weight(wager), 0);
    return line.map(wager => (free * weight(wager)) / units);
  }
  const middle = line.slice(1, -1);
  const units = middle.reduce((sum, wager) => sum + weight(wager), 0);
  return [ends, ...middle.map(wager => ((free - 2 * ends) * weight(wager)) / units), ends];
}

function lineHeight(line: readonly WagerEntry[], width: number): number {
  const wide = width >= WIDE;
  if (line.some(isOwn)) return wide ? 104 : 84;
  if (line.some(wager => wager.picture.total !== null)) return wide ? 72 : 62;
  if (width < 420 && line.length > 3) return Math.max(TOUCH + 6, Math.min(62, width / line.length));
  return wide ? 74 : 64;
}

/** The space that an area's content needs, whatever the shape of its block. */
function leastHeight(wager: WagerEntry, width: number): number {
  switch (wager.decided) {
    case "collect":
      return 128;
    case "repeat":
      return 80 + (wager.picture.times ?? 1) * 19 + (width < ODDS_ROOM ? 11 : 0);
    case "count":
      return 50 + trackLines(wager, width) * 58;
    default:
      return 0;
  }
}

function highest(line: readonly WagerEntry[], width: number): number {
  return Math.max(...line.map(wager => leastHeight(wager, width)));
}

/** Areas side by side below the arc of their numbers. */
export function arrangeArc(rows: readonly WagerEntry[][], width: number): Drawing & { arc: number } {
  const wide = width >= WIDE;
  const arc = wide ? 128 : Math.max(78, width * 0.24);
  const areas: Placed[] = [];
  let y = arc + GAP;
  for (const row of rows) {
    const own = (width - GAP * (row.length - 1)) / row.length;
    const height = Math.max(wide ? 132 : 128, highest(row, own));
    for (const [index, wager] of row.entries()) {
      areas.push({ wager, box: { x: index * (own + GAP), y, width: own, height } });
    }
    y += height + GAP;
  }
  return { width, height: y - GAP, areas, arc };
}

/** A track of steps is as wide as the block; wagers without steps are side by side in their row. */
export function arrangeTrack(rows: readonly WagerEntry[][], width: number): Drawing {
  const areas: Placed[] = [];
  let y = 0;
  for (const line of rows.flatMap(trackRows)) {
    const own = (width - GAP * (line.length - 1)) / line.length;
    const height = Math.max(108, highest(line, own));
    for (const [index, wager] of line.entries()) {
      areas.push({ wager, box: { x: index * (own + GAP), y, width: own, height } });
    }
    y += height + GAP;
  }
  return { width, height: y - GAP, areas };
}

function trackRows(row: WagerEntry[]): WagerEntry[][] {
  const others = row.filter(wager => wager.decided !== "count");
  const tracks = row.filter(wager => wager.decided === "count").map(wager => [wager]);
  return others.length > 0 ? [others, ...tracks] : tracks;
}

/** The number of lines of a track's steps. */
export function trackLines(wager: WagerEntry, width: number): number {
  const steps = wager.rows.length;
  return Math.max(1, Math.ceil(steps / Math.max(1, Math.floor((width - 16) / TOUCH))));
}

/** One column for each wager, with as many places as repeats are needed. */
export function arrangeColumns(rows: readonly WagerEntry[][], width: number): Drawing {
  const areas: Placed[] = [];
  let y = 0;
  for (const row of rows) {
    for (const line of evenRows(row, width)) {
      const widest = width >= WIDE ? 132 : width;
      const own = Math.min(widest, (width - GAP * (line.length - 1)) / line.length);
      const height = Math.max(99, highest(line, own));
      const left = (width - own * line.length - GAP * (line.length - 1)) / 2;
      for (const [index, wager] of line.entries()) {
        areas.push({ wager, box: { x: left + index * (own + GAP), y, width: own, height } });
      }
      y += height + GAP;
    }
  }
  return { width, height: y - GAP, areas };
}
