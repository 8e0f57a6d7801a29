/** Data for staff at a table, and names of things there. */

import type { BookPage, Label } from "../api/types";
import { named, untranslated } from "../i18n";
import type { LiveTable } from "../live/table";
import type { Rules, Staff, View } from "../live/view";
import { me } from "../shell/session";

export interface AtTable {
  live: LiveTable;
  view: View;
  rules: Rules;
  staff: Staff;
  book: BookPage;
}

/** Whether the table is between rounds, as far as can be seen: nothing done, nothing bet. */
export function isIdle({ view, staff }: Pick<AtTable, "view" | "staff">): boolean {
  if (staff.bets.some(bet => !bet.running)) return false;
  if (view.automatic !== undefined) return view.automatic.closed === null;
  return !view.procedure.some(step => step.done);
}

/** Whether the signed-in person works here in a role of the book, and so may use the console. */
export function worksAt({ staff }: Pick<AtTable, "staff">): boolean {
  return staff.crew.some(one => one.name === me.value?.name);
}

/** Whether the equipment of an irregularity has already failed: then it is not called again. */
export function hasFailed({ book, staff }: Pick<AtTable, "book" | "staff">, irregularity: string): boolean {
  const thing = book.irregularities[irregularity]?.equipment ?? null;
  return thing !== null && staff.equipment.failed[thing] !== undefined;
}

/** Whether failed equipment can be repaired; damaged dice are replaced. */
export function repairable(book: BookPage, thing: string): boolean {
  return book.equipment[thing]?.kind !== "dice";
}

/** The book's text for a step. */
export function stepText(book: BookPage, id: string, otherwise: string): Label {
  return book.procedure.round.find(step => step.id === id)?.says ?? untranslated(otherwise);
}

/** An item of equipment at the table. */
export function thingName(book: BookPage, thing: string): string {
  const found = book.equipment[thing];
  return found === undefined ? thing : named(found.name);
}
