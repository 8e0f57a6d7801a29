/** The language of the pages. `words()` in a component follows the choice; only English comes with the first load. */

import { computed, effect, signal } from "@preact/signals";
import type { Label } from "../api/types";
import { keep, kept } from "../shell/storage";
import { en, type Words } from "./en";

export type Language = "en" | "zh";
export type { Words };

export const LANGUAGES: { code: Language; name: string; tag: string }[] = [
  { code: "en", name: "English", tag: "en" },
  { code: "zh", name: "中文", tag: "zh-Hant" },
];

const KEY = "language";
const loaded: Partial<Record<Language, Words>> = { en };

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

/** The language that is spoken: one whose words are there. */
export const language = signal<Language>("en");

let wanted: Language = "en";

/** Changes to a language once its words have come; without them, and without a connection, all stays as it is. */
export async function speak(code: Language): Promise<void> {
  wanted = code;
  try {
    if (code === "zh") loaded.zh ??= (await import("./zh")).zh;
  } catch {
    return;
  }
  if (wanted === code) language.value = code;
}

/** When the first words are there. */
export const ready = speak(first());

/** The tag for `lang` and for figures. */
export const locale = computed(() => LANGUAGES.find(one => one.code === language.value)?.tag ?? "en");

const current = computed(() => loaded[language.value] ?? en);

export function words(): Words {
  return current.value;
}

/** A name before what it names, with the language's own colon. */
export function labelled(name: string): string {
  return name + words().shell.colon;
}

/** A visitor's own choice; it outlives the visit. */
export function choose(code: Language): void {
  keep(KEY, code);
  void speak(code);
}

/** No choice any more: the browser's language. */
export function followBrowser(): void {
  void speak(browsers());
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

/** Names one after the other, as the language of the page lists them. */
export function listed(names: readonly string[]): string {
  return names.join(language.value === "zh" ? "、" : ", ");
}

effect(() => {
  document.documentElement.lang = locale.value;
});
