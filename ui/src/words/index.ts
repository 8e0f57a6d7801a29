/** The language of the pages. `words()` in a component follows the choice. */

import { computed, effect, signal } from "@preact/signals";
import type { Label } from "../api/types";
import { keep, kept } from "../shell/keeping";
import { en, type Words } from "./en";
import { zh } from "./zh";

export type Language = "en" | "zh";
export type { Words };

export const LANGUAGES: { code: Language; name: string; tag: string }[] = [
  { code: "en", name: "English", tag: "en" },
  { code: "zh", name: "中文", tag: "zh-Hant" },
];

const ALL: Record<Language, Words> = { en, zh };
const KEY = "language";

/** The language in a tag like zh-TW; null where it is none of ours. */
export function languageOf(tag: string | null | undefined): Language | null {
  const code = tag?.toLowerCase().split("-")[0];
  return code === "en" || code === "zh" ? code : null;
}

function first(): Language {
  return languageOf(kept(KEY)) ?? browsers();
}

function browsers(): Language {
  return navigator.languages.map(languageOf).find(one => one !== null) ?? "en";
}

export const language = signal<Language>(first());

/** The tag for `lang` and for figures. */
export const locale = computed(() => LANGUAGES.find(one => one.code === language.value)?.tag ?? "en");

const current = computed(() => ALL[language.value]);

export function words(): Words {
  return current.value;
}

/** A visitor's own choice; it outlives the visit. */
export function choose(code: Language): void {
  language.value = code;
  keep(KEY, code);
}

/** No choice any more: the browser's language. */
export function followBrowser(): void {
  language.value = browsers();
  keep(KEY, null);
}

/** Whether this browser's visitor has chosen; else an account's language holds. */
export function hasChosen(): boolean {
  return languageOf(kept(KEY)) !== null;
}

/** A name of the book in the language of the page. */
export function named(label: Label): string {
  return label[language.value];
}

effect(() => {
  document.documentElement.lang = locale.value;
});
