/** The two themes: dark (the floor) and light (the office). A page has one; the visitor may choose the other. */

import { computed, effect, signal } from "@preact/signals";
import { readStored, store } from "./storage";

export type Mood = "floor" | "office";
export type Theme = "auto" | "felt" | "paper";

export const THEMES: readonly Theme[] = ["auto", "felt", "paper"];
const KEY = "look";

const first = readStored(KEY);
export const theme = signal<Theme>(first === "felt" || first === "paper" ? first : "auto");
/** The theme of the current page. */
export const pageMood = signal<Mood>("floor");

const night = matchMedia("(prefers-color-scheme: dark)");
const isNight = signal(night.matches);
night.addEventListener("change", () => {
  isNight.value = night.matches;
});

export const mood = computed<Mood>(() => {
  if (theme.value === "felt") return "floor";
  if (theme.value === "paper") return "office";
  return pageMood.value === "office" && isNight.value ? "floor" : pageMood.value;
});

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  store(KEY, chosen === "auto" ? null : chosen);
}

const BAR: Record<Mood, string> = { floor: "#0b1712", office: "#f5f1e6" };

effect(() => {
  document.documentElement.dataset.mood = mood.value;
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", BAR[mood.value]);
});
