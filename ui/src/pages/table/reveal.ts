/** The animation of a throw: shaken under the cover, the dice come to rest one after another, the lamps light up,
 * losers are collected, then winners are paid. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { Outcome } from "../../live/outcome";
import { backTo } from "../../live/own-bets";
import type { LiveTable } from "../../live/table";
import type { Line, View } from "../../live/view";
import { type Moves, plus } from "./stake-changes";

/** In this order; after the last stage, the layout is as the table reports. */
export const STAGES = ["none", "shaking", "falling", "lit", "swept", "paid", "over"] as const;
export type Stage = (typeof STAGES)[number];

export interface Reveal {
  stage: Stage;
  /** The number of dice at rest. */
  rested: number;
  /** Whether the result is still hidden. */
  hides: boolean;
  /** Shows the result at once. */
  skip: () => void;
}

interface Moment {
  stage: Stage;
  rested: number;
  /** In milliseconds after the throw. */
  after: number;
}

/** From the throw until winners are paid: at a table without a dealer, as long as its clock allows. */
const LONG = 5_000;
const SHORT = 2_200;
/** The part of the pause after a round that is left to view the result. */
const LOOKING = 2_500;
/** How long paid chips stay on the layout. */
const RESULT_DURATION = 3_600;

export function lengthOf(view: View): number {
  const rest = view.automatic?.run.rest_seconds;
  return rest === undefined ? SHORT : Math.max(SHORT, Math.min(LONG, rest * 1_000 - LOOKING));
}

/** The times of all stages for a number of dice. */
export function momentsOf(dice: number, length: number): Moment[] {
  const shaking = length < LONG / 2 ? 0.1 : 0.3;
  const fall = (0.66 - shaking) / dice;
  const at = (share: number): number => Math.round(share * length);
  return [
    { stage: "falling", rested: 0, after: at(shaking) },
    ...Array.from({ length: dice }, (_, index) => ({
      stage: "falling" as const,
      rested: index + 1,
      after: at(shaking + fall * (index + 1)),
    })),
    { stage: "lit", rested: dice, after: at(0.74) },
    { stage: "swept", rested: dice, after: at(0.86) },
    { stage: "paid", rested: dice, after: length },
    { stage: "over", rested: dice, after: length + RESULT_DURATION },
  ];
}

export function reached(stage: Stage, wanted: Stage): boolean {
  return STAGES.indexOf(stage) >= STAGES.indexOf(wanted);
}

/** The animation of the last throw seen live. */
export function useReveal(live: LiveTable, view: View): Reveal {
  const outcome = live.outcome.value;
  const before = useRef<Outcome | null>(null);
  const thrown = useRef(0);
  if (outcome === null) thrown.current = 0;
  else if (!isSameThrow(before.current, outcome)) thrown.current = outcome.sequence;
  before.current = outcome;
  const key = thrown.current;
  const dice = outcome?.dice.length ?? 0;
  const [at, setAt] = useState<{ key: number; stage: Stage; rested: number }>({ key: 0, stage: "none", rested: 0 });
  const [skipped, setSkipped] = useState(0);
  const still = skipped === key || matchMedia("(prefers-reduced-motion: reduce)").matches;
  useEffect(() => {
    if (key === 0) return;
    const all = momentsOf(dice, lengthOf(view));
    const paid = all.find(one => one.stage === "paid")?.after ?? 0;
    const moments = still
      ? all.filter(one => one.after >= paid).map(one => ({ ...one, after: one.after - paid }))
      : all;
    const timers = moments.map(({ stage, rested, after }) => setTimeout(() => setAt({ key, stage, rested }), after));
    return () => timers.forEach(clearTimeout);
  }, [key, still]);
  const now =
    at.key === key ? at : still ? { stage: "paid" as const, rested: dice } : { stage: "shaking" as const, rested: 0 };
  const stage = key === 0 || (now.stage === "over" && live.past.value) ? "none" : now.stage;
  return {
    stage,
    rested: now.rested,
    hides: stage === "shaking" || stage === "falling",
    skip: () => setSkipped(key),
  };
}

/** Whether an update is about the same throw at a later stage: announced, entered, lit, settled. */
function isSameThrow(before: Outcome | null, now: Outcome): boolean {
  if (before === null) return false;
  if (before.sequence === now.sequence) return true;
  return before.dice.join() === now.dice.join() && before.lit.length + before.collected.length === 0;
}

export interface Chips {
  own: Record<string, number>;
  others: Record<string, number>;
  swept: Set<string>;
  paid: Record<string, number>;
  /** Winnings that are not visibly paid yet: the balance must not reveal the result before the dice do. */
  withheld: { cash: number; colour: number };
}

/** The chips to draw: those on the layout, and those that the settlement has moved but the animation has not reached. */
export function chipsShown(
  stage: Stage,
  outcome: Outcome | null,
  lying: { own: Moves; all: Moves },
  owns: (bet: number) => boolean,
  areaOf: (line: Line) => string = line => line.wager,
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
    if (line.stays) return; // it never left the layout
    const side = owns(line.bet) ? "own" : "others";
    chips[side] = plus(chips[side], { [areaOf(line)]: line.stake });
  };
  for (const line of outcome.collected) {
    if (reached(stage, "paid")) continue;
    lie(line);
    if (stage === "swept") chips.swept.add(areaOf(line));
  }
  for (const line of outcome.paid) {
    lie(line);
    if (!owns(line.bet)) continue;
    if (reached(stage, "paid")) chips.paid = plus(chips.paid, { [areaOf(line)]: Math.max(0, line.net) });
    else chips.withheld[line.kind === "colour" ? "colour" : "cash"] += backTo(line);
  }
  return chips;
}

export interface Result {
  net: number;
  lines: Line[];
}

/** The result of a round for its player, once it has ended; null if they had no bet in it. */
export function resultOf(outcome: Outcome | null, owns: (bet: number) => boolean): Result | null {
  if (!outcome?.over) return null;
  const lines = [...outcome.collected, ...outcome.paid].filter(line => owns(line.bet));
  return lines.length === 0 ? null : { lines, net: lines.reduce((sum, line) => sum + backTo(line) - line.stake, 0) };
}
