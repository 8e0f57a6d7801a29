/** Whether something would be refused, and by which clause, before it is asked. */

import type { BookPage } from "../../api/types";
import { capital, Translated } from "../../components/book-sentence";
import { Clauses } from "../../components/clauses";
import { inChinese, labelled } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import { problemsWords } from "../../i18n/words/problems";
import { wagersNamed } from "../../live/refusal";
import type { Trial } from "./trial";

interface TrialNoteProps {
  trial: Trial | null;
  /** Its names for wagers. */
  book: BookPage | null;
  /** Only where it would be refused. */
  quiet?: boolean;
}

export function TrialNote({ trial, book, quiet = false }: TrialNoteProps) {
  const say = floorWords();
  return (
    <div class="trial" role="status">
      {trial?.state === "asking" && !quiet && <p class="soft">{say.trying}</p>}
      {trial?.state === "fine" && !quiet && <p class="met">{say.fine}</p>}
      {trial?.state === "refused" && (
        <div class="note note-bad">
          <p>
            <strong>{labelled(say.wouldRefuse)}</strong>
            <Translated
              chinese={inChinese.value ? (problemsWords()[trial.kind] ?? null) : null}
              says={capital(book === null ? trial.says : wagersNamed(trial.says, book))}
            />
          </p>
          <Clauses clauses={trial.clauses} />
        </div>
      )}
    </div>
  );
}
