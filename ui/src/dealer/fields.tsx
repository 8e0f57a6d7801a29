/** Fields shared by several panels of the console. */

import { useId } from "preact/hooks";
import { Button } from "../components/button";
import { Choice, Field } from "../components/field";
import { named, words } from "../i18n";
import { consoleWords } from "../i18n/words/console";
import { playWords } from "../i18n/words/play";
import { personName } from "../live/names";
import type { Purse } from "../live/view";
import { amountTyped } from "../money/amounts";
import { Person } from "../staff/person";
import { type Person as CrewMember, roleName } from "../staff/roles";
import { type Desk, money, playersKnown } from "./console";

/** The props of every panel. */
export interface PanelProps {
  desk: Desk;
  /** Called when it is done or cancelled. */
  onDone: () => void;
}

/** A player's name, with suggestions and what they hold. */
export function PlayerField(props: { desk: Desk; label?: string; value: string; onValue: (value: string) => void }) {
  const t = consoleWords().desk;
  const id = useId();
  const known = props.desk.staff.players.find(one => one.name === props.value);
  const holds = known?.holds;
  return (
    <div class="field">
      <label for={id}>{props.label ?? t.player}</label>
      <input
        id={id}
        value={props.value}
        list={`${id}-known`}
        autocomplete="off"
        autocapitalize="none"
        aria-describedby={holds == null ? undefined : `${id}-holds`}
        onInput={event => props.onValue(event.currentTarget.value)}
      />
      <datalist id={`${id}-known`}>
        {playersKnown(props.desk).map(one => (
          <option key={one} value={one} label={personName(one)} />
        ))}
      </datalist>
      {holds != null && (
        <p id={`${id}-holds`} class="hint">
          {personName(props.value) !== props.value && `${personName(props.value)} · `}
          {t.holds(money(props.desk, holds))}
          {known?.purse && ` · ${purseWords(props.desk, known.purse)}`}
        </p>
      )}
    </div>
  );
}

function purseWords(desk: Desk, purse: Purse): string {
  const colour = playWords().seat.colours[purse.colour] ?? purse.colour;
  return consoleWords().desk.purse(colour, money(desk, purse.value), money(desk, purse.held));
}

/** Buttons for players, for devices without a keyboard. */
export function PlayerKeys(props: { desk: Desk; value: string; onValue: (value: string) => void }) {
  const known = playersKnown(props.desk).slice(0, 8);
  if (known.length === 0) return null;
  return (
    <fieldset class="quick">
      <legend class="unseen">{consoleWords().desk.player}</legend>
      {known.map(one => (
        <button key={one} type="button" aria-pressed={one === props.value} onClick={() => props.onValue(one)}>
          <Person name={one} />
        </button>
      ))}
    </fieldset>
  );
}

export function AmountField(props: {
  desk: Desk;
  label?: string;
  value: string;
  onValue: (value: string) => void;
  hint?: string;
}) {
  const t = consoleWords().dealer;
  const wrong = props.value !== "" && amountTyped(props.value, props.desk.rules.money) === null;
  return (
    <Field
      label={props.label ?? t.amount}
      value={props.value}
      onValue={props.onValue}
      hint={props.hint}
      inputMode="decimal"
      error={wrong ? t.amountWrong : null}
    />
  );
}

export function WagerField(props: { desk: Desk; label?: string; value: string; onValue: (value: string) => void }) {
  return (
    <Choice
      label={props.label ?? consoleWords().dealer.wager}
      value={props.value}
      options={props.desk.book.wagers.map(one => ({ value: one.wager, name: named(one.name) }))}
      onValue={props.onValue}
    />
  );
}

interface PeopleProps {
  label: string;
  desk: Desk;
  people: readonly CrewMember[];
  chosen: CrewMember | null;
  onChosen: (person: CrewMember | null) => void;
}

/** A member of the crew, by name and role. */
export function People({ label, desk, people, chosen, onChosen }: PeopleProps) {
  const key = (one: CrewMember): string => `${one.role} ${one.name}`;
  const options = people.map(one => ({
    value: key(one),
    name: `${personName(one.name)} · ${roleName(desk.book, one.role)}`,
  }));
  return (
    <Choice
      label={label}
      value={chosen === null ? "" : key(chosen)}
      options={[{ value: "", name: consoleWords().dealer.choose }, ...options]}
      onValue={value => onChosen(people.find(one => key(one) === value) ?? null)}
    />
  );
}

/** The footer of a panel: confirm or cancel. */
export function PanelButtons(props: {
  desk: Desk;
  ready: boolean;
  name: string;
  danger?: boolean;
  onDone: () => void;
}) {
  return (
    <div class="buttons">
      <Button
        type="submit"
        tone={props.danger ? "danger" : "main"}
        busy={props.desk.busy}
        disabled={!props.ready || props.desk.busy}
      >
        {props.name}
      </Button>
      <Button onClick={props.onDone}>{words().dialog.cancel}</Button>
    </div>
  );
}
