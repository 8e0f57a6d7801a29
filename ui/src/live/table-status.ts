/** The current message of a table, for everyone who watches it. */

import { named, words } from "../i18n";
import { playWords } from "../i18n/words/play";
import type { View } from "./view";

export interface TableStatus {
  text: string;
  tone: "open" | "closed" | "quiet";
  /** The reason, or what happens next, in small type. */
  why?: string;
  /** The last announcement in the book's own words, if the text differs. */
  original?: string;
}

/** Why no bets are accepted, whatever the step; null if nothing prevents them. */
export function suspendedStatus(view: View): TableStatus | null {
  const t = playWords().seat;
  const run = view.automatic;
  if (!view.open) return { text: playWords().play.closed, tone: "closed" };
  if (run?.failed) return { text: playWords().play.failed, tone: "closed" };
  if (run?.paused) return { text: pausedText(run.paused), tone: "quiet" };
  if (view.power_failed) return { text: t.power, tone: "closed" };
  if (view.ready) return null;
  const ceased = Object.values(view.failed).some(Boolean);
  if (ceased) return { text: t.ceased, tone: "closed", why: t.ceasedWhy };
  return { text: t.notReady, tone: "quiet", why: t.notReadyWhy };
}

/** The current announcement. Some books have the dice thrown while bets are still accepted. */
export function statusOf(view: View): TableStatus {
  const status = suspendedStatus(view) ?? phaseStatus(view);
  const announced = view.announced?.says.en;
  return announced === undefined || announced === status.text ? status : { ...status, original: announced };
}

function phaseStatus(view: View): TableStatus {
  if (view.betting) {
    const waits = view.automatic !== undefined && view.automatic.until === null;
    return { text: openingWords(view), tone: "open", ...(waits ? { why: playWords().play.firstBet } : {}) };
  }
  const closed = view.phase === "closed" || view.phase === "thrown";
  if (view.phase === "closed") return closedStatus(view);
  return { text: words().phase[view.phase] ?? view.phase, tone: closed ? "closed" : "quiet" };
}

/** The announcement that betting is open, in the book's words if it has any. */
export function openingWords(view: View): string {
  return announcedBy(view, "open betting") ?? words().table.placeYourBets;
}

/** The announcement that betting is closed, likewise. */
export function closedStatus(view: View): TableStatus {
  const says = announcedBy(view, "close betting") ?? words().table.noMoreBets;
  const original = view.announced?.says.en;
  return { text: says, tone: "closed", ...(original === undefined || original === says ? {} : { original }) };
}

function announcedBy(view: View, act: string): string | null {
  return view.announced?.act === act ? named(view.announced.says) : null;
}

/** What the server sends for a pause without a reason. */
const NO_REASON = "no reason given";

function pausedText(why: string): string {
  const t = playWords().play;
  return why === NO_REASON ? t.paused : t.pausedFor(why);
}
