/** What the server says in English, in Chinese: loaded only for who reads Chinese. Books are in sentences.ts. */

import type { components } from "../api/schema";
import { onlyInChinese } from "./chinese";

type Schemas = components["schemas"];

export interface ServerWords {
  /** Roles by their ids, where no book is at hand that names them. */
  roles: Record<string, string>;
  /** Who acts and is no person, by the names that nobody else may have. */
  own: Record<string, string>;
  /** The acts of which procedures are made. */
  acts: Record<string, string>;
  /** What is done about an irregularity. */
  remedies: Record<string, string>;
  /** How equipment is tested. */
  inspections: Record<string, string>;
  /** What a mathematician would question in a book, by the kind of finding. */
  findings: Record<string, string>;
  /** What an audit finds wrong, by what it is about. */
  wrong: Record<string, string>;
  /** Alarms by their kinds, with places for what they are about. */
  alarms: Record<string, string>;
  /** What is followed of a table. */
  watched: Record<string, string>;
  /** What is wrong with a scenario, by its kind. */
  flaws: Record<string, string>;
  /** The steps of a draw's check by what was seen, with places for it. */
  proofs: Record<string, string>;
  /** What an automatic table does in the place of people and things, by the server's own sentences. */
  electronic: Record<string, string>;
}

const chinese = onlyInChinese(() => import("./server-zh").then(found => found.serverZh));

function find(part: keyof ServerWords, name: string): string | null {
  return chinese()?.[part][name] ?? null;
}

/** The same, with values in the places that stand for them. */
function filled(part: keyof ServerWords, name: string, values: Readonly<Record<string, unknown>>): string | null {
  return find(part, name)?.replace(/\{(\w+)\}/g, (_, place: string) => String(values[place] ?? "—")) ?? null;
}

/** A finding about a book's pays; null where the server's own sentence is to be shown. */
export function findingInChinese(rule: string): string | null {
  return find("findings", rule);
}

/** What an audit finds wrong; null where the auditor's own sentence is to be shown. */
export function wrongInChinese(about: string): string | null {
  return find("wrong", about);
}

/** An alarm; null where the server's own sentence is to be shown. */
export function alarmInChinese(alarm: Schemas["AlarmInfo"]): string | null {
  const { kind, throw: thrown, round, part } = alarm;
  return filled("alarms", kind, { set: alarm.set || null, throw: thrown, round, part: find("watched", part ?? "") });
}

/** A step of a draw's check; null where the server's own sentence is to be shown. */
export function proofInChinese({ kind, values }: Schemas["ProofStep"]): string | null {
  return kind == null ? null : filled("proofs", kind, values ?? {});
}

/** What is wrong with a scenario; null where the server's own sentence is to be shown. */
export function flawInChinese(kind: string): string | null {
  return find("flaws", kind);
}

/** What takes the place of people and things; null where the server's own sentence is to be shown. */
export function insteadInChinese(sentence: string): string | null {
  return find("electronic", sentence);
}

/** A step of a procedure; null where the book's own words are to be shown. */
export function actInChinese(act: string): string | null {
  return find("acts", act);
}

/** A role where no book is at hand that names it. */
export function roleWords(role: string): string {
  return find("roles", role) ?? role.replaceAll("-", " ");
}

/** Who acts and is no person; null for people. */
export function ownInChinese(name: string): string | null {
  return find("own", name);
}

/** A test of equipment; null where the book's own words are to be shown. */
export function inspectionInChinese(how: string): string | null {
  return find("inspections", how);
}

/** A remedy in the language of the page. */
export function remedyWords(remedy: string): string {
  return find("remedies", remedy) ?? remedy;
}
