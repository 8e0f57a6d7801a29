/** A problem in words, where what was asked for would have stood. */

import type { Problem } from "../api/problems";
import { words } from "../words";
import { problemInChinese } from "../words/server";
import { Button, LinkButton } from "./button";

/** What the server said about this very request, as a sentence; empty where it said nothing. */
function serversWords(problem: Problem): string {
  const text = problem.kind === "offline" ? "" : problem.detail || problem.title;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What to tell people: in the language of the page, or the server's own sentence, or ours where no server answered. */
export function problemWords(problem: Problem): string {
  const say = words().problem;
  if (problem.kind === "offline") return say.offline;
  return problemInChinese(problem) ?? (serversWords(problem) || say.unreadable);
}

/** The same with its clause; and where that is a translation, the server's exact sentence beneath. */
export function ProblemText({ problem }: { problem: Problem }) {
  const say = words().problem;
  const told = problemWords(problem);
  const exact = serversWords(problem);
  return (
    <>
      <p>
        <strong>{told}</strong>
      </p>
      {problem.clauses.length > 0 && <p class="clause">{say.clause(problem.clauses.join(", "))}</p>}
      {exact && exact !== told && problem.kind !== "unreadable" && (
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

/** In the place of a whole page: the problem, and a way to go on. */
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
