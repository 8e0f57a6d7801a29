/** The audit that is under way, or the last one: asked for until it is over. */

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { api, told } from "../../api/client";
import { asProblem, type Problem } from "../../api/problems";
import type { AuditState } from "../../api/types";
import { noted } from "../../live/names";

const BETWEEN = 500;

export interface Auditing {
  /** null until it is known. */
  state: AuditState | null;
  problem: Problem | null;
  busy: boolean;
  start: (checkpoint: string | null) => void;
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
    // The records may have grown while they were proved.
    if (ended !== null) over.current();
  }, [ended]);

  return {
    state,
    problem,
    busy,
    start: checkpoint => void ask(() => started(checkpoint)),
    cancel: () => void ask(() => told(api.DELETE("/api/v1/audit"))),
  };
}

/** Begins one; a checkpoint's signature is checked by the key of this house, where it has signed before. */
async function started(checkpoint: string | null): Promise<AuditState> {
  if (checkpoint === null) return told(api.POST("/api/v1/audit", { body: {} }));
  const key = await told(api.GET("/api/v1/checkpoints/key")).catch(() => null);
  const body = key === null ? { checkpoint } : { checkpoint, public_key: key.public_key };
  return told(api.POST("/api/v1/audit", { body }));
}
