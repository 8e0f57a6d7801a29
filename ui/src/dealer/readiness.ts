/** What the book asks for before a round begins, point by point: what the server looks at when one does. */

import type { BookPage } from "../api/types";
import { serverNow } from "../live/clock";
import type { Staff, View } from "../live/view";
import { named, words } from "../words";
import { inspectionInChinese } from "../words/server";
import { dealers, supervisors } from "./roles";

export interface Point {
  id: string;
  says: string;
  clause: readonly string[];
  met: boolean;
  /** The roles that see to it. */
  who: readonly string[];
}

interface Standing {
  staff: Staff;
  book: BookPage;
  view: View;
}

export function pointsOf({ staff, book, view }: Standing): Point[] {
  const say = words().floor.checks;
  const { equipment } = staff;
  const shaken = book.identity.game === "sic-bo";
  const above = supervisors(book);
  const points: Point[] = [{ id: "crew", says: say.crew, clause: [], met: staff.crew.length > 0, who: [] }];
  if (shaken) {
    const fresh = equipment.dice_until === null || Date.parse(equipment.dice_until) > serverNow();
    const clause = book.equipment.dice?.clause ?? [];
    points.push({ id: "dice", says: say.dice, clause, met: equipment.dice !== null && fresh, who: above });
  }
  for (const { id, how, says, clause, due, who } of equipment.to_inspect) {
    const told = inspectionInChinese(how) ?? says.charAt(0).toUpperCase() + says.slice(1);
    points.push({ id, says: told, clause, met: !due, who });
  }
  for (const { id, clause, due } of equipment.to_check) {
    const thing = book.equipment[id];
    points.push({ id, says: say.checked(thing === undefined ? id : named(thing.name)), clause, met: !due, who: above });
  }
  if (view.power_failed) points.push({ id: "power", says: say.power, clause: [], met: false, who: [] });
  for (const [id, ceased] of Object.entries(equipment.failed)) {
    const thing = book.equipment[id];
    const says = say.repaired(thing === undefined ? id : named(thing.name));
    if (ceased || stops(id)) points.push({ id: `failed ${id}`, says, clause: [], met: false, who: above });
  }
  if (shaken) points.push({ id: "dealer", says: say.dealer, clause: [], met: staff.dealer !== null, who: dealers(book) });
  return points;

  /** Whether nothing is thrown without it: a display that has failed stops nobody. */
  function stops(id: string): boolean {
    const thing = book.equipment[id];
    return shaken && (thing?.kind === "dice" || (thing?.kind === "shaker" && thing.shaker === equipment.shaker));
  }
}
