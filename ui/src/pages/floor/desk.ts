/** What a table's desk looks at and acts by: each act in the role of theirs that may give it. */

import { useState } from "preact/hooks";
import { asProblem } from "../../api/problems";
import type { BookPage, Command } from "../../api/types";
import { toastDone, toastProblem } from "../../components/toasts";
import { ask } from "../../live/acting";
import type { LiveTable } from "../../live/table";
import type { Rules, Staff, View } from "../../live/view";
import { me, rolesAt } from "../../shell/session";
import { named, words } from "../../words";

export interface FloorDesk {
  live: LiveTable;
  view: View;
  rules: Rules;
  staff: Staff;
  book: BookPage;
  busy: boolean;
  /** Whether who is signed in may ever give such a command here. */
  may: (command: Command["type"]) => boolean;
  act: (command: Command, role?: string | null) => Promise<boolean>;
}

type Acting = Pick<FloorDesk, "busy" | "act">;

/** Acts on what the screen shows; a table that runs by itself moves on all the time, and is not asked for its step. */
export function useFloorActing(live: LiveTable): Acting {
  const [busy, setBusy] = useState(false);
  const seen = live.view.value;
  const staff = live.staff.value;
  const act = async (command: Command, role?: string | null): Promise<boolean> => {
    const acting = role ?? staff?.may[command.type];
    if (busy || seen === null) return false;
    setBusy(true);
    try {
      const done = await ask(live.id, command, {
        ...(acting === undefined ? {} : { role: acting }),
        ...(seen.automatic === undefined ? { seen } : {}),
      });
      if (done.approval) toastDone(words().floor.parked);
      return true;
    } catch (thrown) {
      toastProblem(asProblem(thrown));
      return false;
    } finally {
      live.refresh();
      setBusy(false);
    }
  };
  return { busy, act };
}

/** Whether the table stands between rounds, as far as can be seen; the server judges. */
export function isIdle({ view, staff }: Pick<FloorDesk, "view" | "staff">): boolean {
  if (staff.bets.some(bet => !bet.running)) return false;
  if (view.automatic !== undefined) return view.automatic.closed === null;
  return !view.procedure.some(step => step.done);
}

export function roleNames(book: BookPage, roles: readonly string[]): string {
  return roles.map(role => roleName(book, role)).join(", ");
}

export function roleName(book: BookPage, role: string): string {
  const found = book.roles[role];
  return found === undefined ? role : named(found.name);
}

export function thingName(book: BookPage, thing: string): string {
  const found = book.equipment[thing];
  return found === undefined ? thing : named(found.name);
}

/** The role of theirs in which who is signed in may do what the book gives to others; null where there is none. */
export function actingRole(
  { live, book }: Pick<FloorDesk, "live" | "book">,
  who: readonly string[],
  orAbove: boolean,
): string | null {
  const held = rolesAt(live.id);
  const direct = held.find(role => who.includes(role));
  if (direct !== undefined) return direct;
  const { acting } = book.ranks;
  if (acting !== "any higher position" && !(acting === "or above where stated" && orAbove)) return null;
  const least = Math.min(...who.map(role => book.roles[role]?.rank ?? 0));
  return held.find(role => (book.roles[role]?.rank ?? -1) > least) ?? null;
}

/** Whether who is signed in works here in a role of the book: the console is theirs. */
export function worksAt({ staff }: Pick<FloorDesk, "staff">): boolean {
  return staff.crew.some(one => one.name === me.value?.name);
}

/** A name of the crew as it is shown. */
export function shownName(staff: Staff, name: string): string {
  if (name === me.value?.name) return me.value.shown;
  return staff.crew.find(one => one.name === name)?.shown ?? name;
}

/** A sentence of a book begins with a capital where it stands alone. */
export function capital(says: string): string {
  return says.charAt(0).toUpperCase() + says.slice(1);
}
