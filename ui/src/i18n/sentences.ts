/** What the books say in English, in Chinese: asked of the server only by readers of Chinese. It binds nothing. */

import { effect, signal } from "@preact/signals";
import { api, told } from "../api/client";
import { apiLanguage } from "./language";

interface Translation {
  /** By the book's own sentences. */
  sentences: Readonly<Record<string, string>>;
  /** Names of the books by their Traditional Chinese, where Simplified differs. */
  labels?: Readonly<Record<string, string>>;
}

const known = signal<Readonly<Record<string, Translation>>>({});

effect(() => {
  const lang = apiLanguage.value;
  if (lang === "en" || known.peek()[lang] !== undefined) return;
  told(api.GET("/api/v1/translations/{lang}", { params: { path: { lang } } })).then(
    found => {
      known.value = { ...known.peek(), [lang]: found };
    },
    () => undefined,
  );
});

/** A sentence of a book in Chinese; null where the book's own words are to be shown. */
export function bookSentence(sentence: string): string | null {
  return known.value[apiLanguage.value]?.sentences[sentence] ?? null;
}

/** A title or a name of a book in the language of the page, where its exact words do not matter. */
export function bookWords(sentence: string): string {
  // Of several books on one hand each has its title; those beside the base do without what stands in parentheses.
  const [base = "", ...beside] = titlesOf(sentence).map(one => bookSentence(one) ?? one);
  return [base, ...beside.map(one => one.replace(/\s*[(（][^()（）]*[)）]$/, ""))].join(BESIDE);
}

/** Whether every book of a title has one in Chinese. */
export function isTranslated(title: string): boolean {
  return titlesOf(title).every(one => bookSentence(one) !== null);
}

const BESIDE = " + ";

function titlesOf(title: string): string[] {
  return title.split(BESIDE);
}

/** A name of a book in Simplified Chinese. */
export function simplifiedLabel(label: string): string {
  return known.value["zh-Hans"]?.labels?.[label] ?? label;
}
