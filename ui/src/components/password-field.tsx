/** A password: the current one, or a new one. */

import { sentences, words } from "../i18n";
import { Field } from "./field";

interface PasswordProps {
  label: string;
  value: string;
  onValue: (value: string) => void;
  /** A new password: rules are shown below it, and password managers offer one. */
  chosen?: boolean;
  /** Repeated, to catch typing errors. */
  repeat?: boolean;
  /** Whether it may stay empty; a note says when. */
  optional?: string;
  error?: string | null;
}

export function PasswordField({ label, value, onValue, chosen, repeat, optional, error = null }: PasswordProps) {
  return (
    <Field
      label={label}
      hint={chosen ? sentences(words().sign.goodPassword, optional) : undefined}
      type="password"
      value={value}
      onValue={onValue}
      required={optional === undefined}
      autocomplete={chosen || repeat ? "new-password" : "current-password"}
      error={error}
    />
  );
}
