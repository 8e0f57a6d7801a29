/** The crew of the table: arrivals, departures, and the shift. */

import { useState } from "preact/hooks";
import { Button } from "../components/button";
import { Field } from "../components/field";
import { consoleWords } from "../i18n/words/console";
import { personName } from "../live/names";
import { me } from "../shell/session";
import { Person } from "../staff/person";
import { dealers, isSupervisor, roleName, supervisors } from "../staff/roles";
import type { PanelProps } from "./fields";
import { ActForm } from "./panel";

export function Crew({ desk, onDone }: PanelProps) {
  const t = consoleWords().desk;
  const { crew, dealer, shift } = desk.staff;
  const own = me.value?.name;
  const [name, setName] = useState("");
  const then = (done: unknown): void => {
    if (done) onDone();
  };
  return (
    <div class="act-form">
      <p>
        <strong>
          {dealer === null ? consoleWords().dealer.nobodyDeals : consoleWords().dealer.dealing(personName(dealer))}
        </strong>
        {" · "}
        {shift ? t.shift(shift) : t.noShift}
      </p>
      <div class="buttons">
        {dealer !== own && (
          <Button
            tone="main"
            disabled={desk.busy}
            onClick={() => void desk.act({ type: "TakeOver" }, dealers(desk.book)).then(then)}
          >
            {consoleWords().dealer.takeOver}
          </Button>
        )}
        {dealer === own && (
          <Button disabled={desk.busy} onClick={() => void desk.act({ type: "LeaveTable" }).then(then)}>
            {t.leave}
          </Button>
        )}
      </div>
      {isSupervisor(desk.live.id, desk.book) && (
        <ActForm
          onGo={() => void desk.act({ type: "StartShift", shift: name.trim() }, supervisors(desk.book)).then(then)}
        >
          <Field label={t.newShift} value={name} onValue={setName} maxLength={60} />
          <Button type="submit" disabled={desk.busy || name.trim() === ""}>
            {t.startShift}
          </Button>
        </ActForm>
      )}
      <ul class="crew">
        {crew.map(one => (
          <li key={`${one.role} ${one.name}`}>
            <Person name={one.name} /> <span class="soft">{roleName(desk.book, one.role)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
