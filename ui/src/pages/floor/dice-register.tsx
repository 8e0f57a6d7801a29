/** The house's dice register: every set, where it is, since when, and until when it may be used. */

import { api, told } from "../../api/client";
import { usePolled } from "../../api/polling";
import type { DiceSet } from "../../api/types";
import { known } from "../../api/use-request";
import { PageHead } from "../../components/page-head";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { whenText } from "../../components/timestamps";
import { floorWords } from "../../i18n/words/floor";
import { tableLabel } from "../../live/names";
import { address } from "../../shell/router";
import { me } from "../../shell/session";

const EVERY = 10_000;

export function DiceRegister() {
  const say = floorWords().register;
  const register = usePolled(() => told(api.GET("/api/v1/dice")), EVERY, [me.value?.name]);
  const found = known(register.asked);
  return (
    <>
      <PageHead title={say.title} lead={say.lead} />
      {register.asked.state === "failed" && <ProblemNote problem={register.asked.problem} again={register.again} />}
      {register.asked.state === "waiting" && <Waiting />}
      {found !== null && found.sets.length === 0 && <p class="note">{say.none}</p>}
      {found !== null && found.sets.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <div class="figures figures-scroll" tabIndex={0} role="region" aria-label={say.title}>
          <table class="inventory">
            <thead>
              <tr>
                <th scope="col">{say.set}</th>
                <th scope="col">{say.where}</th>
                <th scope="col">{say.firstUsed}</th>
                <th scope="col">{say.until}</th>
                <th scope="col">{say.last}</th>
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
  const say = floorWords().register;
  const last = one.moves.at(-1);
  return (
    <tr>
      <th scope="row">
        {one.set}
        {one.serials.length > 0 && <small class="soft"> {one.serials.join(", ")}</small>}
      </th>
      <td>
        {one.table !== null ? (
          <a href={address`/floor/tables/${one.table}/equipment`}>{tableLabel(one.table)}</a>
        ) : (
          (say.standing[one.standing] ?? one.standing)
        )}
      </td>
      <td>{one.first_used === null ? "–" : whenText(one.first_used)}</td>
      <td>{one.until === null ? "–" : whenText(one.until)}</td>
      <td>
        {last !== undefined && `${say.moves[last.what] ?? last.what}, ${name(last.by)}, ${whenText(last.at)}`}
        {last?.words && <small class="soft"> {last.words}</small>}
      </td>
    </tr>
  );
}
