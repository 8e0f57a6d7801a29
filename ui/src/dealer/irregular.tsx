/** What can go wrong now, with its clause and its remedy; it is called only after a look. */

import { useState } from "preact/hooks";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { Field } from "../components/field";
import type { Staff } from "../live/view";
import { named, words } from "../words";
import { remedyWords } from "../words/server";
import { type Desk, othersAbove, roleName, roleNames } from "./desk";

type Rule = Staff["irregularities"][number];

export function Irregularities({ desk }: { desk: Desk }) {
  const say = words().dealer;
  const [called, setCalled] = useState<Rule | null>(null);
  const { irregularities, undecided } = desk.staff;
  return (
    <section class="card">
      <h2>{say.irregularities}</h2>
      {undecided.length > 0 && (
        <p class="note note-bad">{say.undecided(undecidedNames(desk).join(words().dealer.and))}</p>
      )}
      {irregularities.length === 0 ? (
        <p class="soft">{say.noIrregularities}</p>
      ) : (
        <ul class="rules">
          {irregularities.map(rule => (
            <li key={rule.id}>
              <div>
                <strong>{named(rule.name)}</strong> <span class="clause">{rule.clause.join(", ")}</span>
                <p class="soft" lang="en">
                  {rule.says}
                </p>
              </div>
              <Button aria-label={`${say.call} ${named(rule.name)}`} onClick={() => setCalled(rule)}>
                {say.call}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Dialog open={called !== null} title={say.callTitle} onClose={() => setCalled(null)}>
        {called !== null && <Calling desk={desk} rule={called} onDone={() => setCalled(null)} />}
      </Dialog>
    </section>
  );
}

function undecidedNames(desk: Desk): string[] {
  return desk.staff.undecided.map(id => {
    const rule = desk.book.irregularities[id];
    return rule ? named(rule.name) : id;
  });
}

function Calling({ desk, rule, onDone }: { desk: Desk; rule: Rule; onDone: () => void }) {
  const say = words().dealer;
  const [text, setText] = useState("");
  const [present, setPresent] = useState<readonly string[]>([]);
  const crew = rule.presence.length === 0 ? [] : othersAbove(desk.staff, desk.book, rule.presence, rule.or_above);
  const key = (one: Staff["crew"][number]): string => `${one.role} ${one.name}`;
  const go = (): void => {
    const there = crew.filter(one => present.includes(key(one))).map(({ name, role }) => ({ name, role }));
    const command = { type: "Call" as const, irregularity: rule.id, words: text, present: there };
    void desk.act(command, rule.called_by).then(onDone);
  };
  return (
    <form
      class="calling"
      onSubmit={event => {
        event.preventDefault();
        go();
      }}
    >
      <p>
        <strong>{named(rule.name)}</strong>
      </p>
      <p lang="en">{rule.says}</p>
      <p>
        {say.remedy(remedyWords(rule.remedy))} <span class="clause">{say.clause(rule.clause.join(", "))}</span>
      </p>
      <p class="soft">{say.callers(roleNames(desk.book, rule.called_by))}</p>
      {crew.length > 0 && (
        <fieldset class="present">
          <legend>{say.present(roleNames(desk.book, rule.presence))}</legend>
          {crew.map(one => (
            <label key={key(one)}>
              <input
                type="checkbox"
                checked={present.includes(key(one))}
                onChange={event => {
                  const on = event.currentTarget.checked;
                  setPresent(before => (on ? [...before, key(one)] : before.filter(name => name !== key(one))));
                }}
              />
              {one.shown} · {roleName(desk.book, one.role)}
            </label>
          ))}
        </fieldset>
      )}
      <Field label={say.callWords} value={text} onValue={setText} maxLength={200} />
      <div class="buttons">
        <Button type="submit" tone="danger" busy={desk.busy}>
          {say.callGo}
        </Button>
        <Button onClick={onDone}>{words().dialog.cancel}</Button>
      </div>
    </form>
  );
}
