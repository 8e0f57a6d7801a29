/** House edges under every pay table and reading: the server's figures, only looked up here. */

import { api, unwrap } from "../../api/client";
import type { BookPage, Figure, Setup, WagerEntry, WagerFigures } from "../../api/types";
import { useRequest } from "../../api/use-request";
import { namesText } from "./draft";

export interface Choices {
  paytables: Record<string, string>;
  readings: Record<string, string>;
  options: Record<string, string>;
}

/** The choices of a set-up. */
export function choicesIn(setup: Setup): Choices {
  return { paytables: setup.paytables ?? {}, readings: setup.readings ?? {}, options: setup.options ?? {} };
}

/** Every bet under every pay table and every reading that matters to it; null until they are loaded. */
export function useEdges(book: BookPage | null, options: Record<string, string>): readonly WagerFigures[] | null {
  const option = Object.entries(options).map(([name, choice]) => `${name}:${choice}`);
  const { response } = useRequest(async () => {
    if (book === null) return [];
    const query = { all_readings: true, digest: book.digest, ...(option.length > 0 ? { option } : {}) };
    const path = { book_id: book.book };
    return (await unwrap(api.GET("/api/v1/books/{book_id}/analysis", { params: { path, query } }))).wagers;
  }, [book?.book, book?.digest, option.join()]);
  return response.state === "loaded" && response.data.length > 0 ? response.data : null;
}

/** The pay table chosen for a bet. */
export function paytableOf(wager: WagerEntry, chosen: Record<string, string>): string | null {
  const named = chosen[wager.wager] ?? chosen[wager.family] ?? (wager.group === null ? undefined : chosen[wager.group]);
  return named ?? wager.paytables[0]?.paytable ?? null;
}

/** The edge of a bet under choices; undefined if the server sent none. */
export function edgeOf(
  figures: readonly WagerFigures[],
  book: BookPage,
  wager: WagerEntry,
  chosen: Choices,
): Figure | undefined {
  const paytable = paytableOf(wager, chosen.paytables);
  return figures.find(
    one =>
      one.wager === wager.wager &&
      one.paytable === paytable &&
      Object.entries(one.readings).every(([name, choice]) => choice === readingOf(book, chosen.readings, name)),
  )?.house_edge;
}

export function readingOf(book: BookPage, chosen: Record<string, string>, name: string): string {
  return chosen[name] ?? book.readings[name]?.default ?? "";
}

/** The effect of a reading's choice on the bets that it concerns, with equal ones grouped. */
export interface Effect {
  names: string;
  /** Under the default. */
  from: Figure;
  to: Figure;
}

export function effectsOf(
  figures: readonly WagerFigures[],
  book: BookPage,
  chosen: Choices,
  reading: string,
  choice: string,
): Effect[] {
  const under = (pick: string): Choices => ({ ...chosen, readings: { ...chosen.readings, [reading]: pick } });
  const alike = new Map<string, { wagers: WagerEntry[]; from: Figure; to: Figure }>();
  for (const wager of book.wagers) {
    const from = edgeOf(figures, book, wager, under(book.readings[reading]?.default ?? ""));
    const to = edgeOf(figures, book, wager, under(choice));
    if (from === undefined || to === undefined || !touches(figures, wager, reading)) continue;
    const key = `${from.exact} ${to.exact} ${wager.family}`;
    const found = alike.get(key) ?? { wagers: [], from, to };
    found.wagers.push(wager);
    alike.set(key, found);
  }
  return [...alike.values()].map(({ wagers, from, to }) => ({ names: namesText(wagers), from, to }));
}

function touches(figures: readonly WagerFigures[], wager: WagerEntry, reading: string): boolean {
  return figures.some(one => one.wager === wager.wager && one.readings[reading] !== undefined);
}
