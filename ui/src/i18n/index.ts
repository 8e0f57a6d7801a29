/** The language of the pages and the words of the shell; each page's own words are in `i18n/words`. */

import { computed } from "@preact/signals";
import type { Label } from "../api/types";
import { readStored, store } from "../shell/storage";
import { setLanguage } from "./areas";
import { inChinese, type Language, language, languageOf } from "./language";
import { type CommonWords, commonWords } from "./words/common";

export { setLanguage, wordsLoaded } from "./areas";
export { apiLanguage, inChinese, LANGUAGES, type Language, language, languageOf, regional } from "./language";
export type Words = CommonWords;
export const words = commonWords;

const KEY = "language";

function browsers(): Language {
  return navigator.languages.map(languageOf).find(one => one !== null) ?? "en";
}

/** Resolves when the first words are loaded. Without a connection for another language, English is tried. */
export const ready = setLanguage(languageOf(readStored(KEY)) ?? browsers());

/** The locale of figures: they are written as amounts are typed. */
export const locale = computed(() => language.value);

/** A label with the language's own colon. */
export function labelled(name: string): string {
  return name + words().shell.colon;
}

/** An addition in the language's own brackets, to follow other words. */
export function bracketed(addition: string): string {
  return inChinese.value ? `（${addition}）` : ` (${addition})`;
}

/** Stores a visitor's choice of language. */
export function choose(code: Language): void {
  store(KEY, code);
  void setLanguage(code);
}

/** Clears the choice: the browser's language applies. */
export function followBrowser(): void {
  void setLanguage(browsers());
  store(KEY, null);
}

/** Whether this browser's visitor has chosen a language; otherwise the account's applies. */
export function hasChosen(): boolean {
  return languageOf(readStored(KEY)) !== null;
}

/** A name or a text of a book in the language of the page. */
export function named(label: Label): string {
  if (language.value === "en") return label.en;
  return language.value === "zh-Hans" ? label.zh_hans : label.zh;
}

/** A text of a book in Chinese; null if the book's own words are to be shown. */
export function translationOf(text: Label): string | null {
  return inChinese.value && text.zh !== text.en ? named(text) : null;
}

/** A text that is the same in every language, or has no translation. */
export function untranslated(text: string): Label {
  return { en: text, zh: text, zh_hans: text };
}

/** The space between two sentences: none in Chinese, after full-width punctuation. */
export function gap(): string {
  return inChinese.value ? "" : " ";
}

/** Joins sentences, leaving out those that don't apply. */
export function sentences(...texts: (string | false | null | undefined)[]): string {
  return texts.filter(Boolean).join(gap());
}

/** Joins names as the language of the page lists them. */
export function listed(names: readonly string[]): string {
  return names.join(inChinese.value ? "、" : ", ");
}
