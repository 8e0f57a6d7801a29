/** Rights at a table, as far as a page needs them to offer actions; the server decides. */

import type { BookPage } from "../api/types";
import { listed, named } from "../i18n";
import type { Staff } from "../live/view";
import { me, rolesAt, workingRoles } from "../shell/session";

function rank(book: BookPage, role: string): number {
  return book.roles[role]?.rank ?? -1;
}

/** Whether a role may do what the book assigns to the roles named: some books let senior roles act, others don't. */
export function mayAct(book: BookPage, role: string, who: readonly string[], orAbove = false): boolean {
  if (who.includes(role)) return true;
  const ranks = who.map(other => rank(book, other)).filter(one => one > 0);
  if (ranks.length === 0 || rank(book, role) <= Math.min(...ranks)) return false;
  const { acting } = book.ranks;
  return acting === "any higher position" || (acting === "or above where stated" && orAbove);
}

/** The role to act in: one that the book names, else one that may act, else the first one held. */
export function roleFor(table: string, book: BookPage, who: readonly string[]): string | undefined {
  const held = workingRoles(table);
  return held.find(role => who.includes(role)) ?? held.find(role => mayAct(book, role, who, true)) ?? held[0];
}

/** The role in which the signed-in person may do what the book assigns to others; null if there is none. */
export function actingRole(table: string, book: BookPage, who: readonly string[], orAbove: boolean): string | null {
  const held = rolesAt(table);
  return held.find(role => who.includes(role)) ?? held.find(role => mayAct(book, role, who, orAbove)) ?? null;
}

/** The roles above the dealers. */
export function supervisors(book: BookPage): string[] {
  const working = Object.keys(book.roles).filter(role => rank(book, role) > 0);
  const least = Math.min(...working.map(role => rank(book, role)));
  return working.filter(role => rank(book, role) > least);
}

/** The roles of those who deal. */
export function dealers(book: BookPage): string[] {
  const above = supervisors(book);
  return Object.keys(book.roles).filter(role => rank(book, role) > 0 && !above.includes(role));
}

/** Whether the signed-in person is senior to the dealers here. */
export function isSupervisor(table: string, book: BookPage): boolean {
  const above = supervisors(book);
  return workingRoles(table).some(role => above.includes(role));
}

/** Roles by their names in the book. */
export function roleNames(book: BookPage, roles: readonly string[]): string {
  return listed(roles.map(role => roleName(book, role)));
}

export function roleName(book: BookPage, role: string): string {
  const found = book.roles[role];
  return found === undefined ? role : named(found.name);
}

export type Person = Staff["crew"][number];

/** The people who could be present in one of these roles, or in any. */
export function others(staff: Staff, roles: readonly string[]): Person[] {
  const own = me.value?.name;
  return staff.crew.filter(one => one.name !== own && (roles.length === 0 || roles.includes(one.role)));
}

/** The roles, and all roles senior to them if the book lets those act. */
export function othersAbove(staff: Staff, book: BookPage, roles: readonly string[], above: boolean): Person[] {
  return others(staff, []).filter(one => mayAct(book, one.role, roles, above));
}
