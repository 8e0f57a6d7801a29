/** What no stream tells is asked for again and again, but only while somebody looks. */

import { useEffect } from "preact/hooks";
import { type Asking, useAsked } from "./use-request";

/** Asks now, whenever `about` changes, and every so many milliseconds. */
export function usePolled<Told>(ask: () => Promise<Told>, every: number, about: readonly unknown[] = []): Asking<Told> {
  const asking = useAsked(ask, about);
  useAskedAgain(asking.again, every);
  return asking;
}

/** Asks again every so often, and as soon as somebody looks again; null where nothing will change. */
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
