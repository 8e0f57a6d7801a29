/** A bet of the book, in the book's order and groups. */

import { useId } from "preact/hooks";
import type { BookPage, WagerEntry } from "../../api/types";
import { named } from "../../i18n";
import { simulationWords } from "../../i18n/words/simulation";

interface WagerChoiceProps {
  book: BookPage;
  value: string;
  onValue: (wager: string) => void;
  error?: string | undefined;
}

export function WagerChoice({ book, value, onValue, error }: WagerChoiceProps) {
  const id = useId();
  const groups = new Map<string | null, WagerEntry[]>();
  for (const wager of book.wagers) groups.set(wager.group, [...(groups.get(wager.group) ?? []), wager]);
  const known = book.wagers.some(one => one.wager === value);
  return (
    <div class="field wager-choice">
      <label for={id}>{simulationWords().wager}</label>
      <select
        id={id}
        value={value}
        onChange={event => onValue(event.currentTarget.value)}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
      >
        {!known && <option value={value}>{value}</option>}
        {[...groups].map(([group, wagers]) => {
          const options = wagers.map(one => (
            <option key={one.wager} value={one.wager}>
              {named(one.name)}
            </option>
          ));
          const name = group === null ? null : book.groups[group]?.name;
          return name ? (
            <optgroup key={group} label={named(name)}>
              {options}
            </optgroup>
          ) : (
            options
          );
        })}
      </select>
      {error && (
        <p id={`${id}-error`} class="error">
          {error}
        </p>
      )}
    </div>
  );
}
