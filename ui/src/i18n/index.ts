/** The language of the pages and the words of the shell; each page's own words are in `i18n/words`. */

import { computed } from "@preact/signals";
import type { Label } from "../api/types";
import { keep, kept } from "../shell/storage";
import { speak } from "./areas";
import { inChinese, type Language, language, languageOf } from "./language";
import { type CommonWords, commonWords } from "./words/common";

export { speak, wordsLoaded } from "./areas";
export { apiLanguage, inChinese, LANGUAGES, type Language, language, languageOf, regional } from "./language";
export type Words = CommonWords;
export const words = commonWords;

const KEY = "language";

function browsers(): Language {
  return navigator.languages.map(languageOf).find(one => one !== null) ?? "en";
}

/** When the first words are there. Without a connection for another language, English is tried. */
export const ready = speak(languageOf(kept(KEY)) ?? browsers());

/** The tag for figures: as amounts are typed, they are written. */
export const locale = computed(() => language.value);

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

/** A name or a text of a book in the language of the page. */
export function named(label: Label): string {
  if (language.value === "en") return label.en;
  return language.value === "zh-Hans" ? label.zh_hans : label.zh;
}

/** A text of a book in Chinese; null where the book's own words are to be shown. */
export function translationOf(text: Label): string | null {
  return inChinese.value && text.zh !== text.en ? named(text) : null;
}

/** A text that is the same in every language, or has no translation. */
export function untranslated(text: string): Label {
  return { en: text, zh: text, zh_hans: text };
}

/** Names one after the other, as the language of the page lists them. */
export function listed(names: readonly string[]): string {
  return names.join(inChinese.value ? "、" : ", ");
}
