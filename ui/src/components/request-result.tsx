/** The result of a page's request: a loading note, the data, or the error. */

import type { ComponentChildren } from "preact";
import { type Asking, known } from "../api/use-request";
import { ProblemNote, Waiting } from "./problem-note";

/** The last data stays if a later request fails. */
export function Told<What>(props: { asking: Asking<What>; children: (told: What) => ComponentChildren }) {
  const { asked, again } = props.asking;
  if (asked.state === "waiting") return <Waiting />;
  const last = known(asked);
  // The data keeps its place in the tree, and with it what was typed there, whether or not a note is above it.
  return (
    <>
      {asked.state === "failed" ? <ProblemNote problem={asked.problem} again={again} /> : null}
      {last === null ? null : props.children(last)}
    </>
  );
}
