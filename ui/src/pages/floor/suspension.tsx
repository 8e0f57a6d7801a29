/** What interrupts a dealt table: failures, a power failure, and irregularities; and how play resumes. */

import { useState } from "preact/hooks";
import { Exact } from "../../components/book-sentence";
import { Button } from "../../components/button";
import { Clauses } from "../../components/clauses";
import { Dialog } from "../../components/dialog";
import { Field, Tick } from "../../components/field";
import { Form } from "../../components/form";
import { named, words } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import type { Staff } from "../../live/view";
import { me } from "../../shell/session";
import { hasFailed, repairable, thingName } from "../../staff/at-table";
import { actingRole, roleName, roleNames } from "../../staff/roles";
import type { FloorDesk } from "./table-actions";

type Rule = Staff["irregularities"][number];

export function Suspension({ desk }: { desk: FloorDesk }) {
  const t = floorWords();
  const { view, staff, book } = desk;
  const [called, setCalled] = useState<Rule | null>(null);
  const failed = Object.entries(staff.equipment.failed);
  const stands = view.power_failed || failed.length > 0 || staff.undecided.length > 0;
  const mine = staff.irregularities.filter(
    rule =>
      callingRole(desk, rule) !== null &&
      !hasFailed(desk, rule.id) &&
      (view.automatic === undefined || rule.remedy === "refer"), // the electronic tumbler has none of the other parts
  );
  if (view.automatic !== undefined && mine.length === 0 && !stands) return null;
  return (
    <section class={stands ? "card card-wanted" : "card"}>
      <h2>{t.stops}</h2>
      {!stands && <p class="met">{t.stopsNone}</p>}
      {view.power_failed && (
        <div class="note note-bad">
          <p>{t.powerOut}</p>
          {desk.may("Resume") && (
            <Button tone="main" busy={desk.busy} onClick={() => void desk.act({ type: "Resume" })}>
              {t.resume}
            </Button>
          )}
        </div>
      )}
      {failed.map(([thing, ceased]) => (
        <div key={thing} class="note note-bad">
          <p>{t.stopped[ceased ? "ceased" : "failed"](thingName(book, thing))}</p>
          {!repairable(book, thing) ? (
            <p class="soft">{t.diceReplaced}</p>
          ) : desk.may("Repair") ? (
            <Button busy={desk.busy} onClick={() => void desk.act({ type: "Repair", equipment: thing })}>
              {t.repaired}
            </Button>
          ) : (
            <p class="soft">{t.onlyFor(t.supervisors)}</p>
          )}
        </div>
      ))}
      {staff.undecided.map(name => (
        <p key={name} class="note note-bad">
          {t.stopped.undecided(ruleName(desk, name))}
        </p>
      ))}
      {mine.length > 0 && (
        <>
          <p class="soft">{t.callLead}</p>
          <ul class="rules">
            {mine.map(rule => (
              <li key={rule.id}>
                <div>
                  <strong>{named(rule.name)}</strong> <Clauses clauses={rule.clause} />
                  <p class="soft">
                    <Exact text={rule.says} />
                  </p>
                </div>
                <Button aria-label={`${t.call} ${named(rule.name)}`} onClick={() => setCalled(rule)}>
                  {t.call}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
      <Dialog open={called !== null} title={t.callTitle} onClose={() => setCalled(null)}>
        {called !== null && <Calling desk={desk} rule={called} onDone={() => setCalled(null)} />}
      </Dialog>
    </section>
  );
}

function ruleName(desk: FloorDesk, id: string): string {
  const found = desk.book.irregularities[id];
  return found === undefined ? id : named(found.name);
}

/** The role in which the signed-in person may call it; null if they may not. */
function callingRole(desk: FloorDesk, rule: Rule): string | null {
  return actingRole(desk.live.id, desk.book, rule.called_by, rule.or_above);
}

function Calling({ desk, rule, onDone }: { desk: FloorDesk; rule: Rule; onDone: () => void }) {
  const t = floorWords();
  const [text, setText] = useState("");
  const [present, setPresent] = useState<readonly string[]>([]);
  const crew = desk.staff.crew.filter(one => one.name !== me.value?.name && rule.presence.includes(one.role));
  const go = async (): Promise<void> => {
    const there = crew.filter(one => present.includes(one.name)).map(({ name, role }) => ({ name, role }));
    const command = { type: "Call" as const, irregularity: rule.id, words: text, present: there };
    if (await desk.act(command, callingRole(desk, rule))) onDone();
  };
  return (
    <Form class="stack" onSend={() => void go()}>
      <p>
        <strong>{named(rule.name)}</strong> <Clauses clauses={rule.clause} />
      </p>
      <p>
        <Exact text={rule.says} />
      </p>
      {crew.length > 0 && (
        <fieldset class="present">
          <legend>{t.present(roleNames(desk.book, rule.presence))}</legend>
          {crew.map(one => (
            <Tick
              key={`${one.role} ${one.name}`}
              label={`${one.shown} · ${roleName(desk.book, one.role)}`}
              on={present.includes(one.name)}
              onChange={on =>
                setPresent(before => (on ? [...before, one.name] : before.filter(name => name !== one.name)))
              }
            />
          ))}
        </fieldset>
      )}
      <Field label={t.callWords} value={text} onValue={setText} maxLength={200} />
      <div class="buttons">
        <Button type="submit" tone="danger" busy={desk.busy}>
          {t.callGo}
        </Button>
        <Button onClick={onDone}>{words().dialog.cancel}</Button>
      </div>
    </Form>
  );
}
