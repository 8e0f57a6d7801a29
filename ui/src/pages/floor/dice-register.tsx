/** The house's dice register: every set, where it is, since when, and until when it may be used. */

import { api, unwrap } from "../../api/client";
import { usePolling } from "../../api/polling";
import type { DiceSet } from "../../api/types";
import { latestData } from "../../api/use-request";
import { PageHead } from "../../components/page-head";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { timestampText } from "../../components/timestamps";
import { floorWords } from "../../i18n/words/floor";
import { tableLabel } from "../../live/names";
import { address } from "../../shell/router";
import { me } from "../../shell/session";

const POLL_INTERVAL = 10_000;

export function DiceRegister() {
  const t = floorWords().register;
  const register = usePolling(() => unwrap(api.GET("/api/v1/dice")), POLL_INTERVAL, [me.value?.name]);
  const found = latestData(register.response);
  return (
    <>
      <PageHead title={t.title} lead={t.lead} />
      {register.response.state === "failed" && (
        <ProblemNote problem={register.response.problem} retry={register.reload} />
      )}
      {register.response.state === "loading" && <Waiting />}
      {found !== null && found.sets.length === 0 && <p class="note">{t.none}</p>}
      {found !== null && found.sets.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <div class="figures figures-scroll" tabIndex={0} role="region" aria-label={t.title}>
          <table class="inventory dice-register stacks">
            <thead>
              <tr>
                <th scope="col">{t.set}</th>
                <th scope="col">{t.where}</th>
                <th scope="col">{t.firstUsed}</th>
                <th scope="col">{t.until}</th>
                <th scope="col">{t.last}</th>
              </tr>
            </thead>
            <tbody>
              {found.sets.map(one => (
                <Row key={one.set} one={one} name={by => found.names[by] ?? by} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

function Row({ one, name }: { one: DiceSet; name: (by: string) => string }) {
  const t = floorWords().register;
  const last = one.moves.at(-1);
  return (
    <tr>
      <th scope="row">
        {one.set}
        {one.serials.length > 0 && <small class="soft"> {one.serials.join(", ")}</small>}
      </th>
      <td data-name={t.where}>
        {one.table !== null ? (
          <a href={address`/floor/tables/${one.table}/equipment`}>{tableLabel(one.table)}</a>
        ) : (
          (t.standing[one.standing] ?? one.standing)
        )}
      </td>
      <td data-name={t.firstUsed}>{one.first_used === null ? "–" : timestampText(one.first_used)}</td>
      <td data-name={t.until}>{one.until === null ? "–" : timestampText(one.until)}</td>
      <td data-name={t.last} class="stacks-wide">
        {last !== undefined && t.move(t.moves[last.what] ?? last.what, name(last.by), timestampText(last.at))}
        {last?.words && <small class="soft"> {last.words}</small>}
      </td>
    </tr>
  );
}
