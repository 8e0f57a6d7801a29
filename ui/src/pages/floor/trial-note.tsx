/** Whether something would be refused, and by which clause, before it is asked. */

import { Clauses } from "../../components/clauses";
import { capital, Translated } from "../../components/says";
import { words } from "../../words";
import { refusalInChinese } from "../../words/server";
import type { Trial } from "./trial";

/** Quiet: only where it would be refused. */
export function TrialNote({ trial, quiet = false }: { trial: Trial | null; quiet?: boolean }) {
  const say = words().floor;
  return (
    <div class="trial" role="status">
      {trial?.state === "asking" && !quiet && <p class="soft">{say.trying}</p>}
      {trial?.state === "fine" && !quiet && <p class="met">{say.fine}</p>}
      {trial?.state === "refused" && (
        <div class="note note-bad">
          <p>
            <strong>{say.wouldRefuse}:</strong>{" "}
            <Translated chinese={refusalInChinese(trial.kind)} says={capital(trial.says)} />
          </p>
          <Clauses clauses={trial.clauses} />
        </div>
      )}
    </div>
  );
}
