/** The typed API client. `unwrap(api.GET("/api/v1/tables"))` returns the data or throws a Problem. */

import { signal } from "@preact/signals";
import createClient, { type Middleware } from "openapi-fetch";
import { noteServerTime } from "../live/clock";
import { asProblem, Problem, problemOf } from "./problems";
import type { paths } from "./schema";

let csrf: string | null = null;
let session = 0;

/** Whether the server has ended the session of this page. */
export const sessionEnded = signal(false);

/** Whether the server has locked the screen of this page's session. */
export const locked = signal(false);

/** The session's CSRF token, which every request that changes something must carry. */
export function setCsrfToken(token: string | null): void {
  csrf = token;
  session += 1;
  sessionEnded.value = false;
}

/** Returns the number of the page's current session; pass it to `sessionUnknown` when the response arrives. */
export function currentSession(): number {
  return session;
}

/** Marks the session as ended, unless the request was sent in an earlier one: its response says nothing about this one. */
export function sessionUnknown(sentIn: number): void {
  if (sentIn === session) sessionEnded.value = true;
}

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/** The session in which each request was sent. */
const sessionOf = new WeakMap<Request, number>();

const headers: Middleware = {
  onRequest({ request }) {
    sessionOf.set(request, session);
    request.headers.set("Accept-Language", document.documentElement.lang);
    if (csrf !== null && !SAFE.has(request.method)) request.headers.set("X-CSRF-Token", csrf);
    return request;
  },
  onResponse({ request, response }) {
    noteServerTime(response.headers.get("date"));
    if (response.status === 401 && csrf !== null) sessionUnknown(sessionOf.get(request) ?? session);
    if (response.status === 423) locked.value = true;
    return response;
  },
};

export const api = createClient<paths>({ credentials: "same-origin" });
api.use(headers);

/** A response as the client returns it. */
interface FetchResult<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** Returns the response's data, or throws a Problem. */
export async function unwrap<Data>(pending: Promise<FetchResult<Data>>): Promise<NonNullable<Data>> {
  let result: FetchResult<Data>;
  try {
    result = await pending;
  } catch (thrown) {
    throw asProblem(thrown);
  }
  if (!result.response.ok) throw problemOf(result.error, result.response.status);
  if (result.data === undefined && result.response.status !== 204) {
    throw new Problem({ kind: "unreadable", status: result.response.status });
  }
  return result.data as NonNullable<Data>;
}

/** Returns an idempotency key: a command is executed once, however often it is sent. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, "0")).join("");
}
