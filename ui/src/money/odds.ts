/** Odds in the book's wording. The only calculation here is a stake times the gain that the server sends. */

import type { PayTable, WagerEntry } from "../api/types";
import { inChinese, language } from "../i18n";
import { chineseOdds, simplifiedOdds } from "./odds-zh";

/** The pay table in force at a table, or the default. */
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
    return gain > 0 && pays !== undefined ? [{ row, pays: oddsWords(pays), gain }] : [];
  });
}

/** The odds of the rows that pay, in the book's own words. */
export function bookOdds(wager: WagerEntry, chosen?: string | null): string[] {
  const table = payTable(wager, chosen);
  if (table === undefined) return [];
  return wager.rows.filter(row => (table.gains[row]?.value ?? -1) > 0).flatMap(row => table.pays[row] ?? []);
}

/** Odds in the language of the page. */
export function oddsWords(odds: string): string {
  if (!inChinese.value) return odds;
  return language.value === "zh-Hans" ? simplifiedOdds(chineseOdds(odds)) : chineseOdds(odds);
}

/** The figure, and the constant text around it: " to 1", "1 win ", "1賠". */
const PARTS = /^(1 wins? |1[賠赔得贏赢])?([\d,/ …]+?)( (?:to|for) 1)?$/;

function oddsFigure(odds: string): string {
  return PARTS.exec(odds)?.[2] ?? odds;
}

/** Odds in two lines, figure and words, if they are too long for one: ["150", "to 1"], ["1賠", "150"], ["7", "to 6"];
 * those of several results at the stroke between them: ["27 to 4 /", "3 to 1"]. */
export function oddsLines(odds: string): string[] {
  const parts = PARTS.exec(odds);
  if (parts === null) return odds.includes(" / ") ? odds.split(/(?<= \/) /) : odds.split(/ (?=to )/);
  const [, before = "", figure = odds, after = ""] = parts;
  const close = figure.replaceAll(" / ", "/");
  return [before.trim(), close, after.trim()].filter(line => line !== "");
}

/** The odds printed on an area; if there are several, their figures: "1 / 2 / 12 to 1". */
export function printedOdds(wager: WagerEntry, chosen?: string | null): string {
  const all = [...new Set(winningRows(wager, chosen).map(one => one.pays))];
  if (all.length <= 1) return all[0] ?? "";
  const parts = all.map(one => PARTS.exec(one));
  const [before = "", , after = ""] = parts[0]?.slice(1) ?? [];
  if (parts.some(one => one === null || (one[1] ?? "") !== before || (one[3] ?? "") !== after)) return all.join(" / ");
  const figures = all.map(oddsFigure);
  const few = figures.length > 4 ? [figures[0], "…", figures.at(-1)] : figures;
  return `${before}${few.join(" / ")}${after}`;
}

/** The highest possible win of a stake before caps and rounding; the server decides. */
export function possibleWin(wager: WagerEntry, stake: number, chosen?: string | null): number {
  return Math.floor(stake * Math.max(0, ...winningRows(wager, chosen).map(one => one.gain)));
}
