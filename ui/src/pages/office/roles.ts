/** Names of roles, and the role in which the signed-in person acts. */

import { api, unwrap } from "../../api/client";
import type { components } from "../../api/schema";
import type { BookPage } from "../../api/types";
import { useRequest } from "../../api/use-request";
import { named, words } from "../../i18n";
import { officeWords } from "../../i18n/words/office";
import { rolesAt } from "../../shell/session";

export type RoleInfo = components["schemas"]["RoleInfo"];

/** The needs of an approval that any member of staff can give. */
const ANY_STAFF = "staff";
const IDLE = new Set(["player", "shooter", "auditor"]);

/** The roles that can be assigned; empty until they are loaded. */
export function useRoles(): readonly RoleInfo[] {
  const { response } = useRequest(() => unwrap(api.GET("/api/v1/roles")), []);
  return response.state === "loaded" ? response.data : [];
}

/** The display name of a role. */
export function roleName(role: string, roles: readonly RoleInfo[]): string {
  if (role === ANY_STAFF) return officeWords().anyStaff;
  const own = words().roleNames[role];
  if (own !== undefined) return own;
  const name = roles.find(one => one.role === role)?.name;
  const en = name?.en ?? role;
  const zh = name?.zh ?? en;
  return named({ en, zh, zh_hans: name?.zh_hans ?? zh });
}

/** The role to act in at a table: manager if that suffices, else the most senior that the person holds. */
export function actingRole(table: string, book: BookPage | null, options: { manager: boolean }): string | undefined {
  const held = rolesAt(table).filter(role => !IDLE.has(role));
  if (options.manager && held.includes("manager")) return "manager";
  const rank = (role: string): number => book?.roles[role]?.rank ?? -1;
  return held.filter(role => role !== "manager").sort((a, b) => rank(b) - rank(a))[0];
}

/** Whether they may do what supervisors do: managers, and roles above the dealers of this book. */
export function supervises(table: string, book: BookPage | null): boolean {
  const role = actingRole(table, book, { manager: true });
  if (role === undefined || book === null) return false;
  if (role === "manager") return true;
  const least = Math.min(...Object.values(book.roles).flatMap(one => (one.rank > 0 ? [one.rank] : [])));
  return (book.roles[role]?.rank ?? 0) > least;
}
