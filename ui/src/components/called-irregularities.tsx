/** Irregularities called in this round, in the book's words with the clause or reading, also for those who join late. */

import type { BookPage } from "../api/types";
import { listed, named, words } from "../i18n";
import { playWords } from "../i18n/words/play";
import { readingName } from "../live/book";
import type { View } from "../live/view";

export function CalledNotes({ view, book }: { view: View; book: BookPage }) {
  const t = words();
  const rules = [...new Set(view.called)].flatMap(id => book.irregularities[id] ?? []);
  if (rules.length === 0) return null;
  return (
    <div class="note called" role="status">
      {rules.map(rule => (
        <p key={rule.name.en}>
          <span class="soft">{playWords().play.called}</span> <strong>{named(rule.name)}</strong>{" "}
          <span class="clause">
            {rule.reading ? t.problem.reading(readingName(rule.reading)) : t.problem.clause(listed(rule.clause))}
          </span>{" "}
          {playWords().remedies[rule.remedy] ?? rule.remedy}
        </p>
      ))}
    </div>
  );
}
