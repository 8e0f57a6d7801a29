/** The last runs of the house, asked for again while one is under way. */

import { useEffect } from "preact/hooks";
import { type Asking, useAsked } from "../../api/asking";
import { api, told } from "../../api/client";
import type { components } from "../../api/schema";
import type { RunTold } from "../../api/types";

export type Runs = components["schemas"]["Runs"];

const LOOK_EVERY = 3_000;

export interface KnownRuns extends Asking<Runs> {
  known: Runs | null;
}

export function useRuns(): KnownRuns {
  const asking = useAsked(() => told(api.GET("/api/v1/simulations")), []);
  const { asked, again } = asking;
  const known = asked.state === "here" ? asked.told : asked.state === "failed" ? asked.before : null;
  const running = known?.running ?? null;
  useEffect(() => {
    if (running === null) return;
    const timer = setInterval(again, LOOK_EVERY);
    return () => clearInterval(timer);
  }, [running, again]);
  return { ...asking, known };
}

/** How a run stands, asked for again until it has ended. */
export function useRun(run: string): Asking<RunTold> {
  const asking = useAsked(() => told(api.GET("/api/v1/simulations/{run}", { params: { path: { run } } })), [run]);
  const { asked, again } = asking;
  const running =
    (asked.state === "here" ? asked.told : asked.state === "failed" ? asked.before : null)?.state === "running";
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(again, 600);
    return () => clearInterval(timer);
  }, [running, again]);
  return asking;
}
