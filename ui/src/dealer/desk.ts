/** What a dealer's console acts by: each act in the right role, for the step that the screen shows. */

import { useState } from "preact/hooks";
import { asProblem } from "../api/problems";
import type { BookPage, Command } from "../api/types";
import { announce } from "../components/announcements";
import { toastDone, toastProblem } from "../components/toasts";
import { ask } from "../live/acting";
import type { LiveTable } from "../live/table";
import type { Rules, Staff, Step, View } from "../live/view";
import { me, rolesAt } from "../shell/session";
import { named, words } from "../words";

/** Everything that the parts of the console look at. */
export interface Desk {
  live: LiveTable;
  view: View;
  rules: Rules;
  staff: Staff;
  book: BookPage;
  busy: boolean;
  /** Why the last act did not count: the table had moved on. */
  stale: boolean;
  act: (command: Command, who?: readonly string[]) => Promise<boolean>;
}

const NOT_WORKING = new Set(["player", "shooter", "auditor", "manager"]);

/** The roles in which whoever is signed in works at the table. */
export function workingRoles(table: string): string[] {
  return rolesAt(table).filter(role => !NOT_WORKING.has(role));
}

/** The role to act in: one that the book names for it, else the first held. */
function roleFor(table: string, who: readonly string[]): string | undefined {
  const held = workingRoles(table);
  return held.find(role => who.includes(role)) ?? held[0];
}

/** The step that is due, by what the table shows: what only staff are told comes a moment later. */
export function dueStep(view: View): Step | null {
  return view.procedure.find(step => step.id === view.due) ?? null;
}

export function useActing(live: LiveTable): Pick<Desk, "busy" | "stale" | "act"> {
  const seen = live.view.value; // as it is drawn now: what the person looks at when they press
  const [stale, setStale] = useState(false);
  // The step that something was asked for: once the table shows the next one, the next key counts.
  const [asked, setAsked] = useState<string | null>(null);
  const here = seen === null ? "" : `${seen.round} ${seen.step}`;
  const busy = asked === here;
  const act = async (command: Command, who: readonly string[] = []): Promise<boolean> => {
    const role = roleFor(live.id, who);
    if (seen === null || busy) return false;
    setAsked(here);
    setStale(false);
    try {
      const done = await ask(live.id, command, { seen, ...(role === undefined ? {} : { role }) });
      if (done.approval) toastDone(words().dealer.approvalSent);
      return true;
    } catch (thrown) {
      const problem = asProblem(thrown);
      if (problem.kind === "stale-step") {
        setStale(true);
        announce(words().dealer.stale, { urgent: true });
      } else toastProblem(problem);
      live.refresh();
      return false;
    } finally {
      setAsked(before => (before === here ? null : before));
    }
  };
  return { busy, stale, act };
}

/** Roles by their names in the book. */
export function roleNames(book: BookPage, roles: readonly string[]): string {
  return roles.map(role => roleName(book, role)).join(", ");
}

export function roleName(book: BookPage, role: string): string {
  const found = book.roles[role];
  return found === undefined ? role : named(found.name);
}

/** The people who could stand beside the dealer in one of these roles, or in any. */
export function others(staff: Staff, roles: readonly string[]): Staff["crew"] {
  const own = me.value?.name;
  return staff.crew.filter(one => one.name !== own && (roles.length === 0 || roles.includes(one.role)));
}

/** The same with everybody above them. */
export function othersAbove(staff: Staff, book: BookPage, roles: readonly string[], above: boolean): Staff["crew"] {
  if (!above) return others(staff, roles);
  const least = Math.min(...roles.map(role => book.roles[role]?.rank ?? 0));
  return others(staff, []).filter(one => (book.roles[one.role]?.rank ?? -1) >= least);
}

/** An area's name. */
export function areaName(book: BookPage, wager: string): string {
  const found = book.wagers.find(one => one.wager === wager);
  return found === undefined ? wager : named(found.name);
}

/** Everybody at the table whom the page has heard of. */
export function playersKnown(desk: Pick<Desk, "staff" | "live">): string[] {
  const told = desk.live.entries.value.flatMap(entry => {
    const player = entry.event?.player;
    return typeof player === "string" ? [player] : [];
  });
  const laid = desk.staff.bets.map(bet => bet.player);
  const shooter = desk.staff.shooter === null ? [] : [desk.staff.shooter];
  return [...new Set([...laid, ...shooter, ...told])].sort();
}
