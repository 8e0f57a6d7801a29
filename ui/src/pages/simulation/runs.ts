/** The last runs of the house, polled while one is running. */

import { api, unwrap } from "../../api/client";
import { useRefresh } from "../../api/polling";
import type { components } from "../../api/schema";
import type { RunInfo } from "../../api/types";
import { type ApiRequest, latestData, useRequest } from "../../api/use-request";

export type Runs = components["schemas"]["Runs"];

const LIST_EVERY = 3_000;
const RUN_EVERY = 600;

export interface KnownRuns extends ApiRequest<Runs> {
  known: Runs | null;
}

export function useRuns(): KnownRuns {
  const request = useRequest(() => unwrap(api.GET("/api/v1/simulations")), []);
  const runs = latestData(request.response);
  useRefresh(request.reload, runs === null || runs.running === null ? null : LIST_EVERY);
  return { ...request, known: runs };
}

/** The state of a run, polled until it has ended. */
export function useRun(run: string): ApiRequest<RunInfo> {
  const request = useRequest(() => unwrap(api.GET("/api/v1/simulations/{run}", { params: { path: { run } } })), [run]);
  useRefresh(request.reload, latestData(request.response)?.state === "running" ? RUN_EVERY : null);
  return request;
}
