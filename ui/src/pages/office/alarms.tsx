/** Alarms about dice and figures of all tables, and what to do about them. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import { usePolling } from "../../api/polling";
import type { components } from "../../api/schema";
import { TextWithReason } from "../../components/book-sentence";
import { Button } from "../../components/button";
import { Fact, Facts } from "../../components/facts";
import { Field } from "../../components/field";
import { useSubmission } from "../../components/form-submission";
import { PageHead } from "../../components/page-head";
import { ProblemNote } from "../../components/problem-note";
import { RequestResult } from "../../components/request-result";
import { Timestamp } from "../../components/timestamps";
import { language } from "../../i18n";
import { officeWords } from "../../i18n/words/office";
import { tableLabel } from "../../live/names";
import { address } from "../../shell/router";
import { Card } from "./parts";

type Alarm = components["schemas"]["AlarmInfo"];

const POLL_INTERVAL = 10_000;
const HOUSE = "house";
/** Alarms after which a manager may have to accept the clock. */
const OF_TIME = ["clock jumped", "time ahead"];
/** The page with more about each kind. */
const TAB: Record<string, string> = { fairness: "fairness", "not followed": "hold" };

export function Alarms({ rest: _ }: { rest: string }) {
  const t = officeWords().alarms;
  const request = usePolling(() => unwrap(api.GET("/api/v1/alarms")), POLL_INTERVAL, [language.value]);
  return (
    <div class="office alarms">
      <PageHead title={t.title} lead={t.lead} />
      <RequestResult request={request}>
        {({ alarms, complete, clock, recorded }) => (
          <>
            {!complete && <p class="note">{t.incomplete}</p>}
            {alarms.length === 0 ? (
              <div class="note office-empty">
                <strong>{t.none}</strong>
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
              <ClockCard clock={clock ?? ""} recorded={recorded ?? {}} onDone={request.reload} />
            )}
          </>
        )}
      </RequestResult>
    </div>
  );
}

/** The clock compared with the last recorded times, and how a manager accepts it. */
function ClockCard(props: { clock: string; recorded: Record<string, string>; onDone: () => void }) {
  const t = officeWords().alarms.clock;
  const [reason, setReason] = useState("");
  const { busy, problem, submit: send } = useSubmission();
  const accept = async (): Promise<void> => {
    await send(() => unwrap(api.POST("/api/v1/clock", { body: { words: reason } })), t.accepted);
    props.onDone();
  };
  return (
    <Card title={t.title} lead={t.lead}>
      <Facts>
        <Fact name={t.now}>
          <Timestamp at={props.clock} />
        </Fact>
        {Object.entries(props.recorded).map(([name, at]) => (
          <Fact key={name} name={`${t.recorded} · ${name === HOUSE ? t.house : tableLabel(name)}`}>
            <Timestamp at={at} />
          </Fact>
        ))}
      </Facts>
      <Field label={t.reason} value={reason} onValue={setReason} maxLength={400} />
      <div class="buttons">
        <Button tone="main" busy={busy} disabled={reason.trim() === ""} onClick={() => void accept()}>
          {t.accept}
        </Button>
      </div>
      {problem && <ProblemNote problem={problem} />}
    </Card>
  );
}

function OneAlarm({ alarm }: { alarm: Alarm }) {
  const t = officeWords().alarms;
  const tab = TAB[alarm.kind];
  return (
    <Card title={t.kinds[alarm.kind] ?? alarm.kind} wanted>
      <p class="office-meta">
        {alarm.table === null ? t.wholeHouse : tableLabel(alarm.table)}
        {alarm.at !== null && (
          <>
            {" · "}
            <Timestamp at={alarm.at} />
          </>
        )}
      </p>
      <p>
        <TextWithReason says={alarm.message.text} why={alarm.detail ?? ""} />
      </p>
      <p>
        <strong>{t.todo}</strong> {t.toDo[alarm.kind] ?? ""}
      </p>
      {alarm.table !== null && (
        <p>
          <a href={address`/floor/tables/${alarm.table}` + (tab ? `/${tab}` : "")}>{t.look}</a>
        </p>
      )}
    </Card>
  );
}
