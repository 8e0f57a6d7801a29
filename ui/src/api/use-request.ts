/** The state of a page's request: pending, answered, or failed. */

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { asProblem, type Problem } from "./problems";

export type Asked<Told> =
  | { state: "waiting" }
  | { state: "here"; told: Told }
  | { state: "failed"; problem: Problem; before: Told | null };

export interface Asking<Told> {
  asked: Asked<Told>;
  again: () => void;
}

/** The last response, even if a later request failed; null before the first one. */
export function known<Told>(asked: Asked<Told>): Told | null {
  return asked.state === "here" ? asked.told : asked.state === "failed" ? asked.before : null;
}

/** Requests when the page appears and whenever `about` changes; a response that arrives too late is not shown. */
export function useAsked<Told>(ask: () => Promise<Told>, about: readonly unknown[]): Asking<Told> {
  const [asked, setAsked] = useState<Asked<Told>>({ state: "waiting" });
  const turn = useRef(0);
  const latest = useRef(ask);
  latest.current = ask;
  const again = useCallback(() => {
    turn.current += 1;
    const mine = turn.current;
    latest.current().then(
      answer => {
        if (mine === turn.current) setAsked({ state: "here", told: answer });
      },
      thrown => {
        if (mine !== turn.current) return;
        const problem = asProblem(thrown);
        setAsked(before => ({ state: "failed", problem, before: known(before) }));
      },
    );
  }, []);
  useEffect(() => {
    again();
    return () => {
      turn.current += 1;
    };
  }, about);
  return { asked, again };
}
