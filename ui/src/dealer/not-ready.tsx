/** What is missing before a round can begin, in place of the step that would be refused. */

import { useEffect, useState } from "preact/hooks";
import { Button } from "../components/button";
import { labelled } from "../i18n";
import { consoleWords } from "../i18n/words/console";
import { floorWords } from "../i18n/words/floor";
import { workingRoles } from "../shell/session";
import { isIdle } from "../staff/at-table";
import { type Point, pointsOf } from "../staff/readiness";
import { dealers, mayAct, roleNames } from "../staff/roles";
import type { Desk } from "./console";
import { DueBody } from "./due-body";

/** Dice expire while nothing happens. */
const LOOK = 15_000;

/** What is missing; empty if a round could begin or has begun. */
export function useMissing(desk: Desk): Point[] {
  const [, look] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => look(before => before + 1), LOOK);
    return () => clearInterval(timer);
  }, []);
  const { view } = desk;
  if (!view.open || view.automatic !== undefined || view.power_failed || !isIdle(desk)) return [];
  return pointsOf(desk).filter(point => !point.met);
}

export function NotReady({ desk, missing }: { desk: Desk; missing: readonly Point[] }) {
  const t = consoleWords().dealer;
  const { book, live } = desk;
  const deals = dealers(book);
  const mayDeal = workingRoles(live.id).some(role => mayAct(book, role, deals));
  return (
    <section class="due due-missing" aria-label={t.due}>
      <DueBody>
        <p class="due-mark">{t.due}</p>
        <h2 class="due-says">{floorWords().readyNot}</h2>
        <ul class="points-met">
          {missing.map(point => (
            <li key={point.id} class="unmet">
              <span class="unseen">{labelled(floorWords().no)}</span>
              {point.says} <span class="clause">{point.clause.join(", ")}</span>{" "}
              {point.who.length > 0 && <span class="soft">{t.who(roleNames(book, point.who))}</span>}
            </li>
          ))}
        </ul>
      </DueBody>
      {missing[0]?.id === "dealer" && mayDeal && (
        <Button tone="main" busy={desk.busy} onClick={() => void desk.act({ type: "TakeOver" }, deals)}>
          {t.takeOver}
        </Button>
      )}
    </section>
  );
}
