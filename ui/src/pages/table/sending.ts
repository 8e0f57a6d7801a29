/** Chips on their way to the table: gathered for a moment, sent together, and shown hollow until the table has told of
 * them. What the table refuses goes back, with the reason. */

import { signal } from "@preact/signals";
import { asProblem, type Problem } from "../../api/problems";
import { placeBets } from "../../live/commands";
import type { LiveTable } from "../../live/table";
import { kindAt, type Moves, opposite, plus, wagerAt } from "./stake-changes";

/** What is done within so many milliseconds of the first click is one request; no longer, for betting closes. */
const GATHER = 320;
/** An answer that the stream does not confirm by then is requested again. */
const PATIENCE = 2_500;
/** What is wrong with the whole of a request, not with one stake in it. */
const OF_ALL = new Set(["betting-closed", "suspended", "table-not-open", "wrong-role", "excluded", "time-limit"]);

export class Sending {
  /** Laid or taken off here, and not told by the table yet. */
  readonly moving = signal<Moves>({});

  private gathered: Moves = {};
  private sent: Moves = {};
  private timer: ReturnType<typeof setTimeout> | null = null;
  private line: Promise<void> = Promise.resolve();

  constructor(
    private readonly live: LiveTable,
    /** Hears what was refused, and why. */
    private readonly onRefused: (moves: Moves, problem: Problem) => void,
  ) {}

  /** Chips laid: they go with the next request. */
  gather(moves: Moves): void {
    this.gathered = plus(this.gathered, moves);
    this.show();
    this.timer ??= setTimeout(() => this.flush(), GATHER);
  }

  /** Takes back what was gathered and not sent yet; what of the amount is left to take off the layout. */
  ungather(place: string, amount: number): number {
    const waiting = Math.min(amount, this.gathered[place] ?? 0);
    this.gathered = plus(this.gathered, { [place]: -waiting });
    this.show();
    return amount - waiting;
  }

  /** Something besides bets, after all that was gathered. */
  send(moves: Moves, asking: () => Promise<unknown>): void {
    this.flush();
    this.sent = plus(this.sent, moves);
    this.show();
    this.queue(async () => {
      try {
        await asking();
      } catch (thrown) {
        this.refused(moves, asProblem(thrown));
      }
    });
  }

  /** What was gathered goes now. */
  flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const bets = this.gathered;
    if (Object.keys(bets).length === 0) return;
    this.gathered = {};
    this.sent = plus(this.sent, bets);
    this.queue(() => this.place(bets));
  }

  /** The table has told of it: it is on its way no more. */
  confirmed(place: string, amount: number): void {
    const waiting = this.sent[place] ?? 0;
    if (waiting * amount <= 0) return;
    const told = Math.sign(amount) * Math.min(Math.abs(amount), Math.abs(waiting));
    this.sent = plus(this.sent, { [place]: -told });
    this.show();
  }

  /** All together; where one stake is refused, the others do not suffer for it. */
  private async place(moves: Moves): Promise<void> {
    const bets = Object.entries(moves).map(([place, amount]) => ({
      wager: wagerAt(place),
      amount,
      kind: kindAt(place),
    }));
    try {
      await placeBets(this.live.id, bets);
    } catch (thrown) {
      const problem = asProblem(thrown);
      if (bets.length > 1 && problem.refusal !== null && !OF_ALL.has(problem.refusal)) {
        for (const [place, amount] of Object.entries(moves)) await this.place({ [place]: amount });
      } else this.refused(moves, problem);
    }
  }

  /** The chips are back in the rail, or where they lay. */
  private refused(moves: Moves, problem: Problem): void {
    this.sent = plus(this.sent, opposite(moves));
    this.show();
    this.onRefused(moves, problem);
  }

  /** One request after the other, so that each finds the layout as it was meant. */
  private queue(send: () => Promise<void>): void {
    this.line = this.line.then(send).then(() => this.settleLater());
  }

  private settleLater(): void {
    setTimeout(() => this.settle(), PATIENCE);
  }

  /** What was answered and not told is asked for; not while the connection is in doubt, and the bets with it. */
  private settle(): void {
    if (this.timer !== null || Object.keys(this.sent).length === 0) return;
    if (this.live.connection.value !== "live") {
      this.settleLater();
      return;
    }
    this.sent = {};
    this.show();
    this.live.refresh();
  }

  private show(): void {
    this.moving.value = plus(this.gathered, this.sent);
  }
}
