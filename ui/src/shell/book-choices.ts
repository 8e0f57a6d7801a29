/** The readings, options and pay tables of a page about a book, all of them in the URL. */

import { go } from "./router";

export interface BookChoices {
  reading: string[];
  option: string[];
  paytable: string[];
}

/** The choices in the URL: `?reading=name:choice&paytable=group:PT2`. */
export function bookChoicesOf(query: URLSearchParams): BookChoices {
  return {
    reading: query.getAll("reading"),
    option: query.getAll("option"),
    paytable: query.getAll("paytable"),
  };
}

export function isDefault(under: BookChoices): boolean {
  return under.reading.length + under.option.length + under.paytable.length === 0;
}

/** For a GET: only what was chosen. */
export function asQuery(under: BookChoices): Partial<BookChoices> {
  return Object.fromEntries(Object.entries(under).filter(([, chosen]) => chosen.length > 0));
}

/** For a POST: by name. */
export function byName(chosen: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    chosen.map(one => {
      const at = one.indexOf(":");
      return [one.slice(0, at), one.slice(at + 1)];
    }),
  );
}

/** As a query string that begins with ?; empty if nothing was chosen. */
export function asAddress(under: Partial<BookChoices>, more: Record<string, string> = {}): string {
  const query = new URLSearchParams(more);
  for (const [name, chosen] of Object.entries(under)) for (const one of chosen) query.append(name, one);
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

/** Changes a choice; null is the default. */
export function chooseIn(kind: keyof BookChoices, name: string, choice: string | null): void {
  const query = new URLSearchParams(location.search);
  const others = query.getAll(kind).filter(one => !one.startsWith(`${name}:`));
  query.delete(kind);
  for (const one of others) query.append(kind, one);
  if (choice !== null) query.append(kind, `${name}:${choice}`);
  const text = query.toString();
  go(`${location.pathname}${text === "" ? "" : `?${text}`}`, { replace: true });
}

/** A single value in the URL, like the current bet. */
export function setIn(name: string, value: string): void {
  const query = new URLSearchParams(location.search);
  query.set(name, value);
  go(`${location.pathname}?${query}`, { replace: true });
}
