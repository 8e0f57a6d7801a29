/** What the books say in English, in Chinese: asked of the server only for who reads Chinese. It binds nothing. */

import { effect, signal } from "@preact/signals";
import { api, told } from "../api/client";
import { language } from "./index";

const chinese = signal<Record<string, string> | null>(null);

effect(() => {
  if (language.value !== "zh" || chinese.peek() !== null) return;
  told(api.GET("/api/v1/translations/{lang}", { params: { path: { lang: "zh" } } })).then(
    found => {
      chinese.value = found.sentences;
    },
    () => undefined, // the books' own English is there still
  );
});

/** A sentence of a book in Chinese; null where the book's own words are to be shown. */
export function inChinese(sentence: string): string | null {
  return language.value === "zh" ? (chinese.value?.[sentence] ?? null) : null;
}

/** A title or a name of a book in the language of the page, where its exact words do not matter. */
export function bookWords(sentence: string): string {
  return inChinese(sentence) ?? sentence;
}
