/** The commands of the dealer's console: each in the right role, for the step that the screen shows. */

import { useState } from "preact/hooks";
import { asProblem, type Problem } from "../api/problems";
import type { BookPage, Command, Done } from "../api/types";
import { announce } from "../components/announcements";
import { toastDone, toastProblem } from "../components/toasts";
import { locale } from "../i18n";
import { consoleWords } from "../i18n/words/console";
import { type CommandOptions, sendCommand } from "../live/commands";
import type { LiveTable } from "../live/table";
import type { Step, View } from "../live/view";
import { amountText } from "../money/amounts";
import type { AtTable } from "../staff/at-table";
import { roleFor } from "../staff/roles";

/** Shared state of the parts of the console. */
export interface Desk extends AtTable {
  busy: boolean;
  /** Why the last command was refused as stale: the table had moved on. */
  stale: boolean;
  /** Why the last command was refused, for the dialog that sent it. */
  refused: Problem | null;
  /** Clears it when another dialog opens. */
  forgive: () => void;
  /** The result; null if the command failed. */
  act: (
    command: Command,
    who?: readonly string[],
    confirmations?: CommandOptions["confirmations"],
  ) => Promise<Done | null>;
  /** Keeps the console busy until the work is done: nothing else can be taken meanwhile. */
  busyWhile: (work: Promise<void>) => Promise<void>;
}

/** The due step, from the public view: data for staff arrives a moment later. */
export function dueStep(view: View): Step | null {
  return view.procedure.find(step => step.id === view.due) ?? null;
}

/** A booked bet is confirmed by a separate command; all other steps are taken. */
export function commandOf(step: Step, more: Partial<Extract<Command, { type: "TakeStep" }>> = {}): Command {
  if (step.act === "confirm bet") return { type: "ConfirmBets" };
  return { type: "TakeStep", step: step.id, ...more };
}

/** Entries that leave the step as it is: the next bet is booked at once. */
const PLACES = new Set(["BetPlaced", "BetsPlaced"]);

type Acting = Pick<Desk, "busy" | "stale" | "refused" | "forgive" | "act" | "busyWhile">;

export function useActing(live: LiveTable, book: BookPage | null): Acting {
  const t = consoleWords().dealer;
  const seen = live.view.value; // as currently rendered: what the person sees when they press
  const [stale, setStale] = useState(false);
  const [refused, setRefused] = useState<Problem | null>(null);
  // The step for which a command is in flight; the next key counts once the table shows the next step.
  const [requestedStep, setRequestedStep] = useState<string | null>(null);
  const here = seen === null ? "" : `${seen.round} ${seen.step}`;
  const [working, setWorking] = useState(0);
  const busy = working > 0 || requestedStep === here;
  const act: Desk["act"] = async (command, who = [], confirmations = []) => {
    if (seen === null || book === null || busy) return null;
    const role = roleFor(live.id, book, who);
    setRequestedStep(here);
    setStale(false);
    setRefused(null);
    try {
      const done = await sendCommand(live.id, command, {
        seen,
        confirmations,
        ...(role === undefined ? {} : { role }),
      });
      if (done.approval) toastDone(t.approvalSent);
      // The caller continues when the effect is shown: what is typed before would be meant for a step that is gone.
      if (done.events.some(kind => !PLACES.has(kind))) await live.showing(done.sequence);
      live.refresh();
      return done;
    } catch (thrown) {
      tell(asProblem(thrown));
      live.refresh();
      return null;
    } finally {
      setRequestedStep(before => (before === here ? null : before));
    }
  };
  const busyWhile: Desk["busyWhile"] = async work => {
    setWorking(count => count + 1);
    await work.finally(() => setWorking(count => count - 1));
  };
  const tell = (problem: Problem): void => {
    if (problem.kind === "stale-step") {
      setStale(true);
      announce(t.stale, { urgent: true });
    } else if (document.querySelector("dialog[open]") === null) toastProblem(problem);
    else setRefused(problem); // a toast beside the dialog could not be seen
  };
  return { busy, stale, refused, forgive: () => setRefused(null), act, busyWhile };
}

/** An amount of the table's money. */
export function money(desk: Pick<Desk, "rules">, minor: number): string {
  return amountText(minor, desk.rules.money, locale.value);
}

/** Everyone at the table whom the page knows. */
export function playersKnown(desk: Pick<Desk, "staff" | "live">): string[] {
  const recorded = desk.live.entries.value.flatMap(entry => {
    const player = entry.event?.player;
    return typeof player === "string" ? [player] : [];
  });
  return [...new Set([...desk.staff.players.map(one => one.name), ...recorded])].sort();
}

/** Whether the book's rounds have such a step. */
export function hasAct(book: BookPage, act: string): boolean {
  return book.procedure.round.some(step => step.act === act);
}
