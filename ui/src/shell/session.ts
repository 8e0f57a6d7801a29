/** Who is signed in, and what they may do. */

import { computed, signal } from "@preact/signals";
import { api, carry, locked, told } from "../api/client";
import { asProblem } from "../api/problems";
import type { HeldLimits, Me } from "../api/types";
import { hasChosen, languageOf, speak } from "../i18n";

/** undefined: not known yet; null: nobody. */
export const me = signal<Me | null | undefined>(undefined);

export const signedIn = computed(() => me.value ?? null);

/** Whether this page was opened by somebody who had not confirmed with their second factor: what it shows is nobody's. */
export const openedUnconfirmed = signal(false);

/** Asks the server who this is; without an answer the page goes on as nobody's. */
export async function recognise(): Promise<void> {
  try {
    const who = await told(api.GET("/api/v1/me"));
    openedUnconfirmed.value = who.second_factor != null;
    enter(who);
  } catch (thrown) {
    const problem = asProblem(thrown);
    if (problem.kind === "offline" && me.value) return;
    enter(null);
  }
}

/** Somebody has come in, or gone. */
export function enter(who: Me | null): void {
  carry(who?.csrf ?? null);
  locked.value = who?.lock?.locked ?? false;
  me.value = who;
  const own = languageOf(who?.language);
  if (own !== null && !hasChosen()) void speak(own);
}

/** Other limits apply to signed-in people. */
export function hold(limits: HeldLimits): void {
  if (me.value) me.value = { ...me.value, limits };
}

export async function signOut(): Promise<void> {
  await told(api.POST("/api/v1/sign-out"));
  enter(null);
}

/** The roles of who is signed in, at a table or in the whole house. */
export function rolesAt(table: string | null): string[] {
  const found = (me.value?.roles ?? []).filter(one => one.table === null || one.table === table);
  return [...new Set(found.map(one => one.role))];
}

export function isManager(): boolean {
  return rolesAt(null).includes("manager");
}

/** Whether they work at some table: dealing, supervising, managing. */
export const worksHere = computed(() =>
  (me.value?.roles ?? []).some(one => !["player", "shooter", "auditor"].includes(one.role)),
);

/** Where whoever is signed in works: at the record, at a console, on the floor; a player's is the lobby. */
export function workplace(): string {
  const roles = me.value?.roles ?? [];
  if (roles.some(one => one.role === "auditor")) return "/audit";
  if (!worksHere.value) return "/";
  const tables = [...new Set(roles.map(one => one.table))];
  const [only] = tables;
  return tables.length === 1 && only != null ? `/tables/${encodeURIComponent(only)}/dealer` : "/floor";
}

export const oversees = computed(() => (me.value?.roles ?? []).some(one => ["auditor", "manager"].includes(one.role)));
