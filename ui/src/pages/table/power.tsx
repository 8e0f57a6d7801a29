/** After a power failure: if the book lets a player choose, all bets of the round are returned, or all stay. */

import { useState } from "preact/hooks";
import { asProblem } from "../../api/problems";
import type { BookPage } from "../../api/types";
import { Button } from "../../components/button";
import { toastDone, toastProblem } from "../../components/toasts";
import { words } from "../../i18n";
import { playWords } from "../../i18n/words/play";
import { sendCommand } from "../../live/commands";
import type { LiveTable } from "../../live/table";

const CHOICE = "withdraw all or stay";

export function PowerFailed({ live, book }: { live: LiveTable; book: BookPage }) {
  const t = words();
  const [busy, setBusy] = useState(false);
  const rule = Object.values(book.irregularities).find(one => one.remedy === CHOICE);
  const bets = live.mine.value?.bets ?? [];
  const may = rule !== undefined && bets.some(bet => !bet.running && bet.kind !== "tip in the area");
  const withdraw = async (): Promise<void> => {
    setBusy(true);
    try {
      await sendCommand(live.id, { type: "Withdraw" }, { role: "player" });
      toastDone(playWords().seat.withdrawn);
    } catch (thrown) {
      toastProblem(asProblem(thrown));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section class="power-failed" role="alert">
      <div>
        <strong>{playWords().seat.power}</strong>
        <p>{may ? playWords().seat.powerAll : playWords().seat.powerNone}</p>
        {rule !== undefined && <p class="clause">{t.problem.clause(rule.clause.join(", "))}</p>}
      </div>
      {may && (
        <Button tone="main" busy={busy} onClick={() => void withdraw()}>
          {playWords().seat.withdraw}
        </Button>
      )}
    </section>
  );
}
