/** Past results as players record them: which of two areas won, with triples separate. The server decides what won. */

import type { BookPage, Label, WagerEntry } from "../../api/types";
import { totalOf } from "../../components/dice";

export interface Mark {
  /** Which of the two it is; a triple is neither. */
  kind: "first" | "second" | "triple";
  label: Label;
}

/** The two areas of a road, which exclude each other. */
export type About = "range" | "parity";

export interface Road {
  about: About;
  first: Side;
  second: Side;
}

/** One of the two; it has a name even if the book has no area for it. */
interface Side {
  wager: string | null;
  name: Label;
}

export interface Thrown {
  dice: readonly number[];
  /** The simple areas that won on them, from the server. */
  lit: readonly string[];
}

const NEITHER: Label = { en: "Neither", zh: "皆非", zh_hans: "皆非" };
const ODD: Side = { wager: null, name: { en: "Odd", zh: "單", zh_hans: "单" } };
const EVEN: Side = { wager: null, name: { en: "Even", zh: "雙", zh_hans: "双" } };

/** The roads that a book's areas allow: totals high and low; totals odd and even, which players keep anyway. */
export function roadsOf(book: BookPage): Road[] {
  const own = book.wagers.filter(one => one.one_roll && one.selection === null);
  const ranges = own
    .filter(one => one.picture.low !== null && one.picture.high !== null)
    .sort((one, other) => (other.picture.high ?? 0) - (one.picture.high ?? 0));
  const parities = ["odd", "even"].flatMap(parity => own.filter(one => one.picture.parity === parity));
  const range = pair("range", ranges);
  if (range === null) return [];
  return [range, pair("parity", parities) ?? { about: "parity", first: ODD, second: EVEN }];
}

function pair(about: About, [first, second, ...more]: WagerEntry[]): Road | null {
  return first !== undefined && second !== undefined && more.length === 0 ? { about, first, second } : null;
}

/** Which of a road's two areas won; if neither did, the triple that beat both has its own mark. */
export function markOf(thrown: Thrown, road: Road, book: BookPage): Mark {
  const won = sideOf(thrown, road, book);
  if (won !== undefined) return { kind: won === road.first ? "first" : "second", label: won.name };
  const beat = book.wagers.find(one => thrown.lit.includes(one.wager));
  return { kind: "triple", label: beat?.name ?? NEITHER };
}

function sideOf(thrown: Thrown, road: Road, book: BookPage): Side | undefined {
  if (road.first.wager !== null) return [road.first, road.second].find(one => thrown.lit.includes(one.wager ?? ""));
  const [range] = roadsOf(book);
  if (range === undefined || sideOf(thrown, range, book) === undefined) return undefined;
  return totalOf(thrown.dice) % 2 === 1 ? road.first : road.second;
}

export interface Bead extends Mark {
  column: number;
  row: number;
}

export const ROWS = 6;

/** Down each column, then on to the next. */
export function beadPlate(marks: readonly Mark[]): Bead[] {
  return marks.map((mark, index) => ({ ...mark, column: Math.floor(index / ROWS), row: index % ROWS }));
}

/** An equal mark goes down, or to the right if there is no place below; a different one begins a column. */
export function bigRoad(marks: readonly Mark[]): Bead[] {
  const taken = new Set<string>();
  const beads: Bead[] = [];
  let start = -1;
  let [column, row] = [0, 0];
  let before: Mark | null = null;
  for (const mark of marks) {
    if (before === null || before.kind !== mark.kind) {
      start += 1;
      while (taken.has(`${start},0`)) start += 1;
      [column, row] = [start, 0];
    } else if (row + 1 < ROWS && !taken.has(`${column},${row + 1}`) && column === start) row += 1;
    else column += 1;
    taken.add(`${column},${row}`);
    beads.push({ ...mark, column, row });
    before = mark;
  }
  return beads;
}

/** The frequency of each face. */
export function faceCounts(throws: readonly (readonly number[])[]): number[] {
  const counts = [0, 0, 0, 0, 0, 0];
  for (const face of throws.flat()) counts[face - 1] = (counts[face - 1] ?? 0) + 1;
  return counts;
}

export interface TotalCount {
  total: number;
  count: number;
}

/** The frequency of each total that the dice can show. */
export function totalCounts(throws: readonly (readonly number[])[], dice: number): TotalCount[] {
  const counts = Array.from({ length: 5 * dice + 1 }, (_, index) => ({ total: dice + index, count: 0 }));
  for (const one of throws) {
    const found = counts[totalOf(one) - dice];
    if (found !== undefined) found.count += 1;
  }
  return counts;
}
