/** What only readers of Chinese need: it is fetched once, when somebody reads Chinese. */

import { effect, signal } from "@preact/signals";
import { inChinese } from "./language";

/** Null in another language, and until it is here: English is there still. */
export function onlyInChinese<Found>(fetched: () => Promise<Found>): () => Found | null {
  const found = signal<Found | null>(null);
  effect(() => {
    if (!inChinese.value || found.peek() !== null) return;
    fetched().then(
      one => {
        found.value = one;
      },
      () => undefined,
    );
  });
  return () => (inChinese.value ? found.value : null);
}
