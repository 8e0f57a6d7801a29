/** PINs at the console: of the witnesses that an action names, if house policy requires it, and of the player whose
 * consent it needs. */

import { Field } from "../components/field";
import { consoleWords } from "../i18n/words/console";
import { personName } from "../live/names";
import type { Person } from "../staff/roles";
import type { Desk } from "./console";

/** Whether witnesses confirm at this table: it was opened under that policy. */
export function confirms({ rules }: Pick<Desk, "rules">): boolean {
  return rules.setup.witness === "confirmed";
}

export type Pins = Readonly<Record<string, string>>;

export function WitnessPins(props: { people: readonly Person[]; pins: Pins; onPins: (pins: Pins) => void }) {
  const t = consoleWords().desk.witness;
  return (
    <>
      {props.people.map(({ name, shown }) => (
        <Field
          key={name}
          label={t.pin(shown)}
          hint={t.hint}
          type="password"
          inputMode="numeric"
          autocomplete="off"
          maxLength={12}
          value={props.pins[name] ?? ""}
          onValue={pin => props.onPins({ ...props.pins, [name]: pin })}
        />
      ))}
    </>
  );
}

/** The PIN with which a player with an account consents at the table. */
export function ConsentPin(props: { player: string; pins: Pins; onPins: (pins: Pins) => void }) {
  const t = consoleWords().desk.witness;
  return (
    <Field
      label={t.pin(personName(props.player))}
      hint={t.consentHint}
      type="password"
      inputMode="numeric"
      autocomplete="off"
      maxLength={12}
      value={props.pins[props.player] ?? ""}
      onValue={pin => props.onPins({ [props.player]: pin })}
    />
  );
}

/** The confirmations to send: people without a PIN here confirm on their own device. */
export function confirmations(people: readonly Pick<Person, "name">[], pins: Pins): { name: string; pin: string }[] {
  return people.flatMap(({ name }) => (pins[name] ? [{ name, pin: pins[name] }] : []));
}
