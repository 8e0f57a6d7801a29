/** An automatic table: what happens without staff, and what they can do: pause, resume, repair, and void a round with a
 * second person. */

import { useState } from "preact/hooks";
import type { Command } from "../api/types";
import { TextWithReason } from "../components/book-sentence";
import { Button } from "../components/button";
import { Field } from "../components/field";
import { consoleWords } from "../i18n/words/console";
import { personName } from "../live/names";
import { address } from "../shell/router";
import { me } from "../shell/session";
import { isSupervisor, supervisors } from "../staff/roles";
import type { Desk } from "./console";

/** The name of the tumbler in repairs. */
const TUMBLER = "electronic-tumbler";

export function AutomaticRun({ desk }: { desk: Desk }) {
  const t = consoleWords().desk;
  const [text, setText] = useState("");
  const run = desk.view.automatic;
  const { void_by } = desk.staff;
  if (run === undefined) return null;
  const above = isSupervisor(desk.live.id, desk.book);
  const act = (command: Command): void => {
    void desk.act(command, supervisors(desk.book)).then(done => done && setText(""));
  };
  return (
    <section class="card" aria-label={t.run}>
      <h2>{consoleWords().dealer.automatic.title}</h2>
      {run.failed !== null && (
        <p class="note note-bad">
          <TextWithReason says={t.tumblerFailed} why={run.failed} />
        </p>
      )}
      {run.paused !== null && <p class="note note-bad">{t.held(run.paused)}</p>}
      {above && (
        <>
          <Field label={t.reason} value={text} onValue={setText} maxLength={200} />
          <div class="buttons">
            {run.paused === null ? (
              <Button disabled={desk.busy || text.trim() === ""} onClick={() => act({ type: "Pause", words: text })}>
                {t.pause}
              </Button>
            ) : (
              <Button tone="main" disabled={desk.busy} onClick={() => act({ type: "Unpause" })}>
                {t.unpause}
              </Button>
            )}
            {void_by === null && (
              <Button
                tone="danger"
                disabled={desk.busy || text.trim() === ""}
                onClick={() => act({ type: "ProposeVoid", words: text })}
              >
                {t.proposeVoid}
              </Button>
            )}
            {run.failed !== null && (
              <Button disabled={desk.busy} onClick={() => act({ type: "Repair", equipment: TUMBLER })}>
                {t.tumblerRepaired}
              </Button>
            )}
          </div>
        </>
      )}
      {void_by !== null &&
        (above && void_by !== me.value?.name ? (
          <Button
            tone="danger"
            disabled={desk.busy}
            onClick={() => act({ type: "ApproveVoid", round: desk.view.round })}
          >
            {t.approveVoid(personName(void_by))}
          </Button>
        ) : (
          <p>{t.voidWaits}</p>
        ))}
      {!above && <Course table={desk.live.id} above={false} />}
    </section>
  );
}

/** For supervisors, whose actions take the place of the course of a round. */
export function AutomaticCourse({ desk }: { desk: Desk }) {
  if (!isSupervisor(desk.live.id, desk.book)) return null;
  return (
    <section class="card">
      <Course table={desk.live.id} above />
    </section>
  );
}

/** The course of a round, and where staff come in. */
function Course({ table, above }: { table: string; above: boolean }) {
  const t = consoleWords().dealer.automatic;
  return (
    <div class="course">
      <ol>
        {t.steps.map(step => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <div>
        <h3>{t.staff}</h3>
        <ul>
          <li>{t.call}</li>
          <li>{above ? t.hold : t.holdBy}</li>
          <li>
            <a href={address`/floor/tables/${table}`}>{t.manage}</a> ·{" "}
            <a href={address`/floor/tables/${table}/disputes`}>{t.disputes}</a>
          </li>
        </ul>
      </div>
    </div>
  );
}
