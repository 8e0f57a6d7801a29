/** The book of a table, under the readings and options in force there. */

import { useEffect, useState } from "preact/hooks";
import { api, unwrap } from "../api/client";
import type { BookPage, Label } from "../api/types";
import { apiLanguage, named, untranslated } from "../i18n";
import type { Rules } from "./view";

const cache = new Map<string, Promise<BookPage>>();
const readingNames = new Map<string, Label>();

function choices(chosen: Record<string, string> | undefined): string[] | undefined {
  const found = Object.entries(chosen ?? {}).map(([name, choice]) => `${name}:${choice}`);
  return found.length > 0 ? found : undefined;
}

/** The exact content that the table was opened with, requested once. */
export function bookOf(rules: Rules, lang: BookPage["lang"]): Promise<BookPage> {
  const { book, digest, readings, options } = rules.setup;
  const key = JSON.stringify([book, digest, readings, options, lang]);
  const found = cache.get(key);
  if (found !== undefined) return found;
  const [reading, option] = [choices(readings), choices(options)];
  const query = { lang, digest, ...(reading ? { reading } : {}), ...(option ? { option } : {}) };
  const request = unwrap(api.GET("/api/v1/books/{book_id}", { params: { path: { book_id: book }, query } }));
  cache.set(key, request);
  request.then(
    page => {
      for (const [id, one] of Object.entries(page.readings)) readingNames.set(id, one.name);
    },
    () => cache.delete(key),
  );
  return request;
}

/** The announcement of a step or an irregularity, with its translation if the book has one. */
export function announcedWords(book: BookPage, words: string, by: string): Label {
  const rule = book.procedure.round.find(step => step.id === by) ?? book.irregularities[by];
  return rule?.announce?.en === words ? rule.announce : untranslated(words);
}

/** The name of a reading of a book that this page has loaded, or else its id. */
export function readingName(id: string): string {
  const name = readingNames.get(id);
  return name === undefined ? id : named(name);
}

/** Like `bookOf`, for a page; null until it is loaded. */
export function useBook(rules: Rules | null): BookPage | null {
  const [book, setBook] = useState<BookPage | null>(null);
  const lang = apiLanguage.value;
  useEffect(() => {
    let wanted = true;
    if (rules !== null) {
      bookOf(rules, lang).then(
        found => {
          if (wanted) setBook(found);
        },
        () => undefined,
      );
    }
    return () => {
      wanted = false;
    };
  }, [rules, lang]);
  return book;
}
