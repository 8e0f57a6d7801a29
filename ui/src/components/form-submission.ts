/** What a form asks of the server: once at a time, and a refusal stays to be read. */

import { useRef, useState } from "preact/hooks";
import { asProblem, type Problem } from "../api/problems";
import { toastDone } from "./toasts";

export interface Sending {
  busy: boolean;
  /** Why the last act was not done. */
  problem: Problem | null;
  /** Does it, and says so where there are words for it; whether it was done. */
  send: (act: () => Promise<unknown>, done?: string) => Promise<boolean>;
}

export function useSending(): Sending {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const under = useRef(false); // at once, not when it is next drawn
  const send: Sending["send"] = async (act, done) => {
    if (under.current) return false;
    under.current = true;
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
      under.current = false;
      setBusy(false);
    }
  };
  return { busy, problem, send };
}
