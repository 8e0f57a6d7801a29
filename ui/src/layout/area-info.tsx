/** The line beside the layout about the area pointed at: when it wins, its odds and the possible win. */

import type { WagerEntry } from "../api/types";
import { Amount } from "../components/amount";
import { rangeText } from "../components/limits";
import { named, words } from "../i18n";
import { oddsInWords, progressInWords, winOn } from "./area-description";
import type { Showing } from "./model";

export function AreaInfo({ wager, showing, live }: { wager: WagerEntry | undefined; showing: Showing; live: boolean }) {
  const t = words().area;
  if (wager === undefined) return <p class="area-info soft">{live ? t.hint : "\u00a0"}</p>;
  const own = showing.own[wager.wager] ?? 0;
  const stake = own + showing.chip;
  const when = wager.wins[wager.rows[0] ?? ""] ?? "";
  const odds = oddsInWords(wager, showing);
  const progress = progressInWords(wager, showing);
  const limit = showing.limits?.[wager.wager];
  return (
    <p class="area-info">
      <strong>{named(wager.name)}</strong>
      <span class="odds">{odds}</span>
      {wager.one_roll && !odds.includes(when) && <span class="soft">{when}</span>}
      {progress && <span class="soft">{progress}</span>}
      {limit && <span class="soft">{words().limits.own(rangeText(limit, showing.money))}</span>}
      {stake > 0 && (
        <span>
          <Amount minor={stake} money={showing.money} short /> →{" "}
          <Amount minor={winOn(wager, stake, showing)} money={showing.money} short signed />
        </span>
      )}
    </p>
  );
}
