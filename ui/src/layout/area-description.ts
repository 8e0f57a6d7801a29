/** An area in words: for screen readers, and beside the layout. */

import type { WagerEntry } from "../api/types";
import { inChinese, locale, named, words } from "../i18n";
import { playWords } from "../i18n/words/play";
import { amountText } from "../money/amounts";
import { possibleWin, printedOdds, winningRows } from "../money/odds";
import { flatOn, percent, type Showing } from "./model";

/** The odds of each row in the book's wording: "1 to 1; two dice 2 to 1". */
export function oddsInWords(wager: WagerEntry, showing: Showing): string {
  const rows = winningRows(wager, showing.paytables[wager.wager]);
  const alike = new Set(rows.map(one => one.pays)).size <= 1;
  if (alike) return rows[0]?.pays ?? "";
  const t = words().area;
  // A row's name is in the book's English; the condition comes from the server in the language of the page.
  const row = (one: string): string => (inChinese.value ? (wager.wins[one] ?? one) : one);
  return rows.map(one => t.row(row(one.row), one.pays)).join(t.between);
}

/** Everything about an area in one line. */
export function areaInWords(wager: WagerEntry, showing: Showing): string {
  const t = words().area;
  const amount = (minor: number): string => amountText(minor, showing.money, locale.value, { short: true });
  const own = showing.own[wager.wager] ?? 0;
  const others = showing.others[wager.wager] ?? 0;
  const parts = [named(wager.name), t.pays(printedOdds(wager, showing.paytables[wager.wager]))];
  if (showing.lit.has(wager.wager)) parts.push(t.lit);
  if (own > 0 && showing.everyone) parts.push(words().area.staked(amount(own)));
  else if (own > 0) parts.push(t.yours(amount(own)), t.couldWin(amount(winOn(wager, own, showing))));
  if ((showing.pending?.[wager.wager] ?? 0) > 0) parts.push(showing.doubtful ? t.inDoubt : t.pending);
  const flat = flatOn(wager, showing);
  if (flat.own > 0) parts.push(t.yours(amount(flat.own)));
  if (flat.others > 0) parts.push(t.others(amount(flat.others)));
  const working = showing.working?.[wager.wager];
  if (working !== undefined) parts.push(t[working]);
  if (showing.ruled?.has(wager.wager)) parts.push(playWords().seat.ruled);
  if (others > 0) parts.push(t.others(amount(others)));
  const progress = progressInWords(wager, showing);
  if (progress) parts.push(progress);
  return parts.join(t.and);
}

/** The progress of a bet that lasts several rolls; empty for one that the next throw decides. */
export function progressInWords(wager: WagerEntry, showing: Showing): string {
  const t = words().area;
  const found = showing.lammers[wager.wager];
  const parts: string[] = [];
  if (found?.paid) parts.push(t.paid);
  else if (found?.marked !== undefined) parts.push(t.marked(numbers(found.marked), numbers(found.missing ?? [])));
  else if (found?.of !== undefined) parts.push(t.counted(found.count ?? 0, found.of));
  else if (found?.count !== undefined) parts.push(t.count(found.count));
  const chance = showing.chances[wager.wager];
  if (chance !== undefined && !found?.paid) parts.push(t.chance(percent(chance, locale.value)));
  return parts.join(t.and);
}

/** The possible win of a stake on an area. */
export function winOn(wager: WagerEntry, stake: number, showing: Showing): number {
  return possibleWin(wager, stake, showing.paytables[wager.wager]);
}

function numbers(all: readonly (number | string)[]): string {
  return all.join(" ") || words().area.noNumbers;
}
