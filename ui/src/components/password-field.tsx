/** A password: the current one, or a new one. */

import { words } from "../i18n";
import { Field } from "./field";

interface PasswordProps {
  label: string;
  value: string;
  onValue: (value: string) => void;
  /** Chosen now: what makes a good one stands below it, and keepers of passwords offer one. */
  chosen?: boolean;
  /** Typed once more, for the hand's sake. */
  again?: boolean;
  /** May stay empty: when, is said after it. */
  optional?: string;
  error?: string | null;
}

export function PasswordField({ label, value, onValue, chosen, again, optional, error = null }: PasswordProps) {
  return (
    <Field
      label={label}
      hint={chosen ? [words().sign.goodPassword, optional].filter(Boolean).join(" ") : undefined}
      type="password"
      value={value}
      onValue={onValue}
      required={optional === undefined}
      autocomplete={chosen || again ? "new-password" : "current-password"}
      error={error}
    />
  );
}
