/** A player's hand: chips laid and taken off, gathered for a moment and sent together; every act can be undone. */

import { batch, signal } from "@preact/signals";
import { asProblem, type Problem } from "../../api/problems";
import { toastProblem } from "../../components/toasts";
import { ask, placeBets } from "../../live/acting";
import { placedBy } from "../../live/stakes";
import type { LiveTable } from "../../live/table";
import type { Entry } from "../../live/view";

/** Amounts by area: above nothing laid, below it taken off. */
export type Moves = Readonly<Record<string, number>>;

/** What is done within so many milliseconds of the first click is one request; no longer, for betting closes. */
const GATHER = 320;
/** An answer that the stream does not confirm by then is asked for anew. */
const PATIENCE = 2_500;
const UNDOES = 50;
/** What is wrong with the whole of a request, not with one stake in it. */
const OF_ALL = new Set(["betting-closed", "suspended", "table-not-open", "wrong-role", "excluded", "time-limit"]);
const LAID = new Set(["BetPlaced", "BetsPlaced", "WagerFound", "BetTakenDown", "PlayerWithdrew"]);
const CLOSED = new Set(["BettingClosed", "LosersCollected", "WinnersPaid", "Rolled"]);

export class Hand {
  /** What a click lays. */
  readonly chip = signal(0);
  /** Laid or taken off here, and not told by the table yet. */
  readonly moving = signal<Moves>({});
  readonly acts = signal<readonly Moves[]>([]);
  /** What was bet in the last round. */
  readonly last = signal<Moves>({});

  private gathered: Moves = {};
  private sent: Moves = {};
  private laid: Moves = {};
  private wagers = new Map<number, string>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private line: Promise<void> = Promise.resolve();

  constructor(private readonly live: LiveTable) {}

  /** Listens to the table, until what it gives back is called. */
  listen(): () => void {
    this.know();
    const unheard = this.live.hear(entry => batch(() => this.heard(entry)));
    return () => {
      unheard();
      this.flush();
    };
  }

  /** Whether a bet is, or was, one's own. */
  owns(bet: number): boolean {
    return this.wagers.has(bet);
  }

  /** What lies on each area and may still be moved, with what is on its way. */
  stakes(): Record<string, number> {
    const found: Record<string, number> = {};
    for (const bet of this.live.mine.value?.bets ?? []) {
      if (!bet.running && bet.kind === "cash") found[bet.wager] = (found[bet.wager] ?? 0) + bet.amount;
    }
    return plus(found, this.moving.value);
  }

  lay(wager: string): void {
    this.move({ [wager]: this.chip.value });
  }

  /** The chosen chip comes off; all of the stake, where less than the minimum would stay. */
  takeOff(wager: string): void {
    const lies = this.stakes()[wager] ?? 0;
    const least = this.live.rules.value?.limits[wager]?.stake_min ?? 0;
    const rest = lies - this.chip.value;
    this.move({ [wager]: -(rest < least ? lies : this.chip.value) });
  }

  takeAll(wager: string): void {
    this.move({ [wager]: -(this.stakes()[wager] ?? 0) });
  }

  clear(): void {
    this.move(opposite(this.stakes()));
  }

  double(): void {
    this.move(this.stakes());
  }

  repeat(): void {
    this.move(this.last.value);
  }

  undo(): void {
    const act = this.acts.value.at(-1);
    if (act === undefined) return;
    this.acts.value = this.acts.value.slice(0, -1);
    this.move(opposite(act), { again: false });
  }

  private move(moves: Moves, { again = true } = {}): void {
    const lies = this.stakes();
    const done: Record<string, number> = {};
    for (const [wager, amount] of Object.entries(moves)) {
      const moved = Math.max(amount, -(lies[wager] ?? 0));
      if (moved !== 0) done[wager] = moved;
    }
    if (Object.keys(done).length === 0) return;
    if (again) this.acts.value = [...this.acts.value, done].slice(-UNDOES);
    for (const [wager, amount] of Object.entries(done)) {
      if (amount > 0) this.gathered = plus(this.gathered, { [wager]: amount });
      else this.take(wager, -amount);
    }
    this.show();
    if (this.timer === null) this.timer = setTimeout(() => this.flush(), GATHER);
  }

