/** What a page asked for: a sign of waiting, what was told, or why it was not. */

import type { ComponentChildren } from "preact";
import { type Asking, known } from "../api/use-request";
import { ProblemNote, Waiting } from "./problem-note";

/** The last that was told stays where asking again fails. */
export function Told<What>(props: { asking: Asking<What>; children: (told: What) => ComponentChildren }) {
  const { asked, again } = props.asking;
  if (asked.state === "waiting") return <Waiting />;
  const last = known(asked);
  // What is shown keeps its place, and with it what was typed there, whether a note stands above it or not.
  return (
    <>
      {asked.state === "failed" ? <ProblemNote problem={asked.problem} again={again} /> : null}
      {last === null ? null : props.children(last)}
    </>
  );
}
