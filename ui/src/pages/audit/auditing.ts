/** The running audit, or the last one; polled until it is over. */

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import { asProblem, type Problem } from "../../api/problems";
import type { AuditState } from "../../api/types";
import { rememberNames } from "../../live/names";

const POLL_INTERVAL = 500;

export interface Auditing {
  /** Null until it is known. */
  state: AuditState | null;
  problem: Problem | null;
  busy: boolean;
  /** Checked with the given public key, or else with that of this house. */
  start: (checkpoints: readonly string[], key: string | null) => void;
  cancel: () => void;
}

export function useAudit(onOver: () => void): Auditing {
  const [state, setState] = useState<AuditState | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const over = useRef(onOver);
  over.current = onOver;

  const ask = useCallback(async (request: () => Promise<AuditState>): Promise<void> => {
    setBusy(true);
    try {
      setState(rememberNames(await request()));
      setProblem(null);
    } catch (thrown) {
      setProblem(asProblem(thrown));
    } finally {
      setBusy(false);
    }
  }, []);
  const look = useCallback(() => ask(() => unwrap(api.GET("/api/v1/audit"))), [ask]);

  useEffect(() => void look(), [look]);
  useEffect(() => {
    if (state?.state !== "running") return;
    const timer = setTimeout(() => void look(), POLL_INTERVAL);
    return () => clearTimeout(timer);
  }, [state, look]);
  const ended = state?.ended ?? null;
  useEffect(() => {
    // The records may have grown during the audit.
    if (ended !== null) over.current();
  }, [ended]);

  return {
    state,
    problem,
    busy,
    start: (checkpoints, key) => void ask(() => started(checkpoints, key)),
    cancel: () => void ask(() => unwrap(api.DELETE("/api/v1/audit"))),
  };
}

/** Starts an audit. Without a given key, signatures are checked with that of this house, if it has signed before. */
async function started(checkpoints: readonly string[], given: string | null): Promise<AuditState> {
  const [checkpoint, ...earlier] = checkpoints;
  if (checkpoint === undefined) return unwrap(api.POST("/api/v1/audit", { body: {} }));
  const house = async (): Promise<string | null> =>
    (await unwrap(api.GET("/api/v1/checkpoints/key")).catch(() => null))?.public_key ?? null;
  const key = given ?? (await house());
  const body = { checkpoint, earlier, ...(key === null ? {} : { public_key: key }) };
  return unwrap(api.POST("/api/v1/audit", { body }));
}
