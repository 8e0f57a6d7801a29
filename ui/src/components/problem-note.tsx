/** An error message in place of the content that was requested. */

import type { Problem } from "../api/problems";
import { listed, words } from "../i18n";
import { readingName } from "../live/book";
import { worksHere } from "../shell/session";
import { Button, LinkButton } from "./button";

/** Returns the server's message, which is in the language of the page, or ours if no server answered. */
export function problemWords(problem: Problem): string {
  const t = words().problem;
  if (problem.kind === "offline") return t.offline;
  if (problem.kind === "unreadable") return t.unreadable;
  const detail = problem.text || problem.title;
  return detail.charAt(0).toUpperCase() + detail.slice(1);
}

/** Returns the grounds of a refusal in short: its clauses, a reading of the text, or house policy; null if there are
 * none. */
export function groundsOf(problem: Problem): string | null {
  const t = words().problem;
  if (problem.clauses.length > 0) return t.clause(listed(problem.clauses));
  if (problem.reading !== null) return t.reading(readingName(problem.reading));
  return problem.policy ? t.policy : null;
}

/** The grounds on a page: visible to staff, behind an info mark for players. */
export function Grounds({ problem }: { problem: Problem }) {
  const grounds = groundsOf(problem);
  if (grounds === null) return null;
  if (worksHere.value) return <p class="clause">{grounds}</p>;
  return (
    <details class="clause grounds">
      <summary aria-label={words().problem.grounds}>ⓘ</summary>
      {grounds}
    </details>
  );
}

/** The message with its grounds. */
export function ProblemText({ problem }: { problem: Problem }) {
  return (
    <>
      <p>
        <strong>{problemWords(problem)}</strong>
      </p>
      <Grounds problem={problem} />
    </>
  );
}

export function ProblemNote({ problem, retry }: { problem: Problem; retry?: () => void }) {
  const t = words();
  return (
    <div class="note note-bad" role="alert">
      <ProblemText problem={problem} />
      {problem.requestId !== null && problem.status >= 500 && (
        <p class="soft">{t.problem.reference(problem.requestId)}</p>
      )}
      {retry && problem.kind !== "not-found" && <Button onClick={retry}>{t.shell.again}</Button>}
    </div>
  );
}

/** In place of a whole page: the problem, and a way to continue. */
export function ProblemPage({ problem, retry }: { problem: Problem; retry: () => void }) {
  return (
    <section class="page page-narrow">
      <ProblemNote problem={problem} retry={retry} />
      <LinkButton href="/">{words().shell.toTables}</LinkButton>
    </section>
  );
}

/** Shown while something is loading; delayed, so that quick responses don't flicker. */
export function Waiting() {
  return (
    <p class="waiting" role="status">
      {words().shell.loading}
    </p>
  );
}
