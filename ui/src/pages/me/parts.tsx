/** Small pieces of the account page. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { asProblem, type Problem } from "../../api/problems";
import { toastDone } from "../../components/toasts";

export function Card(props: { title: string; lead?: string; wide?: boolean; children: ComponentChildren }) {
  return (
    <section class={`card own-card${props.wide ? " own-wide" : ""}`} aria-label={props.title}>
      <h2>{props.title}</h2>
      {props.lead && <p class="soft">{props.lead}</p>}
      {props.children}
    </section>
  );
}

export interface Deed {
  busy: boolean;
  problem: Problem | null;
  /** Does it, and says so; whether it was done. */
  run: (act: () => Promise<unknown>, done?: string) => Promise<boolean>;
}

/** One deed at a time, with what went wrong at the last one. */
export function useDeed(): Deed {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const run = async (act: () => Promise<unknown>, done?: string): Promise<boolean> => {
    setBusy(true);
    setProblem(null);
    try {
      await act();
      if (done !== undefined) toastDone(done);
      return true;
    } catch (thrown) {
      setProblem(asProblem(thrown));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, problem, run };
}
