/** Polling for data that no stream carries, only while the page is visible. */

import { useEffect } from "preact/hooks";
import { type Asking, useAsked } from "./use-request";

/** Requests now, whenever `about` changes, and at an interval in milliseconds. */
export function usePolled<Told>(ask: () => Promise<Told>, every: number, about: readonly unknown[] = []): Asking<Told> {
  const asking = useAsked(ask, about);
  useAskedAgain(asking.again, every);
  return asking;
}

/** Requests again at an interval, and as soon as the page is visible again; null if nothing will change. */
export function useAskedAgain(again: () => void, every: number | null): void {
  useEffect(() => {
    if (every === null) return;
    const look = (): void => {
      if (document.visibilityState === "visible") again();
    };
    const timer = setInterval(look, every);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [again, every]);
}
