/** After a power failure: players who withdraw all their bets, and resuming play. */

import { Button } from "../components/button";
import { consoleWords } from "../i18n/words/console";
import { personName } from "../live/names";
import type { Desk } from "./console";

export function PowerFailure({ desk }: { desk: Desk }) {
  const t = consoleWords().dealer;
  if (!desk.view.power_failed) return null;
  const may = desk.staff.bets.filter(bet => !bet.running && bet.kind !== "tip in the area");
  const players = [...new Set(may.map(bet => bet.player))];
  return (
    <section class="note note-bad power" aria-label={t.powerFailed}>
      <p>
        <strong>{t.powerFailed}</strong>
      </p>
      <p>{consoleWords().desk.withdrawHint}</p>
      <div class="buttons">
        {players.map(player => (
          <Button key={player} disabled={desk.busy} onClick={() => void desk.act({ type: "Withdraw", player })}>
            {consoleWords().desk.withdraw(personName(player))}
          </Button>
        ))}
        <Button tone="main" disabled={desk.busy} onClick={() => void desk.act({ type: "Resume" })}>
          {t.resume}
        </Button>
      </div>
    </section>
  );
}
