/** The book's requirements before a round begins, point by point, as the server checks them. */

import { capital } from "../components/book-sentence";
import { bracketed, translationOf } from "../i18n";
import { inspectionInChinese } from "../i18n/names";
import { floorWords } from "../i18n/words/floor";
import { serverNow } from "../live/clock";
import { type AtTable, thingName } from "./at-table";
import { dealers, supervisors } from "./roles";

export interface Point {
  id: string;
  says: string;
  clause: readonly string[];
  met: boolean;
  /** The roles responsible for it. */
  who: readonly string[];
}

export function pointsOf({ staff, book, view }: Pick<AtTable, "staff" | "book" | "view">): Point[] {
  const t = floorWords().checks;
  const { equipment } = staff;
  const shaken = book.identity.game === "sic-bo";
  const above = supervisors(book);
  const points: Point[] = [{ id: "crew", says: t.crew, clause: [], met: staff.crew.length > 0, who: [] }];
  const dealer: Point = { id: "dealer", says: t.dealer, clause: [], met: staff.dealer !== null, who: dealers(book) };
  // A manual shaker with a keeper is filled only once a dealer is at the table.
  const hasKeeper =
    equipment.shaker === "manual" &&
    Object.values(book.equipment).some(thing => thing.shaker === "manual" && thing.keeper.length > 0);
  if (shaken && hasKeeper) points.push(dealer);
  if (shaken) {
    const fresh = equipment.dice_until === null || Date.parse(equipment.dice_until) > serverNow();
    const clause = book.equipment.dice?.clause ?? [];
    points.push({ id: "dice", says: t.dice, clause, met: equipment.dice !== null && fresh, who: above });
  }
  if (staff.shift_over) {
    points.push({ id: "shift", says: t.shift, clause: [], met: false, who: above });
  }
  for (const { id, how, says, clause, due, who, result } of equipment.to_inspect) {
    const text = translationOf(says) ?? inspectionInChinese(how) ?? capital(says.en);
    const failed = result === "failed" ? bracketed(floorWords().results.failed ?? result) : "";
    points.push({ id, says: text + failed, clause, met: !due, who });
  }
  for (const { id, clause, due, result, points: parts } of equipment.to_check) {
    const failed = parts.find(part => part.result === "failed");
    const text = result === "failed" ? t.failed(thingName(book, id)) : t.checked(thingName(book, id));
    points.push({ id, says: text, clause: failed?.clause ?? clause, met: !due, who: above });
  }
  if (view.power_failed) points.push({ id: "power", says: t.power, clause: [], met: false, who: [] });
  for (const [id, ceased] of Object.entries(equipment.failed)) {
    const says = t.repaired(thingName(book, id));
    if (ceased || stops(id)) points.push({ id: `failed ${id}`, says, clause: [], met: false, who: above });
  }
  if (shaken && !hasKeeper) points.push(dealer);
  return points;

  /** Whether no throw is possible without it: a failed display stops nothing. */
  function stops(id: string): boolean {
    const thing = book.equipment[id];
    return shaken && (thing?.kind === "dice" || (thing?.kind === "shaker" && thing.shaker === equipment.shaker));
  }
}
