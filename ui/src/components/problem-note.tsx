/** A problem in words, where what was asked for would have stood. */

import type { Problem } from "../api/problems";
import { inChinese, words } from "../i18n";
import { readingName } from "../live/book";
import { worksHere } from "../shell/session";
import { Button, LinkButton } from "./button";

/** What the server said about this very request, as a sentence; empty where it said nothing. */
function serversWords(problem: Problem): string {
  const said = problem.kind === "offline" ? "" : problem.detail || problem.title;
  return said.charAt(0).toUpperCase() + said.slice(1);
}

/** What to tell people: in the language of the page, or the server's own sentence, or ours where no server answered. */
export function problemWords(problem: Problem): string {
  const say = words().problem;
  if (problem.kind === "offline") return say.offline;
  return (inChinese.value && problem.text) || serversWords(problem) || say.unreadable;
}

/** What a refusal rests on, in a few words: its clauses, a reading of the text, or house policy; null if nothing. */
export function groundsOf(problem: Problem): string | null {
  const say = words().problem;
  if (problem.clauses.length > 0) return say.clause(problem.clauses.join(", "));
  if (problem.reading !== null) return say.reading(readingName(problem.reading));
  return problem.policy ? say.policy : null;
}

/** The same on a page: staff see it, players find it behind a mark. */
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

/** The same with its clause; and where that is only the kind of problem in Chinese, the server's sentence beneath. */
export function ProblemText({ problem }: { problem: Problem }) {
  const told = problemWords(problem);
  const exact = serversWords(problem);
  return (
    <>
      <p>
        <strong>{told}</strong>
      </p>
      <Grounds problem={problem} />
      {exact && exact !== told && !problem.exact && problem.kind !== "unreadable" && (
        <p class="soft exact" lang="en">
          {exact}
        </p>
      )}
    </>
  );
}

export function ProblemNote({ problem, again }: { problem: Problem; again?: () => void }) {
  const say = words();
  return (
    <div class="note note-bad" role="alert">
      <ProblemText problem={problem} />
      {problem.requestId !== null && problem.status >= 500 && (
        <p class="soft">{say.problem.reference(problem.requestId)}</p>
      )}
      {again && <Button onClick={again}>{say.shell.again}</Button>}
    </div>
  );
}

/** In the place of a whole page: the problem, and a way to continue. */
export function ProblemPage({ problem, again }: { problem: Problem; again: () => void }) {
  return (
    <section class="page page-narrow">
      <ProblemNote problem={problem} again={again} />
      <LinkButton href="/">{words().shell.toTables}</LinkButton>
    </section>
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
