/** The signed-in person and their rights. */

import { computed, signal } from "@preact/signals";
import { api, locked, setCsrfToken, unwrap } from "../api/client";
import { asProblem } from "../api/problems";
import type { HeldLimits, Me } from "../api/types";
import { hasChosen, languageOf, setLanguage } from "../i18n";
import { readStored, store } from "./storage";

/** undefined: not known yet; null: nobody. */
export const me = signal<Me | null | undefined>(undefined);

export const signedIn = computed(() => me.value ?? null);

/** Whether this page was opened before the second factor was confirmed: it has no personal data yet. */
export const openedUnconfirmed = signal(false);

/** Asks the server who is signed in; without a response the page continues signed out. */
export async function loadSession(): Promise<void> {
  try {
    const who = await unwrap(api.GET("/api/v1/me"));
    openedUnconfirmed.value = who.second_factor != null;
    setSession(who);
  } catch (thrown) {
    const problem = asProblem(thrown);
    if (problem.kind === "offline" && me.value) return;
    setSession(null);
  }
}

/** Handles a sign-in or sign-out. */
export function setSession(who: Me | null): void {
  setCsrfToken(who?.csrf ?? null);
  locked.value = who?.lock?.locked ?? false;
  me.value = who;
  const own = languageOf(who?.language);
  if (own !== null && !hasChosen()) void setLanguage(own);
}

/** Other limits apply to signed-in people. */
export function setLimits(limits: HeldLimits): void {
  if (me.value) me.value = { ...me.value, limits };
}

export async function signOut(): Promise<void> {
  await unwrap(api.POST("/api/v1/sign-out"));
  setSession(null);
}

/** The roles of the signed-in person, at a table or in the whole house. */
export function rolesAt(table: string | null): string[] {
  const found = (me.value?.roles ?? []).filter(one => one.table === null || one.table === table);
  return [...new Set(found.map(one => one.role))];
}

export function isManager(): boolean {
  return rolesAt(null).includes("manager");
}

const NOT_WORKING = ["player", "shooter", "auditor"];

/** Whether they work at any table: dealing, supervising, managing. */
export const worksHere = computed(() => (me.value?.roles ?? []).some(one => !NOT_WORKING.includes(one.role)));

/** The roles in which the signed-in person works at the table. */
export function workingRoles(table: string): string[] {
  return rolesAt(table).filter(role => role !== "manager" && !NOT_WORKING.includes(role));
}

export const oversees = computed(() => (me.value?.roles ?? []).some(one => ["auditor", "manager"].includes(one.role)));

const TERMINAL = "terminal";

/** The table whose console was opened last in this browser; null before the first. */
export const terminal = signal(readStored(TERMINAL));

export function setTerminal(table: string): void {
  terminal.value = table;
  store(TERMINAL, table);
}

/** The start page of the signed-in person: the record, the floor, a console, or the lobby for players. */
export async function workplace(): Promise<string> {
  if ((me.value?.roles ?? []).some(one => one.role === "auditor")) return "/audit";
  if (!worksHere.value) return "/";
  if (isManager()) return "/floor";
  const { tables } = await unwrap(api.GET("/api/v1/floor"));
  if (tables.some(one => one.supervised)) return "/floor";
  const dealt = tables.filter(one => one.open && !one.automatic);
  const displayName = me.value?.shown;
  const desk =
    dealt.find(one => one.id === terminal.value) ?? dealt.find(one => one.dealer === displayName) ?? dealt[0];
  return desk === undefined ? "/floor" : `/tables/${encodeURIComponent(desk.id)}/dealer`;
}
