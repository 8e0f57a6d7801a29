/** What the dice and the figures warn of, over all tables, and what to do about it. */

import { api, told } from "../../api/client";
import { usePolled } from "../../api/polling";
import type { components } from "../../api/schema";
import { When } from "../../components/moments";
import { PageHead } from "../../components/page-head";
import { capital, Translated } from "../../components/says";
import { Told } from "../../components/told";
import { address } from "../../shell/router";
import { words } from "../../words";
import { alarmInChinese } from "../../words/server";
import { Card } from "./parts";

type Alarm = components["schemas"]["AlarmTold"];

const EVERY = 10_000;
/** Where more is told of each kind. */
const TAB: Record<string, string> = { fairness: "fairness", "not followed": "hold" };

export function Alarms({ rest: _ }: { rest: string }) {
  const say = words().office.alarms;
  const asking = usePolled(() => told(api.GET("/api/v1/alarms")), EVERY);
  return (
    <div class="office alarms">
      <PageHead title={say.title} lead={say.lead} />
      <Told asking={asking}>
        {({ alarms, complete }) => (
          <>
            {!complete && <p class="note">{say.incomplete}</p>}
            {alarms.length === 0 ? (
              <div class="note office-empty">
                <strong>{say.none}</strong>
                <p class="soft">{say.noneMore}</p>
              </div>
            ) : (
              <ul class="office-list">
                {alarms.map((alarm, index) => (
                  <li key={`${alarm.kind} ${alarm.table} ${alarm.sequence} ${index}`}>
                    <OneAlarm alarm={alarm} />
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Told>
    </div>
  );
}

function OneAlarm({ alarm }: { alarm: Alarm }) {
  const say = words().office.alarms;
  const tab = TAB[alarm.kind];
  return (
    <Card title={say.kinds[alarm.kind] ?? alarm.kind} wanted>
      <p class="office-meta">
        {alarm.table === null ? say.wholeHouse : say.table(alarm.table)}
        {alarm.at !== null && (
          <>
            {" · "}
            <When at={alarm.at} />
          </>
        )}
      </p>
      <p>
        <Translated chinese={alarmInChinese(alarm)} says={capital(alarm.says)} />
      </p>
      <p>
        <strong>{say.todo}</strong> {say.toDo[alarm.kind] ?? ""}
      </p>
      {alarm.table !== null && (
        <p>
          <a href={address`/floor/tables/${alarm.table}` + (tab ? `/${tab}` : "")}>{say.look}</a>
        </p>
      )}
    </Card>
  );
}