  /** First what was not sent yet; the rest comes off the layout. */
  private take(wager: string, amount: number): void {
    const waiting = Math.min(amount, this.gathered[wager] ?? 0);
    this.gathered = plus(this.gathered, { [wager]: -waiting });
    const rest = amount - waiting;
    if (rest <= 0) return;
    this.flush();
    this.sent = plus(this.sent, { [wager]: -rest });
    this.queue(async () => {
      try {
        await ask(this.live.id, { type: "TakeDown", wager, amount: rest }, { role: "player" });
      } catch (thrown) {
        this.refused({ [wager]: -rest }, asProblem(thrown));
      }
    });
  }

  private flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const bets = this.gathered;
    if (Object.keys(bets).length === 0) return;
    this.gathered = {};
    this.sent = plus(this.sent, bets);
    this.queue(() => this.place(bets));
  }

  /** All together; where one stake is refused, the others do not suffer for it. */
  private async place(moves: Moves): Promise<void> {
    const bets = Object.entries(moves).map(([wager, amount]) => ({ wager, amount }));
    try {
      await placeBets(this.live.id, bets);
    } catch (thrown) {
      const problem = asProblem(thrown);
      if (bets.length > 1 && problem.refusal !== null && !OF_ALL.has(problem.refusal)) {
        for (const { wager, amount } of bets) await this.place({ [wager]: amount });
      } else this.refused(moves, problem);
    }
  }

  /** The chips are back in the rail, or where they lay, with the reason. */
  private refused(moves: Moves, problem: Problem): void {
    this.sent = plus(this.sent, opposite(moves));
    this.show();
    toastProblem(problem);
  }

  /** One request after the other, so that each finds the layout as it was meant. */
  private queue(send: () => Promise<void>): void {
    this.line = this.line.then(send).then(() => {
      setTimeout(() => this.settle(), PATIENCE);
    });
  }

  private settle(): void {
    if (this.timer !== null || Object.keys(this.sent).length === 0) return;
    this.sent = {};
    this.show();
    this.live.refresh();
  }

  private heard(entry: Entry): void {
    if (entry.mine && LAID.has(entry.kind)) {
      if (entry.kind === "BetTakenDown") {
        const { bet, amount } = entry.event as { bet: number; amount: number };
        this.confirmed(this.wagers.get(bet) ?? "", -amount);
      } else for (const { wager, amount } of placedBy(entry)) this.confirmed(wager, amount);
      this.know();
      this.show();
    }
    if (!CLOSED.has(entry.kind)) return;
    this.acts.value = [];
    if (Object.keys(this.laid).length > 0) this.last.value = this.laid;
    this.laid = {};
  }

  private confirmed(wager: string, amount: number): void {
    const waiting = this.sent[wager] ?? 0;
    if (waiting * amount > 0) {
      const told = Math.sign(amount) * Math.min(Math.abs(amount), Math.abs(waiting));
      this.sent = plus(this.sent, { [wager]: -told });
    }
  }

  /** What lies there now is what the next round repeats. */
  know(): void {
    const laid: Record<string, number> = {};
    for (const bet of this.live.mine.value?.bets ?? []) {
      this.wagers.set(bet.id, bet.wager);
      if (!bet.running && bet.kind === "cash") laid[bet.wager] = (laid[bet.wager] ?? 0) + bet.amount;
    }
    this.laid = laid;
  }

  private show(): void {
    this.moving.value = plus(this.gathered, this.sent);
  }
}

/** Two moves as one; areas where nothing is left of them are gone. */
export function plus(one: Moves, other: Moves): Record<string, number> {
  const sum: Record<string, number> = { ...one };
  for (const [wager, amount] of Object.entries(other)) sum[wager] = (sum[wager] ?? 0) + amount;
  return Object.fromEntries(Object.entries(sum).filter(([, amount]) => amount !== 0));
}

export function opposite(moves: Moves): Moves {
  return Object.fromEntries(Object.entries(moves).map(([wager, amount]) => [wager, -amount]));
}

export function total(moves: Moves): number {
  return Object.values(moves).reduce((sum, amount) => sum + amount, 0);
}
