/** A labelled input with its hint and its error. */

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
  label: string;
  value: string;
  onValue: (value: string) => void;
  hint?: string | undefined;
  error?: string | null | undefined;
  type?: "text" | "password" | "search" | "number" | "date" | "datetime-local";
  name?: string;
  required?: boolean;
  disabled?: boolean;
  placeholder?: string;
  autocomplete?: string;
  autocapitalize?: "none" | "sentences";
  inputMode?: "text" | "numeric" | "decimal";
  maxLength?: number;
}

export function Field({ label, value, onValue, hint, error, type = "text", ...rest }: FieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...rest}
        // Preact's types tie attributes to the kind of input; those of a field are valid for all of these.
        type={type as "text"}
        id={id}
        value={value}
        onInput={event => onValue(event.currentTarget.value)}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
      />
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} class="error">
          {error}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; name: string }[];
  onValue: (value: Value) => void;
  /** For screen readers only: the options are self-explanatory. */
  bare?: boolean;
}

/** A choice of one option from a short list. */
export function Choice<Value extends string>({ label, value, options, onValue, bare }: ChoiceProps<Value>) {
  const id = useId();
  return (
    <div class="field">
      <label for={id} class={bare ? "unseen" : undefined}>
        {label}
      </label>
      <select id={id} value={value} onChange={event => onValue(event.currentTarget.value as Value)}>
        {options.map(one => (
          <option key={one.value} value={one.value}>
            {one.name}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A checkbox. */
export function Tick(props: { label: ComponentChildren; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <label class="tick">
      <input type="checkbox" checked={props.on} onChange={event => props.onChange(event.currentTarget.checked)} />
      {props.label}
    </label>
  );
}
