/** What lies on each area: what the last view showed, and the bets that came after it. */

import type { BetKind, Entry } from "./view";

interface Placed {
  bet: number;
  wager: string;
  amount: number;
  kind?: BetKind;
}

interface Change {
  sequence: number;
  wager: string;
  amount: number;
}

/** The bets that an entry placed, whoever's they are. */
export function placedBy(entry: Entry): Placed[] {
  const event = entry.event ?? {};
  if (entry.kind === "BetPlaced" || entry.kind === "WagerFound") return [event as unknown as Placed];
  if (entry.kind === "BetsPlaced") return (event.bets ?? []) as Placed[];
  return [];
}

/** Entries may come before the view that counts them, or after: each counts once. */
export class Stakes {
  private shown: Record<string, number> = {};
  private sequence = 0;
  private changes: Change[] = [];
  private wagers = new Map<number, string>();

  /** A view: what came before it is counted in it. */
  view(stakes: Record<string, number>, sequence: number): void {
    if (sequence < this.sequence) return;
    this.shown = stakes;
    this.sequence = sequence;
    this.changes = this.changes.filter(one => one.sequence > sequence);
  }

  /** An entry; false where it is about a bet that was never seen, so that only a new view can tell. */
  entry(entry: Entry): boolean {
    for (const { bet, wager, amount } of placedBy(entry)) {
      this.wagers.set(bet, wager);
      this.changes.push({ sequence: entry.sequence, wager, amount });
    }
    if (entry.kind === "BetTakenDown") {
      const { bet, amount } = entry.event as unknown as Placed;
      const wager = this.wagers.get(bet);
      if (wager === undefined) return entry.sequence <= this.sequence;
      this.changes.push({ sequence: entry.sequence, wager, amount: -amount });
    }
    return entry.kind !== "PlayerWithdrew";
  }

  /** Knows a bet that was placed before. */
  know(bet: number, wager: string): void {
    this.wagers.set(bet, wager);
  }

  now(): Record<string, number> {
    const found = { ...this.shown };
    for (const { sequence, wager, amount } of this.changes) {
      if (sequence > this.sequence) found[wager] = (found[wager] ?? 0) + amount;
    }
    return found;
  }
}
