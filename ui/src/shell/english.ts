/** Whether the English of books is shown below its Chinese: the visitor's choice, else on for staff. */

import { computed, effect, signal } from "@preact/signals";
import { oversees, worksHere } from "./session";
import { readStored, store } from "./storage";

const KEY = "english";
const chosen = signal(readStored(KEY));

export const englishBeneath = computed(() =>
  chosen.value === null ? worksHere.value || oversees.value : chosen.value === "on",
);

export function showEnglish(on: boolean): void {
  chosen.value = on ? "on" : "off";
  store(KEY, chosen.value);
}

effect(() => {
  document.documentElement.dataset.english = englishBeneath.value ? "on" : "off";
});
