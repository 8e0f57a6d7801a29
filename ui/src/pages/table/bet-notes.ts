/** Notes on one's own bets: whose chips they are, what is pending, and rulings. */

import type { BookPage } from "../../api/types";
import { playWords } from "../../i18n/words/play";
import { areaName } from "../../layout/model";
import type { LiveTable } from "../../live/table";
import { byArea, kindAt, type Moves, plus } from "./stake-changes";

/** By area: bets other than cash chips, bets that the dealer must repeat, and rulings. */
export function notesOf(live: LiveTable, book: BookPage): Record<string, string> {
  const t = playWords().seat;
  const notes: Record<string, string[]> = {};
  for (const bet of live.mine.value?.bets ?? []) {
    const ruling = live.mine.value?.rulings.find(one => one.bet === bet.id);
    const texts = [
      ...(bet.kind === "colour" ? [t.colour] : []),
      ...(bet.kind.startsWith("tip") ? [t.tips[bet.kind] ?? bet.kind] : []),
      ...(bet.confirmed ? [] : [t.waiting]),
      ...(live.mine.value?.unruled.includes(bet.id) ? [t.waitsRuling] : []),
      ...(ruling === undefined
        ? []
        : [ruling.lay_on === bet.wager ? t.ruledStands : t.ruledMoved(areaName(book, ruling.lay_on))]),
    ];
    if (texts.length > 0) notes[bet.wager] = [...(notes[bet.wager] ?? []), ...texts];
  }
  return Object.fromEntries(Object.entries(notes).map(([wager, texts]) => [wager, [...new Set(texts)].join(", ")]));
}

/** Tips for the dealers, which win nothing for the player. */
export function tipsOf(live: LiveTable, moving: Moves): Moves {
  let tips: Record<string, number> = {};
  for (const bet of live.mine.value?.bets ?? []) {
    if (bet.kind.startsWith("tip")) tips = plus(tips, { [bet.wager]: bet.amount });
  }
  const laid = Object.entries(moving).filter(([place]) => kindAt(place).startsWith("tip"));
  return plus(tips, byArea(Object.fromEntries(laid)));
}
