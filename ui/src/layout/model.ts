/** What a layout is drawn from: the book's blocks and wagers, and what the table shows now. */

import type { Block, BookPage, WagerEntry } from "../api/types";
import { named } from "../i18n";
import type { LiveTable, Travelled } from "../live/table";
import type { Lammers, Rules } from "../live/view";
import { bookOdds, printedOdds } from "../money/odds";

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
  /** Where it continues along the side of a felt. */
  arm?: Box;
  /** Whether it is one of the areas in a box, whose number stands above them. */
  cell?: boolean;
}

/** An area with what is printed at its foot; empty where the block's note says it for all. */
export interface PricedArea extends Placed {
  pays: string;
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
  /** What may be staked on each area. */
  limits?: Rules["limits"];
  /** What a click would add, for the possible win. */
  chip: number;
  /** Areas whose chips are being swept off. */
  swept: ReadonlySet<string>;
  /** What was just paid on an area, beside the stake. */
  paid: Record<string, number>;
  /** Areas with a wager on which a supervisor has ruled. */
  ruled?: ReadonlySet<string>;
  /** Of one's own stakes, what the table has not confirmed yet. */
  pending?: Readonly<Record<string, number>>;
  /** Whether nobody knows now what became of what is pending: the connection is silent. */
  doubtful?: boolean;
  /** A stake that was just refused. */
  refused?: { wager: string | null; amount: number } | null;
  /** The stakes shown as one's own are everyone's: a round is played back. */
  everyone?: boolean;
  /** The shooter's point; null on a come-out roll, and undefined where there is no hand. */
  point?: number | null;
  /** Bets that have travelled to a number, by wager and number: one's own, and all others'. */
  travelled?: { own: Travelled; others: Travelled };
  /** The area that was chosen to bet on. */
  chosen?: string | null;
  /** Whether the bets on an area were called on, or are off. */
  working?: Record<string, "on" | "off">;
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

/** Whether the block's note already says what each of its areas pays, word for word. */
export function noteTellsOdds(block: Block, rows: WagerEntry[][], paytables: Record<string, string | null>): boolean {
  const note = block.note?.en;
  if (note === undefined) return false;
  const odds = rows.flat().map(one => bookOdds(one, paytables[one.wager]));
  const alike = new Set(odds.map(one => one.join())).size === 1;
  return alike && (odds[0] ?? []).every(one => ` ${note.replaceAll(",", " ")} `.includes(` ${one} `));
}

/** What is printed on an area; a track has its odds at its steps. */
export function areaPays(wager: WagerEntry, showing: Showing, noted: boolean): string {
  const onSteps = wager.decided === "count";
  const inNote = noted && wager.decided !== "collect" && wager.decided !== "repeat";
  return onSteps || inNote ? "" : printedOdds(wager, showing.paytables[wager.wager]);
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

/** The area on which a bet lies: once it has travelled, the one behind it on its number. */
export function areaOf(book: BookPage, wager: string, number: number | null): string {
  const behind = book.wagers.find(one => one.parent === wager && one.selection === String(number));
  return behind?.wager ?? wager;
}

/** What of another bet stands on an area behind it: a come bet stands on its number, before its odds. */
export function flatOn({ parent, selection }: WagerEntry, showing: Showing): { own: number; others: number } {
  const on = (all: Travelled | undefined): number => all?.[parent ?? ""]?.[selection ?? ""] ?? 0;
  return { own: on(showing.travelled?.own), others: on(showing.travelled?.others) };
}

/** An area's name. */
export function areaName(book: BookPage | null, wager: string): string {
  const found = book?.wagers.find(one => one.wager === wager);
  return found === undefined ? wager : named(found.name);
}
