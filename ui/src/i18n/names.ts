/** Names of the house's own concepts by id: roles, steps, remedies and parts of the house that act. */

import { inChinese } from "./language";
import { namesWords } from "./words/names";

/** A role, if no book that names it is at hand. */
export function roleName(role: string): string {
  return namesWords().role[role] ?? role.replaceAll("-", " ");
}

/** A part of the house that acts, like the server; null for people. */
export function actorName(name: string): string | null {
  return namesWords().actor[name] ?? null;
}

/** A remedy of an irregularity. */
export function remedyName(remedy: string): string {
  return namesWords().remedy[remedy] ?? remedy;
}

/** A step of a procedure in Chinese, if a book has no translation; null if the book's own words are shown. */
export function actInChinese(act: string): string | null {
  return inChinese.value ? (namesWords().act[act] ?? null) : null;
}

/** A test of equipment in Chinese, if a book has no translation; null if the book's own words are shown. */
export function inspectionInChinese(how: string): string | null {
  return inChinese.value ? (namesWords().inspection[how] ?? null) : null;
}
