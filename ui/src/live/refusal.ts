/** Refusals, told with the names that the book gives its wagers: the server names these by their ids. */

import type { Problem } from "../api/problems";
import type { BookPage } from "../api/types";
import { toastProblem } from "../components/toasts";
import { apiLanguage } from "../i18n";
import { bookOf } from "./book";
import type { LiveTable } from "./table";

/** Where a sentence of the server names a wager: "small cannot be made now", "2.00 on total/9 is under the minimum". */
const PLACES = /(^|\b(?:on|off|of) )'?([a-z\d][a-z\d/-]*)'?(?= |$)/g;

/** The sentence is the server's English, whatever the language of the page. */
export function withNames(problem: Problem, book: BookPage): Problem {
  return problem.saying(wagersNamed(problem.detail, book));
}

/** The same of a sentence. */
export function wagersNamed(says: string, book: BookPage): string {
  const names = new Map(book.wagers.map(one => [one.wager, one.name.en]));
  return says.replace(PLACES, (all, before: string, id: string) => {
    const name = names.get(id);
    return name === undefined ? all : before + name;
  });
}

export async function toastRefusal(live: LiveTable, problem: Problem): Promise<void> {
  const rules = live.rules.value;
  const book = rules === null ? null : await bookOf(rules, apiLanguage.value).catch(() => null);
  toastProblem(book === null ? problem : withNames(problem, book));
}
