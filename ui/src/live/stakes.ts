/** The stakes on each area: those of the last view, and the bets after it. */

import type { BetKind, Entry } from "./view";

interface Placed {
  bet: number;
  wager: string;
  amount: number;
  kind: BetKind | undefined;
  confirmed: boolean | undefined;
}

interface Change {
  sequence: number;
  wager: string;
  amount: number;
}

/** Returns the bets that an entry placed, of any player. */
export function placedBy({ kind, event = {} }: Entry): Placed[] {
  if (kind === "BetPlaced" || kind === "WagerFound") return [placed(event)];
  return kind === "BetsPlaced" ? ((event.bets ?? []) as Record<string, unknown>[]).map(placed) : [];
}

function placed(event: Record<string, unknown>): Placed {
  return {
    bet: event.bet as number,
    wager: event.wager as string,
    amount: event.amount as number,
    kind: event.kind as BetKind | undefined,
    confirmed: event.confirmed as boolean | undefined,
  };
}

/** Entries may arrive before the view that includes them, or after: each counts once. */
export class Stakes {
  private displayed: Record<string, number> = {};
  private sequence = 0;
  private changes: Change[] = [];
  private wagers = new Map<number, string>();

  /** Applies a view, which includes everything before it. */
  setView(stakes: Record<string, number>, sequence: number): void {
    if (sequence < this.sequence) return;
    this.displayed = stakes;
    this.sequence = sequence;
    this.changes = this.changes.filter(one => one.sequence > sequence);
  }

  /** Applies an entry; returns false if it is about an unknown bet, so that a new view is needed. */
  applyEntry(entry: Entry): boolean {
    for (const { bet, wager, amount } of placedBy(entry)) {
      this.wagers.set(bet, wager);
      this.changes.push({ sequence: entry.sequence, wager, amount });
    }
    if (entry.kind === "BetTakenDown") {
      const { bet, amount } = placed(entry.event ?? {});
      const wager = this.wagers.get(bet);
      if (wager === undefined) return entry.sequence <= this.sequence;
      this.changes.push({ sequence: entry.sequence, wager, amount: -amount });
    }
    return entry.kind !== "PlayerWithdrew";
  }

  /** Adds a bet that was placed before. */
  registerBet(bet: number, wager: string): void {
    this.wagers.set(bet, wager);
  }

  current(): Record<string, number> {
    const found = { ...this.displayed };
    for (const { sequence, wager, amount } of this.changes) {
      if (sequence > this.sequence) found[wager] = (found[wager] ?? 0) + amount;
    }
    return found;
  }
}
