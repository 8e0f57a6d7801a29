/** What only readers of Chinese need: it is fetched once, when somebody reads Chinese. */

import { effect, signal } from "@preact/signals";
import { language } from "./index";

/** Null in another language, and until it is here: English is there still. */
export function onlyInChinese<Found>(fetched: () => Promise<Found>): () => Found | null {
  const found = signal<Found | null>(null);
  effect(() => {
    if (language.value !== "zh" || found.peek() !== null) return;
    fetched().then(
      one => {
        found.value = one;
      },
      () => undefined,
    );
  });
  return () => (language.value === "zh" ? found.value : null);
}
