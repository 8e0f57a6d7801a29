/** What a layout is drawn from: the book's blocks and wagers, and what the table shows now. */

import type { Block, BookPage, WagerEntry } from "../api/types";
import type { LiveTable } from "../live/table";
import type { Lammers } from "../live/view";
import { printedOdds } from "../money/odds";
import { named } from "../words";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** An area on its place. */
export interface Placed {
  wager: WagerEntry;
  box: Box;
}

/** A block as drawn in so many pixels. */
export interface Drawing {
  width: number;
  height: number;
  areas: Placed[];
}

/** What the table shows and holds; all of it may be missing, as on a rule page. */
export interface Showing {
  lit: ReadonlySet<string>;
  lammers: Record<string, Lammers>;
  /** Exact fractions by wager. */
  chances: Record<string, string>;
  own: Record<string, number>;
  others: Record<string, number>;
  money: string;
  paytables: Record<string, string | null>;
  /** What a click would add, for the possible win. */
  chip: number;
  /** Areas whose chips are being swept off. */
  swept: ReadonlySet<string>;
  /** What was just paid on an area, beside the stake. */
  paid: Record<string, number>;
  /** Areas with a wager on which a supervisor has ruled. */
  ruled?: ReadonlySet<string>;
  /** The stakes shown as one's own are everybody's: a round is played back. */
  everybody?: boolean;
}

/** The rows of a block with their wagers; those that are not offered here are left out. */
export function rowsOf(block: Block, wagers: ReadonlyMap<string, WagerEntry>): WagerEntry[][] {
  return block.rows.map(row => row.flatMap(id => wagers.get(id) ?? [])).filter(row => row.length > 0);
}

export function wagersOf(book: BookPage): Map<string, WagerEntry> {
  return new Map(book.wagers.map(wager => [wager.wager, wager]));
}

/** The blocks that have something to draw. */
export function blocksOf(book: BookPage, wagers: ReadonlyMap<string, WagerEntry>): Block[] {
  return book.layout.blocks.filter(block => rowsOf(block, wagers).length > 0);
}

/** Whether the block's note already says what all of its areas pay. */
export function noteTellsOdds(block: Block, rows: WagerEntry[][], paytables: Record<string, string | null>): boolean {
  if (block.note === null) return false;
  const odds = new Set(rows.flat().map(one => printedOdds(one, paytables[one.wager])));
  return odds.size === 1;
}

/** The areas that a supervisor's rulings are about, as far as whoever looks may see them. */
export function ruledAreas(live: LiveTable): ReadonlySet<string> {
  const rulings = [...(live.staff.value?.rulings ?? []), ...(live.mine.value?.rulings ?? [])];
  return new Set(rulings.flatMap(one => one.stands_on ?? []));
}

/** A fraction as a percentage to look at: 2.64%. */
export function percent(exact: string, locale: string): string {
  const [above, below] = exact.split("/");
  const value = Number(above) / Number(below ?? 1);
  const digits = value !== 0 && value < 0.001 ? 4 : value < 0.1 ? 2 : 1;
  return new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: digits }).format(value);
}

export function share(exact: string): number {
  const [above, below] = exact.split("/");
  return Number(above) / Number(below ?? 1);
}

/** An area's name. */
export function areaName(book: BookPage | null, wager: string): string {
  const found = book?.wagers.find(one => one.wager === wager);
  return found === undefined ? wager : named(found.name);
}
