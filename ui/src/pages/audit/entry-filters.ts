/** The filters of a record, all of them in the URL, so that a link can be shared. */

import { api, unwrap } from "../../api/client";
import { asProblem } from "../../api/problems";
import type { JournalEntry, JournalPage } from "../../api/types";
import { rememberNames } from "../../live/names";
import { address } from "../../shell/router";

export interface Filters {
  kind: string;
  person: string;
  round: string;
  text: string;
  /** Minutes in UTC, as the browser's field writes them: 2026-03-01T20:15. */
  from: string;
  to: string;
}

const NAMES = ["kind", "person", "round", "text", "from", "to"] as const;

export const NO_FILTERS: Filters = { kind: "", person: "", round: "", text: "", from: "", to: "" };

export function filtersOf(query: URLSearchParams): Filters {
  const filters = { ...NO_FILTERS };
  for (const name of NAMES) filters[name] = query.get(name) ?? "";
  return filters;
}

export function isFiltered(filters: Filters): boolean {
  return NAMES.some(name => filters[name] !== "");
}

/** The position of a page in the record: after an entry, before one, or at its newest end. */
export interface Cursor {
  after?: number;
  before?: number;
}

export function cursorOf(query: URLSearchParams): Cursor {
  const number = (name: string): number | null => {
    const given = query.get(name);
    return given !== null && /^\d+$/.test(given) ? Number(given) : null;
  };
  const [after, before] = [number("after"), number("before")];
  if (after !== null) return { after };
  return before === null ? {} : { before };
}

export function journalAddress(table: string, filters: Partial<Filters>, cursor: Cursor = {}, live = false): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value.trim() !== "") query.set(name, value.trim());
  for (const [name, value] of Object.entries(cursor)) query.set(name, String(value));
  if (live) query.set("live", "1");
  const text = query.toString();
  return address`/audit/journal/${table}` + (text === "" ? "" : `?${text}`);
}

/** Beyond any possible entry. */
const NEWEST = 2 ** 53;
export const LIMIT = 50;
/** A page searches the record in parts; after this many parts the reader is asked whether to continue. */
const PARTS = 6;
const BUSY_TRIES = 8;
const RETRY_DELAY = 400;

function queryOf(filters: Filters) {
  const time = (minute: string): string => (minute.length === 16 ? `${minute}:00Z` : `${minute}Z`);
  return {
    limit: LIMIT,
    ...(filters.kind ? { kind: filters.kind } : {}),
    ...(filters.person ? { person: filters.person } : {}),
    ...(filters.round ? { round: Number(filters.round) } : {}),
    ...(filters.text ? { text: filters.text } : {}),
    ...(filters.from ? { from: time(filters.from) } : {}),
    ...(filters.to ? { to: time(filters.to) } : {}),
  };
}

/** Requests one part; far into a record, the server continues where it stopped when it is asked again. */
export async function readPart(table: string, filters: Filters, cursor: Cursor): Promise<JournalPage> {
  const query = { ...queryOf(filters), ...cursor };
  for (let left = BUSY_TRIES; ; left -= 1) {
    try {
      return rememberNames(await unwrap(api.GET("/api/v1/journal/{table}", { params: { path: { table }, query } })));
    } catch (thrown) {
      const problem = asProblem(thrown);
      if (problem.kind !== "busy" || left <= 1) throw problem;
      await new Promise(resolve => setTimeout(resolve, RETRY_DELAY));
    }
  }
}

/** Returns a page: continues through parts without matches, and keeps both ends. */
export async function readPage(table: string, filters: Filters, cursor: Cursor): Promise<JournalPage> {
  const forwards = cursor.after !== undefined || filters.round !== "";
  const first = await readPart(table, filters, forwards || cursor.before !== undefined ? cursor : { before: NEWEST });
  let page = first;
  for (let left = PARTS; page.entries.length === 0 && page.broken === null && left > 1; left -= 1) {
    const on: Cursor | null = forwards
      ? page.next !== null
        ? { after: page.next }
        : null
      : page.previous !== null
        ? { before: page.previous }
        : null;
    if (on === null) break;
    page = await readPart(table, filters, on);
  }
  return forwards ? { ...page, previous: first.previous } : { ...page, next: first.next };
}

/** Newest first. */
export function newestFirst(entries: readonly JournalEntry[]): JournalEntry[] {
  return [...entries].reverse();
}
