/** What an entry of a record says, in Chinese: told from its data and not from its sentence, which stays as it is. */

import type { BookPage, JournalEntry } from "../api/types";
import { personName } from "../live/names";
import { onlyInChinese } from "./chinese";
import { bookWords } from "./sentences";
import { consoleWords } from "./words/console";
import { playWords } from "./words/play";
import { problemsWords } from "./words/problems";

const teller = onlyInChinese(() => import("./journal/zh").then(found => found.tell));

/** A sentence, and what belongs below it; null where the record's own words are to be shown. */
export function entryInChinese(entry: JournalEntry, book: BookPage | null, money: string): string[] | null {
  return (
    teller()?.({
      entry,
      book,
      money,
      say: { desk: consoleWords().desk, seat: playWords().seat, problems: problemsWords() },
      name: personName,
      sentence: bookWords,
    }) ?? null
  );
}
