/** The running audit, or the last one; polled until it is over. */

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { api, told } from "../../api/client";
import { asProblem, type Problem } from "../../api/problems";
import type { AuditState } from "../../api/types";
import { noted } from "../../live/names";

const BETWEEN = 500;

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

  const ask = useCallback(async (asking: () => Promise<AuditState>): Promise<void> => {
    setBusy(true);
    try {
      setState(noted(await asking()));
      setProblem(null);
    } catch (thrown) {
      setProblem(asProblem(thrown));
    } finally {
      setBusy(false);
    }
  }, []);
  const look = useCallback(() => ask(() => told(api.GET("/api/v1/audit"))), [ask]);

  useEffect(() => void look(), [look]);
  useEffect(() => {
    if (state?.state !== "running") return;
    const timer = setTimeout(() => void look(), BETWEEN);
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
    cancel: () => void ask(() => told(api.DELETE("/api/v1/audit"))),
  };
}

/** Starts an audit. Without a given key, signatures are checked with that of this house, if it has signed before. */
async function started(checkpoints: readonly string[], given: string | null): Promise<AuditState> {
  const [checkpoint, ...earlier] = checkpoints;
  if (checkpoint === undefined) return told(api.POST("/api/v1/audit", { body: {} }));
  const house = async (): Promise<string | null> =>
    (await told(api.GET("/api/v1/checkpoints/key")).catch(() => null))?.public_key ?? null;
  const key = given ?? (await house());
  const body = { checkpoint, earlier, ...(key === null ? {} : { public_key: key }) };
  return told(api.POST("/api/v1/audit", { body }));
}
