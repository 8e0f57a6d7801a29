/** Moving a bet: asks for the area to move it to. */

import type { BookPage } from "../../api/types";
import { Button } from "../../components/button";
import { locale, named } from "../../i18n";
import { playWords } from "../../i18n/words/play";
import { amountText } from "../../money/amounts";
import type { BetSlip } from "./bet-slip";
import { wagerAt } from "./stake-changes";

export function MovingBet({ hand, book, money }: { hand: BetSlip; book: BookPage; money: string }) {
  const t = playWords().seat;
  const from = hand.carried.value;
  const wager = from === null ? undefined : book.wagers.find(one => one.wager === wagerAt(from));
  if (from === null || wager === undefined) return null;
  const amount = amountText(hand.stakes()[from] ?? 0, money, locale.value, { short: true });
  return (
    <div class="carrying" role="status">
      <p>{t.carrying(named(wager.name), amount)}</p>
      <Button
        tone="quiet"
        onClick={() => {
          hand.carried.value = null;
        }}
      >
        {t.keep}
      </Button>
    </div>
  );
}
