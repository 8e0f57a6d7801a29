/** Past results as players write them down: which range a total fell in, odd or even, triples apart. */

import type { BookPage, Label, WagerEntry } from "../../api/types";

export interface Mark {
  /** Which of the two it is; triples are neither. */
  kind: "first" | "second" | "triple" | "none";
  label: Label;
}

const TRIPLE: Label = { en: "Triple", zh: "圍骰" };
const ODD: Label = { en: "Odd", zh: "單" };
const EVEN: Label = { en: "Even", zh: "雙" };
const NONE: Label = { en: "", zh: "" };

export function totalOf(dice: readonly number[]): number {
  return dice.reduce((sum, face) => sum + face, 0);
}

export function isTriple(dice: readonly number[]): boolean {
  return dice.length > 2 && new Set(dice).size === 1;
}

/** The areas of the book that win on a range of totals: where there are two, they make a road. */
export function ranges(book: BookPage): WagerEntry[] {
  return book.wagers
    .filter(one => one.one_roll && one.picture.low !== null && one.picture.high !== null)
    .sort((one, other) => (other.picture.high ?? 0) - (one.picture.high ?? 0));
}

/** Whether roads are kept of this book: three dice, and two ranges. */
export function hasRoads(book: BookPage): boolean {
  return book.identity.dice === 3 && ranges(book).length === 2;
}

export function rangeMark(dice: readonly number[], book: BookPage): Mark {
  if (isTriple(dice)) return { kind: "triple", label: TRIPLE };
  const total = totalOf(dice);
  const all = ranges(book);
  const found = all.find(one => (one.picture.low ?? 0) <= total && total <= (one.picture.high ?? 0));
  if (found === undefined) return { kind: "none", label: NONE };
  return { kind: found === all[0] ? "first" : "second", label: found.name };
}

export function parityMark(dice: readonly number[]): Mark {
  if (isTriple(dice)) return { kind: "triple", label: TRIPLE };
  return totalOf(dice) % 2 === 1 ? { kind: "first", label: ODD } : { kind: "second", label: EVEN };
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

/** The same mark goes down, or on to the right where there is no place below; another begins a column. */
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

/** How often each face came. */
export function faceCounts(throws: readonly (readonly number[])[]): number[] {
  const counts = [0, 0, 0, 0, 0, 0];
  for (const face of throws.flat()) counts[face - 1] = (counts[face - 1] ?? 0) + 1;
  return counts;
}
