/** What a table says now, to everybody who looks at it. */

import { words } from "../words";
import type { View } from "./view";

export interface Saying {
  text: string;
  tone: "open" | "closed" | "quiet";
  /** The reason, or what happens next, in small. */
  why?: string;
}

/** Why no bets are taken, whatever the step; null where nothing stands in the way. */
export function hindered(view: View): Saying | null {
  const say = words();
  const run = view.automatic;
  if (!view.open) return { text: say.play.closed, tone: "closed" };
  if (run?.failed) return { text: say.play.failed, tone: "closed" };
  if (run?.paused) return { text: say.play.pausedFor(run.paused), tone: "quiet" };
  if (view.power_failed) return { text: say.seat.power, tone: "closed" };
  if (view.ready) return null;
  const ceased = Object.values(view.failed).some(Boolean);
  if (ceased) return { text: say.seat.ceased, tone: "closed", why: say.seat.ceasedWhy };
  return { text: say.seat.notReady, tone: "quiet", why: say.seat.notReadyWhy };
}

/** What is called out. A book may have the dice thrown while bets are still taken. */
export function sayingOf(view: View): Saying {
  const say = words();
  const hindrance = hindered(view);
  if (hindrance !== null) return hindrance;
  if (view.betting) {
    const waits = view.automatic !== undefined && view.automatic.until === null;
    return { text: say.table.placeYourBets, tone: "open", ...(waits ? { why: say.play.firstBet } : {}) };
  }
  const closed = view.phase === "closed" || view.phase === "thrown";
  return { text: say.phase[view.phase] ?? view.phase, tone: closed ? "closed" : "quiet" };
}
