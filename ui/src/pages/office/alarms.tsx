/** Alarms about dice and figures of all tables, and what to do about them. */

import { useState } from "preact/hooks";
import { api, told } from "../../api/client";
import { usePolled } from "../../api/polling";
import type { components } from "../../api/schema";
import { Because } from "../../components/book-sentence";
import { Button } from "../../components/button";
import { Fact, Facts } from "../../components/facts";
import { Field } from "../../components/field";
import { useSending } from "../../components/form-submission";
import { PageHead } from "../../components/page-head";
import { ProblemNote } from "../../components/problem-note";
import { Told } from "../../components/request-result";
import { When } from "../../components/timestamps";
import { language } from "../../i18n";
import { officeWords } from "../../i18n/words/office";
import { tableLabel } from "../../live/names";
import { address } from "../../shell/router";
import { Card } from "./parts";

type Alarm = components["schemas"]["AlarmInfo"];

const EVERY = 10_000;
const HOUSE = "house";
/** Alarms after which a manager may have to accept the clock. */
const OF_TIME = ["clock jumped", "time ahead"];
/** The page with more about each kind. */
const TAB: Record<string, string> = { fairness: "fairness", "not followed": "hold" };

export function Alarms({ rest: _ }: { rest: string }) {
  const say = officeWords().alarms;
  const asking = usePolled(() => told(api.GET("/api/v1/alarms")), EVERY, [language.value]);
  return (
    <div class="office alarms">
      <PageHead title={say.title} lead={say.lead} />
      <Told asking={asking}>
        {({ alarms, complete, clock, recorded }) => (
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
            {alarms.some(alarm => OF_TIME.includes(alarm.kind)) && (
              <ClockCard clock={clock ?? ""} recorded={recorded ?? {}} onDone={asking.again} />
            )}
          </>
        )}
      </Told>
    </div>
  );
}

/** The clock compared with the last recorded times, and how a manager accepts it. */
function ClockCard(props: { clock: string; recorded: Record<string, string>; onDone: () => void }) {
  const say = officeWords().alarms.clock;
  const [reason, setReason] = useState("");
  const { busy, problem, send } = useSending();
  const accept = async (): Promise<void> => {
    await send(() => told(api.POST("/api/v1/clock", { body: { words: reason } })), say.accepted);
    props.onDone();
  };
  return (
    <Card title={say.title} lead={say.lead}>
      <Facts>
        <Fact name={say.now}>
          <When at={props.clock} />
        </Fact>
        {Object.entries(props.recorded).map(([name, at]) => (
          <Fact key={name} name={`${say.recorded} · ${name === HOUSE ? say.house : tableLabel(name)}`}>
            <When at={at} />
          </Fact>
        ))}
      </Facts>
      <Field label={say.reason} value={reason} onValue={setReason} maxLength={400} />
      <div class="buttons">
        <Button tone="main" busy={busy} disabled={reason.trim() === ""} onClick={() => void accept()}>
          {say.accept}
        </Button>
      </div>
      {problem && <ProblemNote problem={problem} />}
    </Card>
  );
}

function OneAlarm({ alarm }: { alarm: Alarm }) {
  const say = officeWords().alarms;
  const tab = TAB[alarm.kind];
  return (
    <Card title={say.kinds[alarm.kind] ?? alarm.kind} wanted>
      <p class="office-meta">
        {alarm.table === null ? say.wholeHouse : tableLabel(alarm.table)}
        {alarm.at !== null && (
          <>
            {" · "}
            <When at={alarm.at} />
          </>
        )}
      </p>
      <p>
        <Because says={alarm.message.text} why={alarm.detail ?? ""} />
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
