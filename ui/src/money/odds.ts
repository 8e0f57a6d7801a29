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

/** What stands on the area: the odds where there are one, from the least to the most where there are several. */
export function printedOdds(wager: WagerEntry, chosen?: string | null): string {
  const rows = winningRows(wager, chosen);
  const words = [...new Set(rows.map(one => one.pays))];
  if (words.length <= 1) return words[0] ?? "";
  const byGain = [...rows].sort((a, b) => a.gain - b.gain);
  return `${figure(byGain[0]?.pays)} … ${byGain.at(-1)?.pays ?? ""}`;
}

function figure(pays: string | undefined): string {
  return /^[\d,]+/.exec(pays ?? "")?.[0] ?? pays ?? "";
}

/** The most that a stake can win, beside itself, before caps and rounding; the server's word is final. */
export function possibleWin(wager: WagerEntry, stake: number, chosen?: string | null): number {
  return Math.floor(stake * Math.max(0, ...winningRows(wager, chosen).map(one => one.gain)));
}
