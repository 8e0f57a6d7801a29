/** A problem in words, where what was asked for would have stood. */

import type { Problem } from "../api/problems";
import { words } from "../words";
import { Button } from "./button";

/** What to tell people: the server's own sentence, or ours where no server answered. */
export function problemWords(problem: Problem): string {
  const say = words().problem;
  if (problem.kind === "offline") return say.offline;
  const text = problem.detail || problem.title || say.unreadable;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function ProblemNote({ problem, again }: { problem: Problem; again?: () => void }) {
  const say = words();
  return (
    <div class="note note-bad" role="alert">
      <p>
        <strong>{problemWords(problem)}</strong>
      </p>
      {problem.clauses.length > 0 && <p class="clause">{say.problem.clause(problem.clauses.join(", "))}</p>}
      {problem.requestId !== null && problem.status >= 500 && (
        <p class="soft">{say.problem.reference(problem.requestId)}</p>
      )}
      {again && <Button onClick={again}>{say.shell.again}</Button>}
    </div>
  );
}

/** Shown while something is on its way; not at once, so that quick answers do not flicker. */
export function Waiting() {
  return (
    <p class="waiting" role="status">
      {words().shell.loading}
    </p>
  );
}
