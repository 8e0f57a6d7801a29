/** Past rounds of a table, the latest first. */

import { useEffect, useState } from "preact/hooks";
import { api, unwrap } from "../api/client";
import type { components } from "../api/schema";
import { useRequest } from "../api/use-request";

export type PastRound = components["schemas"]["PastRound"];

/** Requests a number of past rounds, again when `latest` changes, and not while it is null. */
export function usePastRounds(table: string, limit: number, latest: number | null): readonly PastRound[] {
  const [about, setAbout] = useState(latest);
  useEffect(() => {
    if (latest !== null) setAbout(latest);
  }, [latest]);
  const params = { path: { table }, query: { limit } };
  const { response } = useRequest(() => unwrap(api.GET("/api/v1/tables/{table}/rounds", { params })), [table, about]);
  if (response.state === "loaded") return response.data.rounds;
  return response.state === "failed" ? (response.previous?.rounds ?? []) : [];
}
