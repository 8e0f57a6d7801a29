/** Whether a command would be refused, and under which clause, before it is sent. */

import { Clauses } from "../../components/clauses";
import { labelled } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import type { Trial } from "./trial";

interface TrialNoteProps {
  trial: Trial | null;
  /** Only shown if it would be refused. */
  quiet?: boolean;
}

export function TrialNote({ trial, quiet = false }: TrialNoteProps) {
  const t = floorWords();
  return (
    <div class="trial" role="status">
      {trial?.state === "asking" && !quiet && <p class="soft">{t.trying}</p>}
      {trial?.state === "fine" && !quiet && <p class="met">{t.fine}</p>}
      {trial?.state === "refused" && (
        <div class="note note-bad">
          <p>
            <strong>{labelled(t.wouldRefuse)}</strong>
            {trial.says}
          </p>
          <Clauses clauses={trial.clauses} />
        </div>
      )}
    </div>
  );
}
