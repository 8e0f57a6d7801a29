/** The shakers of a book, and how one replaces another. */

import type { AtTable } from "./at-table";

export type Shaker = "manual" | "automated";
type Way = AtTable["staff"]["put_away"][number];

export interface Exchange {
  /** Whether the book has any shaker. */
  known: boolean;
  /** The one that could be used instead; null if there is none. */
  other: Shaker | null;
  /** How the automated one may be put away, if that comes first; otherwise nothing. */
  ways: readonly Way[];
  /** The number or tag of the table's own shaker; empty if none was given. */
  tag: string;
  /** The state of the table's own shaker, if it was put away and has to be brought back; otherwise null. */
  away: string | null;
}

export function exchangeOf({ book, staff }: Pick<AtTable, "book" | "staff">): Exchange {
  const { equipment, put_away } = staff;
  const shakers = Object.values(book.equipment).flatMap(thing => (thing.shaker ? [thing.shaker as Shaker] : []));
  const other = shakers.find(one => one !== equipment.shaker) ?? null;
  const first = shakers.includes("manual") && !equipment.automated_away;
  const own = equipment.shakers.find(one => one.shaker === equipment.shaker);
  const away = own === undefined || own.state === "in use" || own.state === "under repair" ? null : own.state;
  return { known: shakers.length > 0, other, ways: first ? put_away : [], tag: own?.name ?? "", away };
}
