/** The last runs of the house, polled while one is running. */

import { api, told } from "../../api/client";
import { useAskedAgain } from "../../api/polling";
import type { components } from "../../api/schema";
import type { RunInfo } from "../../api/types";
import { type Asking, known, useAsked } from "../../api/use-request";

export type Runs = components["schemas"]["Runs"];

const LIST_EVERY = 3_000;
const RUN_EVERY = 600;

export interface KnownRuns extends Asking<Runs> {
  known: Runs | null;
}

export function useRuns(): KnownRuns {
  const asking = useAsked(() => told(api.GET("/api/v1/simulations")), []);
  const runs = known(asking.asked);
  useAskedAgain(asking.again, runs === null || runs.running === null ? null : LIST_EVERY);
  return { ...asking, known: runs };
}

/** The state of a run, polled until it has ended. */
export function useRun(run: string): Asking<RunInfo> {
  const asking = useAsked(() => told(api.GET("/api/v1/simulations/{run}", { params: { path: { run } } })), [run]);
  useAskedAgain(asking.again, known(asking.asked)?.state === "running" ? RUN_EVERY : null);
  return asking;
}
