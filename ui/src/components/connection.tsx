/** The state of the connection to the table; nothing is shown while it works. */

import { words } from "../i18n";
import { playWords } from "../i18n/words/play";
import type { LiveTable } from "../live/table";

export function ConnectionNote({ live }: { live: LiveTable }) {
  const t = words().connection;
  const state = live.connection.value;
  const catchingUp = live.catchingUp.value && state === "live";
  const text = catchingUp ? t.catchingUp : state === "slow" ? playWords().seat.slow : t[state];
  return (
    <p class={`connection connection-${catchingUp ? "catching-up" : state}`} role="status">
      <span class="connection-lamp" aria-hidden="true" />
      {text}
    </p>
  );
}
