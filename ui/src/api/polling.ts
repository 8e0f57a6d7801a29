/** Polling for data that no stream carries, only while the page is visible. */

import { useEffect } from "preact/hooks";
import { type ApiRequest, useRequest } from "./use-request";

/** Requests now, whenever `about` changes, and at an interval in milliseconds. */
export function usePolling<Data>(
  load: () => Promise<Data>,
  interval: number,
  dependencies: readonly unknown[] = [],
): ApiRequest<Data> {
  const request = useRequest(load, dependencies);
  useRefresh(request.reload, interval);
  return request;
}

/** Reloads at an interval and when the page becomes visible again; null disables it. */
export function useRefresh(reload: () => void, interval: number | null): void {
  useEffect(() => {
    if (interval === null) return;
    const refresh = (): void => {
      if (document.visibilityState === "visible") reload();
    };
    const timer = setInterval(refresh, interval);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [reload, interval]);
}
