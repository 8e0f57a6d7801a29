/** Whether the English of books is shown below its Chinese: the visitor's choice, else on for staff. */

import { computed, effect, signal } from "@preact/signals";
import { oversees, worksHere } from "./session";
import { keep, kept } from "./storage";

const KEY = "english";
const chosen = signal(kept(KEY));

export const englishBeneath = computed(() =>
  chosen.value === null ? worksHere.value || oversees.value : chosen.value === "on",
);

export function showEnglish(on: boolean): void {
  chosen.value = on ? "on" : "off";
  keep(KEY, chosen.value);
}

effect(() => {
  document.documentElement.dataset.english = englishBeneath.value ? "on" : "off";
});
