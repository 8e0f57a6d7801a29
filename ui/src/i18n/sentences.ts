/** What the books say in English, in Chinese: asked of the server only for who reads Chinese. It binds nothing. */

import { api, told } from "../api/client";
import { onlyInChinese } from "./chinese";

const chinese = onlyInChinese(() =>
  told(api.GET("/api/v1/translations/{lang}", { params: { path: { lang: "zh" } } })).then(found => found.sentences),
);

/** A sentence of a book in Chinese; null where the book's own words are to be shown. */
export function inChinese(sentence: string): string | null {
  return chinese()?.[sentence] ?? null;
}

/** A title or a name of a book in the language of the page, where its exact words do not matter. */
export function bookWords(sentence: string): string {
  return inChinese(sentence) ?? sentence;
}
