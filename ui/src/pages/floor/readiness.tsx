/** Everything that the book requires before a round begins, as a list that gets shorter. */

import { LinkButton } from "../../components/button";
import { Clauses } from "../../components/clauses";
import { labelled } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import { address } from "../../shell/router";
import { isManager } from "../../shell/session";
import { isIdle, worksAt } from "../../staff/at-table";
import { pointsOf } from "../../staff/readiness";
import type { FloorDesk } from "./table-actions";

export function Readiness({ desk }: { desk: FloorDesk }) {
  const t = floorWords();
  const points = pointsOf(desk);
  const missing = points.filter(point => !point.met);
  if (missing.length === 0) {
    return (
      <section class="card">
        <h2>{t.ready}</h2>
        <p class="met">{t.readyAll}</p>
      </section>
    );
  }
  if (!isIdle(desk)) return null; // a round that has begun is finished
  const here = desk.live.id;
  return (
    <section class="card card-wanted">
      <h2>{t.readyNot}</h2>
      <p class="soft">{t.readyLeft(missing.length)}</p>
      <ul class="points-met">
        {points.map(point => (
          <li key={point.id} class={point.met ? "met" : "unmet"}>
            <span class="unseen">{labelled(point.met ? t.yes : t.no)}</span>
            <span>
              {point.says} <Clauses clauses={point.clause} />
            </span>
          </li>
        ))}
      </ul>
      <div class="buttons">
        {missing.some(point => point.id !== "crew" && point.id !== "dealer") && (
          <LinkButton href={address`/floor/tables/${here}/equipment`} tone="main">
            {t.toEquipment}
          </LinkButton>
        )}
        {missing.some(point => point.id === "crew") && isManager() && (
          <LinkButton href={address`/floor/people?table=${here}`}>{t.toPeople}</LinkButton>
        )}
        {worksAt(desk) && <LinkButton href={address`/tables/${here}/dealer`}>{t.toConsole}</LinkButton>}
      </div>
    </section>
  );
}
