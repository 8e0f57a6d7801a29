/** What the book asks for before a round begins, point by point: what the server looks at when one does. */

import { capital } from "../components/says";
import { serverNow } from "../live/clock";
import { words } from "../words";
import { inChinese } from "../words/sentences";
import { inspectionInChinese } from "../words/server";
import { type AtTable, thingName } from "./at-table";
import { dealers, supervisors } from "./roles";

export interface Point {
  id: string;
  says: string;
  clause: readonly string[];
  met: boolean;
  /** The roles that see to it. */
  who: readonly string[];
}

export function pointsOf({ staff, book, view }: Pick<AtTable, "staff" | "book" | "view">): Point[] {
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
    const told = inChinese(says) ?? inspectionInChinese(how) ?? capital(says);
    points.push({ id, says: told, clause, met: !due, who });
  }
  for (const { id, clause, due } of equipment.to_check) {
    points.push({ id, says: say.checked(thingName(book, id)), clause, met: !due, who: above });
  }
  if (view.power_failed) points.push({ id: "power", says: say.power, clause: [], met: false, who: [] });
  for (const [id, ceased] of Object.entries(equipment.failed)) {
    const says = say.repaired(thingName(book, id));
    if (ceased || stops(id)) points.push({ id: `failed ${id}`, says, clause: [], met: false, who: above });
  }
  if (shaken) {
    points.push({ id: "dealer", says: say.dealer, clause: [], met: staff.dealer !== null, who: dealers(book) });
  }
  return points;

  /** Whether nothing is thrown without it: a display that has failed stops nobody. */
  function stops(id: string): boolean {
    const thing = book.equipment[id];
    return shaken && (thing?.kind === "dice" || (thing?.kind === "shaker" && thing.shaker === equipment.shaker));
  }
}
