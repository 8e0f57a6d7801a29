/** The readings, options and pay tables of the figures. */

import type { BookPage } from "../../api/types";
import { Button } from "../../components/button";
import { Choice } from "../../components/field";
import { named } from "../../i18n";
import { booksWords } from "../../i18n/words/books";
import { type BookChoices, byName, chooseIn, isDefault } from "../../shell/book-choices";
import { go } from "../../shell/router";

export function Conditions({ book, under }: { book: BookPage; under: BookChoices }) {
  const t = booksWords().analysis;
  const readings = Object.entries(book.readings).filter(([, one]) => Object.keys(one.choices).length > 1);
  const options = Object.entries(book.options).filter(([, one]) => Object.keys(one.choices).length > 1);
  const groups = Object.entries(book.groups).filter(([, group]) => group.paytables.length > 1);
  const tables = byName(under.paytable);
  const changed = under.reading.length + under.option.length + under.paytable.length;
  const places = [
    ...readings.map(([name, one]) => ({ kind: "reading" as const, name, one })),
    ...options.map(([name, one]) => ({ kind: "option" as const, name, one })),
  ];
  if (places.length + groups.length === 0) return null;
  return (
    <details class="conditions" open={!isDefault(under)}>
      <summary>
        {t.under}
        {changed > 0 && <span class="tag">{t.underChanged(changed)}</span>}
      </summary>
      <div class="choices">
        {groups.map(([id, group]) => (
          <Choice
            key={id}
            label={booksWords().books.paytableOf(named(group.name))}
            value={tables[id] ?? ""}
            options={[{ value: "", name: t.allTables }, ...group.paytables.map(one => ({ value: one, name: one }))]}
            onValue={value => chooseIn("paytable", id, value || null)}
          />
        ))}
        {places.map(({ kind, name, one }) => (
          <Choice
            key={`${kind}-${name}`}
            label={`${kind === "reading" ? booksWords().books.reading : booksWords().books.option}: ${named(one.name)}`}
            value={one.chosen}
            options={Object.entries(one.choices).map(([id, choice]) => ({
              value: id,
              name: named(choice.says) + (id === one.default ? ` (${booksWords().books.byDefault})` : ""),
            }))}
            onValue={value => chooseIn(kind, name, value === one.default ? null : value)}
          />
        ))}
      </div>
      {changed > 0 && (
        <Button tone="quiet" onClick={() => go(location.pathname, { replace: true })}>
          {t.backToDefault}
        </Button>
      )}
    </details>
  );
}
