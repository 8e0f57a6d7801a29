/** All steps of the round in the book's order: done, due, possible, later. */

import { Button } from "../components/button";
import { consoleWords } from "../i18n/words/console";
import { stepText } from "../staff/at-table";
import { StepWords } from "../staff/book-step-text";
import { commandOf, type Desk } from "./console";

/** Steps that need no input. */
const PLAIN = new Set([
  "open betting",
  "close betting",
  "press deal",
  "reveal",
  "clear",
  "cover",
  "check dice",
  "mark",
]);

export function Steps({ desk }: { desk: Desk }) {
  const t = consoleWords().dealer;
  const due = desk.view.due;
  return (
    <section class="card steps">
      <h2>{t.steps}</h2>
      <ol>
        {desk.view.procedure.map(step => {
          const standing = step.done ? "done" : step.id === due ? "now" : step.may ? "may" : "later";
          return (
            <li key={step.id} class={`step step-${standing}`} aria-current={standing === "now" ? "step" : undefined}>
              <span class="step-mark" aria-hidden="true" />
              <span>
                <StepWords act={step.act} says={stepText(desk.book, step.id, step.says)} />{" "}
                <span class="clause">{step.clause.join(", ")}</span>
              </span>
              {standing === "may" && PLAIN.has(step.act) ? (
                <Button disabled={desk.busy} onClick={() => void desk.act(commandOf(step), step.who)}>
                  {t.take}
                </Button>
              ) : (
                <span class="step-standing">{t[standing]}</span>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
