/** The ways between the parts of the floor, with what waits there. */

import { useEffect, useRef } from "preact/hooks";
import { api, told } from "../../api/client";
import { usePolled } from "../../api/polling";
import type { AlarmInfo } from "../../api/types";
import { known } from "../../api/use-request";
import { inSight } from "../../components/scroll-into-view";
import { floorWords } from "../../i18n/words/floor";
import { isManager, me, oversees } from "../../shell/session";

const APPROVALS_EVERY = 10_000;
const ALARMS_EVERY = 30_000;

/** What waits for the signed-in person, over all tables. */
export interface News {
  yours: number;
  alarms: readonly AlarmInfo[];
}

/** Asked once for the whole page, however many of its parts show it. */
export function useNews(): News {
  const sees = oversees.value;
  const who = me.value?.name;
  const approvals = usePolled(() => told(api.GET("/api/v1/approvals")), APPROVALS_EVERY, [who]);
  const alarms = usePolled(() => (sees ? told(api.GET("/api/v1/alarms")) : Promise.resolve(null)), ALARMS_EVERY, [
    who,
    sees,
  ]);
  const yours = known(approvals.asked)?.approvals.filter(one => one.yours).length ?? 0;
  return { yours, alarms: known(alarms.asked)?.alarms ?? [] };
}

export function FloorWays({ part, news }: { part: string; news: News }) {
  const say = floorWords();
  const sees = oversees.value;
  const { yours } = news;
  const raised = news.alarms.length;
  const ways = [
    { part: "", name: say.overview, shown: true, count: 0, says: "" },
    { part: "open", name: say.openNew, shown: isManager(), count: 0, says: "" },
    { part: "dice", name: say.register.way, shown: true, count: 0, says: "" },
    { part: "approvals", name: say.approvals, shown: true, count: yours, says: say.waiting(yours) },
    { part: "people", name: say.people, shown: sees, count: 0, says: "" },
    { part: "alarms", name: say.alarms, shown: sees, count: raised, says: say.alarmCount(raised) },
  ];
  const here = part === "tables" ? "" : part;
  const row = useRef<HTMLElement>(null);
  useEffect(() => inSight(row.current, "[aria-current]"), [here]);
  return (
    <nav class="floor-ways" aria-label={say.ways} ref={row}>
      <ul>
        {ways
          .filter(way => way.shown)
          .map(way => (
            <li key={way.part}>
              <a
                href={way.part === "" ? "/floor" : `/floor/${way.part}`}
                aria-current={here === way.part ? (part === way.part ? "page" : "true") : undefined}
              >
                {way.name}
                {way.count > 0 && (
                  <span class="count">
                    <span aria-hidden="true">{way.count}</span>
                    <span class="unseen">{way.says}</span>
                  </span>
                )}
              </a>
            </li>
          ))}
      </ul>
    </nav>
  );
}
