/** The last throw as it is shown: an automatic table throws, lights and settles at once, so its view has moved on, but
 * its entries show each stage. */

import type { Entry, Line } from "./view";

export interface Outcome {
  /** The entry that announced the dice. */
  sequence: number;
  round: number;
  dice: number[];
  lit: string[];
  /** Bets collected, and then paid. */
  collected: Line[];
  paid: Line[];
  void: boolean;
  /** Whether its round has ended. */
  over: boolean;
}

/** The outcome after an entry of a round. */
export function outcomeAfter(before: Outcome | null, entry: Entry, round: number): Outcome | null {
  const event = entry.event ?? {};
  const dice = event.dice as number[] | undefined;
  switch (entry.kind) {
    case "StepTaken":
    case "Rolled":
      if (dice === undefined || dice.length === 0) return before;
      return { sequence: entry.sequence, round, dice, lit: [], collected: [], paid: [], void: false, over: false };
    case "Illuminated": {
      const lit = event.wagers as string[];
      return before && lit.length > 0 ? { ...before, lit } : before;
    }
    case "LosersCollected":
      return before && { ...before, collected: [...before.collected, ...(event.lines as Line[])] };
    case "WinnersPaid":
      return before && { ...before, paid: [...before.paid, ...(event.lines as Line[])] };
    case "BetRuled":
    case "Ruled":
      return before && ruled(before, (event.settled ?? []) as Line[]);
    case "WagersReturned":
      return before && { ...before, void: true };
    case "RoundVoided":
      return before && { ...before, void: true, over: true };
    case "RoundEnded":
      return before && { ...before, over: true };
    default:
      return before;
  }
}

/** The settled bets, after rulings that settled some of them in another way. */
function ruled(before: Outcome, settled: readonly Line[]): Outcome {
  const numbers = new Set(settled.map(line => line.bet));
  const others = (lines: readonly Line[]): Line[] => lines.filter(line => !numbers.has(line.bet));
  return {
    ...before,
    collected: [...others(before.collected), ...settled.filter(line => line.net < 0)],
    paid: [...others(before.paid), ...settled.filter(line => line.net >= 0)],
  };
}
