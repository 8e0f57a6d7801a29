/** The data that a layout is drawn from: the book's blocks and wagers, and the current state of the table. */

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

/** An area with its position. */
export interface Placed {
  wager: WagerEntry;
  box: Box;
  /** Its continuation along the side of a felt. */
  arm?: Box;
  /** Whether it is one of the areas in a box, whose number is above them. */
  cell?: boolean;
}

/** An area with the text at its foot; empty if the block's note says it for all. */
export interface PricedArea extends Placed {
  pays: string;
}

/** A block as drawn at a width in pixels. */
export interface Drawing {
  width: number;
  height: number;
  areas: Placed[];
}

/** The state of the table; all of it may be missing, as on a rule page. */
export interface Showing {
  lit: ReadonlySet<string>;
  lammers: Record<string, Lammers>;
  /** Exact fractions by wager. */
  chances: Record<string, string>;
  own: Record<string, number>;
  others: Record<string, number>;
  money: string;
  paytables: Record<string, string | null>;
  /** The stake limits of each area. */
  limits?: Rules["limits"];
  /** The amount that a click would add, for the possible win. */
  chip: number;
  /** Areas whose chips are being collected. */
  swept: ReadonlySet<string>;
  /** The amount just paid on an area, beside the stake. */
  paid: Record<string, number>;
  /** Areas with a bet on which a supervisor has ruled. */
  ruled?: ReadonlySet<string>;
  /** The part of one's own stakes that the table has not confirmed yet. */
  pending?: Readonly<Record<string, number>>;
  /** Whether the outcome of what is pending is unknown because the connection is silent. */
  doubtful?: boolean;
  /** A stake that was just refused. */
  refused?: { wager: string | null; amount: number } | null;
  /** Whether the stakes shown as one's own are everyone's, as in a replay. */
  everyone?: boolean;
  /** The shooter's point; null on a come-out roll, and undefined where there is no hand. */
  point?: number | null;
  /** Bets that have travelled to a number, by wager and number: one's own, and all others'. */
  travelled?: { own: Travelled; others: Travelled };
  /** The area chosen for a bet. */
  chosen?: string | null;
  /** Whether the bets on an area were called on or off. */
  working?: Record<string, "on" | "off">;
}

/** The rows of a block with their wagers, without those that are not offered here. */
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

/** Whether the block's note already gives the odds of each of its areas, word for word. */
export function noteGivesOdds(block: Block, rows: WagerEntry[][], paytables: Record<string, string | null>): boolean {
  const note = block.note?.en;
  if (note === undefined) return false;
  const odds = rows.flat().map(one => bookOdds(one, paytables[one.wager]));
  const alike = new Set(odds.map(one => one.join())).size === 1;
  return alike && (odds[0] ?? []).every(one => ` ${note.replaceAll(",", " ")} `.includes(` ${one} `));
}

/** The odds printed on an area; a track has them at its steps. */
export function areaPays(wager: WagerEntry, showing: Showing, oddsInNote: boolean): string {
  const onSteps = wager.decided === "count";
  const inNote = oddsInNote && wager.decided !== "collect" && wager.decided !== "repeat";
  return onSteps || inNote ? "" : printedOdds(wager, showing.paytables[wager.wager]);
}

/** The areas of a supervisor's rulings, as far as the viewer may see them. */
export function ruledAreas(live: LiveTable): ReadonlySet<string> {
  const rulings = [...(live.staff.value?.rulings ?? []), ...(live.mine.value?.rulings ?? [])];
  return new Set(rulings.flatMap(one => one.stands_on ?? []));
}

/** A fraction as a percentage: 2.64%. */
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

/** The area of a bet: once it has travelled, the one behind it on its number. */
export function areaOf(book: BookPage, wager: string, number: number | null): string {
  const behind = book.wagers.find(one => one.parent === wager && one.selection === String(number));
  return behind?.wager ?? wager;
}

/** The bet that an area behind another bet shows: a come bet is on its number, before its odds. */
export function flatOn({ parent, selection }: WagerEntry, showing: Showing): { own: number; others: number } {
  const on = (all: Travelled | undefined): number => all?.[parent ?? ""]?.[selection ?? ""] ?? 0;
  return { own: on(showing.travelled?.own), others: on(showing.travelled?.others) };
}

/** An area's name. */
export function areaName(book: BookPage | null, wager: string): string {
  const found = book?.wagers.find(one => one.wager === wager);
  return found === undefined ? wager : named(found.name);
}
