/** The state of a page's request: pending, answered, or failed. */

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { asProblem, type Problem } from "./problems";

export type ApiResponse<Data> =
  | { state: "loading" }
  | { state: "loaded"; data: Data }
  | { state: "failed"; problem: Problem; previous: Data | null };

export interface ApiRequest<Data> {
  response: ApiResponse<Data>;
  reload: () => void;
}

/** The last response, even if a later request failed; null before the first one. */
export function latestData<Data>(response: ApiResponse<Data>): Data | null {
  return response.state === "loaded" ? response.data : response.state === "failed" ? response.previous : null;
}

/** Requests when the page appears and whenever `about` changes; a response that arrives too late is not shown. */
export function useRequest<Data>(load: () => Promise<Data>, dependencies: readonly unknown[]): ApiRequest<Data> {
  const [response, setResponse] = useState<ApiResponse<Data>>({ state: "loading" });
  const turn = useRef(0);
  const latest = useRef(load);
  latest.current = load;
  const reload = useCallback(() => {
    turn.current += 1;
    const thisTurn = turn.current;
    latest.current().then(
      answer => {
        if (thisTurn === turn.current) setResponse({ state: "loaded", data: answer });
      },
      thrown => {
        if (thisTurn !== turn.current) return;
        const problem = asProblem(thrown);
        setResponse(before => ({ state: "failed", problem, previous: latestData(before) }));
      },
    );
  }, []);
  useEffect(() => {
    reload();
    return () => {
      turn.current += 1;
    };
  }, dependencies);
  return { response, reload };
}
