/** Odds as the book words them. Nothing is computed here but a stake times what the server says a row gains. */

import type { PayTable, WagerEntry } from "../api/types";

/** The pay table in force at a table; the default where none was chosen. */
export function payTable(wager: WagerEntry, chosen: string | null | undefined): PayTable | undefined {
  return wager.paytables.find(one => one.paytable === chosen) ?? wager.paytables[0];
}

/** The rows that pay, in the book's order, with their odds. */
export function winningRows(wager: WagerEntry, chosen?: string | null): { row: string; pays: string; gain: number }[] {
  const table = payTable(wager, chosen);
  if (table === undefined) return [];
  return wager.rows.flatMap(row => {
    const gain = table.gains[row]?.value ?? -1;
    const pays = table.pays[row];
    return gain > 0 && pays !== undefined ? [{ row, pays, gain }] : [];
  });
}

/** What stands on the area: the odds where there is one; where there are several, their figures: "1 / 2 / 12 to 1". */
export function printedOdds(wager: WagerEntry, chosen?: string | null): string {
  const words = [...new Set(winningRows(wager, chosen).map(one => one.pays))];
  if (words.length <= 1) return words[0] ?? "";
  const endings = new Set(words.map(one => one.replace(FIGURE, "")));
  const figures = words.map(one => FIGURE.exec(one)?.[0] ?? one);
  const few = figures.length > 4 ? [figures[0], "…", figures.at(-1)] : figures;
  return endings.size === 1 ? `${few.join(" / ")}${[...endings][0]}` : words.join(" / ");
}

const FIGURE = /^[\d,]+/;

/** The most that a stake can win, beside itself, before caps and rounding; the server's word is final. */
export function possibleWin(wager: WagerEntry, stake: number, chosen?: string | null): number {
  return Math.floor(stake * Math.max(0, ...winningRows(wager, chosen).map(one => one.gain)));
}
