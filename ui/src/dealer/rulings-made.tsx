/** Rulings on bets in this round, beside each bet; those on returned bets are listed separately. */

import { consoleWords } from "../i18n/words/console";
import { areaName } from "../layout/model";
import type { Staff } from "../live/view";
import { betWords } from "./change-bet";
import { type Desk, money } from "./console";

/** Returns how a bet that is still on the layout was ruled on. */
export function ruledWords(desk: Desk, { lay_on, stands_on, paid = null }: Staff["rulings"][number]): string {
  const t = consoleWords().desk;
  if (paid !== null) return t.ruledPaid(money(desk, paid));
  return lay_on === stands_on ? t.ruledStands : t.ruledMoved(areaName(desk.book, lay_on));
}

export function RuledReturned({ desk }: { desk: Desk }) {
  const back = desk.staff.rulings.filter(one => one.stands_on === null);
  if (back.length === 0) return null;
  return (
    <ul class="ruled-returned">
      {back.map(one => (
        <li key={one.bet}>{consoleWords().desk.ruledReturned(betWords(desk, { ...one, wager: one.lay_on }))}</li>
      ))}
    </ul>
  );
}
