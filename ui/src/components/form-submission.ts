/** The submission of a form: one at a time, and an error stays visible. */

import { useRef, useState } from "preact/hooks";
import { asProblem, type Problem } from "../api/problems";
import { toastDone } from "./toasts";

export interface Submission {
  busy: boolean;
  /** Why the last submission failed. */
  problem: Problem | null;
  /** Submits, announces success if there is a text for it, and returns whether it succeeded. */
  submit: (act: () => Promise<unknown>, done?: string) => Promise<boolean>;
}

export function useSubmission(): Submission {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const under = useRef(false); // set immediately, not at the next render
  const send: Submission["submit"] = async (act, done) => {
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
  return { busy, problem, submit: send };
}
