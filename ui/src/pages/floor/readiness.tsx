/** Everything that the book asks for before a round begins, as a list that empties. */

import { LinkButton } from "../../components/button";
import { Clauses } from "../../components/clauses";
import { serverNow } from "../../live/clock";
import { address } from "../../shell/router";
import { isManager } from "../../shell/session";
import { isIdle, thingName, worksAt } from "../../staff/at-table";
import { capital } from "../../staff/said";
import { words } from "../../words";
import { inspectionInChinese } from "../../words/server";
import type { FloorDesk } from "./desk";

interface Point {
  id: string;
  says: string;
  clause: readonly string[];
  met: boolean;
}

/** What check_ready of the server looks at, told point by point. */
function pointsOf(desk: FloorDesk): Point[] {
  const say = words().floor.checks;
  const { staff, book, view } = desk;
  const { equipment } = staff;
  const points: Point[] = [{ id: "crew", says: say.crew, clause: [], met: staff.crew.length > 0 }];
  if (book.identity.game === "sic-bo") {
    const fresh = equipment.dice_until === null || Date.parse(equipment.dice_until) > serverNow();
    const clause = book.equipment.dice?.clause ?? [];
    points.push({ id: "dice", says: say.dice, clause, met: equipment.dice !== null && fresh });
  }
  for (const one of equipment.to_inspect) {
    points.push({
      id: one.id,
      says: inspectionInChinese(one.how) ?? capital(one.says),
      clause: one.clause,
      met: !one.due,
    });
  }
  for (const one of equipment.to_check) {
    points.push({ id: one.id, says: say.checked(thingName(book, one.id)), clause: one.clause, met: !one.due });
  }
  if (Object.keys(equipment.failed).length > 0 || view.power_failed) {
    points.push({ id: "failed", says: say.failed, clause: [], met: false });
  }
  if (book.identity.game === "sic-bo") {
    points.push({ id: "dealer", says: say.dealer, clause: [], met: staff.dealer !== null });
  }
  return points;
}

export function Readiness({ desk }: { desk: FloorDesk }) {
  const say = words().floor;
  const points = pointsOf(desk);
  const missing = points.filter(point => !point.met);
  if (missing.length === 0) {
    return (
      <section class="card">
        <h2>{say.ready}</h2>
        <p class="met">{say.readyAll}</p>
      </section>
    );
  }
  if (!isIdle(desk)) return null; // a round that has begun is finished
  const here = desk.live.id;
  return (
    <section class="card card-wanted">
      <h2>{say.readyNot}</h2>
      <p class="soft">{say.readyLeft(missing.length)}</p>
      <ul class="points-met">
        {points.map(point => (
          <li key={point.id} class={point.met ? "met" : "unmet"}>
            <span class="unseen">{point.met ? say.yes : say.no}: </span>
            <span>
              {point.says} <Clauses clauses={point.clause} />
            </span>
          </li>
        ))}
      </ul>
      <div class="buttons">
        {missing.some(point => point.id !== "crew" && point.id !== "dealer") && (
          <LinkButton href={address`/floor/tables/${here}/equipment`} tone="main">
            {say.toEquipment}
          </LinkButton>
        )}
        {missing.some(point => point.id === "crew") && isManager() && (
          <LinkButton href="/floor/people">{say.toPeople}</LinkButton>
        )}
        {worksAt(desk) && <LinkButton href={address`/tables/${here}/dealer`}>{say.toConsole}</LinkButton>}
      </div>
    </section>
  );
}
