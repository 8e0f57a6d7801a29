/** How an outcome is shown: the dice tumble, the lamps go on, losers are swept, then winners are paid. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { Outcome } from "../../live/outcome";
import { backTo } from "../../live/own-bets";
import type { LiveTable } from "../../live/table";
import type { Line } from "../../live/view";
import { type Moves, plus } from "./stake-changes";

/** In this order; after the last, the layout is as the table says. */
export const STAGES = ["none", "tumbling", "lit", "swept", "paid", "over"] as const;
export type Stage = (typeof STAGES)[number];

/** When each begins, in milliseconds after the throw. */
const MOVING: readonly [Stage, number][] = [
  ["lit", 1_050],
  ["swept", 2_000],
  ["paid", 2_900],
  ["over", 6_500],
];
const STILL: readonly [Stage, number][] = [
  ["paid", 0],
  ["over", 6_500],
];

export function reached(stage: Stage, wanted: Stage): boolean {
  return STAGES.indexOf(stage) >= STAGES.indexOf(wanted);
}

/** The stage of the last throw that was seen happening. */
export function useStage(live: LiveTable): Stage {
  const outcome = live.outcome.value;
  const before = useRef<Outcome | null>(null);
  const thrown = useRef(0);
  if (outcome === null) thrown.current = 0;
  else if (!retold(before.current, outcome)) thrown.current = outcome.sequence;
  before.current = outcome;
  const key = thrown.current;
  const [at, setAt] = useState<{ key: number; stage: Stage }>({ key: 0, stage: "none" });
  useEffect(() => {
    if (key === 0) return;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const timers = (still ? STILL : MOVING).map(([stage, after]) => setTimeout(() => setAt({ key, stage }), after));
    return () => timers.forEach(clearTimeout);
  }, [key]);
  if (key === 0) return "none";
  const stage = at.key === key ? at.stage : "tumbling";
  return stage === "over" && live.past.value ? "none" : stage;
}

/** The same throw told again, or further on: announced, then entered, lit, settled. */
function retold(before: Outcome | null, now: Outcome): boolean {
  if (before === null) return false;
  if (before.sequence === now.sequence) return true;
  return before.dice.join() === now.dice.join() && before.lit.length + before.collected.length === 0;
}

export interface Chips {
  own: Record<string, number>;
  others: Record<string, number>;
  swept: Set<string>;
  paid: Record<string, number>;
  /** What is won and not paid visibly yet: the balance does not tell before the dice do. */
  withheld: { cash: number; colour: number };
}

/** The chips to draw: those that lie, and those that the settlement has moved and the eye has not followed yet. */
export function chipsShown(
  stage: Stage,
  outcome: Outcome | null,
  lying: { own: Moves; all: Moves },
  owns: (bet: number) => boolean,
): Chips {
  const others = Object.entries(lying.all).map(([wager, amount]) => [wager, amount - (lying.own[wager] ?? 0)]);
  const chips: Chips = {
    own: { ...lying.own },
    others: Object.fromEntries(others),
    swept: new Set(),
    paid: {},
    withheld: { cash: 0, colour: 0 },
  };
  if (outcome === null || stage === "none") return chips;
  const lie = (line: Line): void => {
    const side = owns(line.bet) ? "own" : "others";
    chips[side] = plus(chips[side], { [line.wager]: line.stake });
  };
  for (const line of outcome.collected) {
    if (reached(stage, "paid")) continue;
    lie(line);
    if (stage === "swept") chips.swept.add(line.wager);
  }
  for (const line of outcome.paid) {
    lie(line);
    if (!owns(line.bet)) continue;
    if (reached(stage, "paid")) chips.paid = plus(chips.paid, { [line.wager]: Math.max(0, line.net) });
    else chips.withheld[line.kind === "colour" ? "colour" : "cash"] += backTo(line);
  }
  return chips;
}

export interface Result {
  net: number;
  lines: Line[];
}

/** What an outcome brought to its own player; null where they had no bet in it. */
export function resultOf(outcome: Outcome | null, owns: (bet: number) => boolean): Result | null {
  const lines = [...(outcome?.collected ?? []), ...(outcome?.paid ?? [])].filter(line => owns(line.bet));
  return lines.length === 0 ? null : { lines, net: lines.reduce((sum, line) => sum + backTo(line) - line.stake, 0) };
}
