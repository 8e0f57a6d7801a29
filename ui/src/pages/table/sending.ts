/** Chips that are being sent to the table: collected for a moment, sent together, and shown hollow until the table
 * confirms them. Refused ones are returned with the reason. */

import { signal } from "@preact/signals";
import { asProblem, type Problem } from "../../api/problems";
import { placeBets } from "../../live/commands";
import type { LiveTable } from "../../live/table";
import { kindAt, type Moves, opposite, plus, wagerAt } from "./stake-changes";

/** Actions within this time of the first click are one request; no longer, because betting closes. */
const GATHER = 320;
/** A response that the stream does not confirm within this time is requested again. */
const PATIENCE = 2_500;
/** Problems with a whole request, not with one stake in it. */
const OF_ALL = new Set(["betting-closed", "suspended", "table-not-open", "wrong-role", "excluded", "time-limit"]);

/** A request to the table, and the part of it that is not confirmed yet. */
interface Sent {
  moves: Moves;
}

export class BetSender {
  /** Placed or taken off here, and not confirmed by the table yet. */
  readonly moving = signal<Moves>({});

  private unsent: Moves = {};
  /** In the order they were sent, because one request may place a bet that the next one moves. */
  private sent: Sent[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;
  private lastRequest: Promise<void> = Promise.resolve();

  constructor(
    private readonly live: LiveTable,
    /** Called with a refusal and its reason. */
    private readonly onRefused: (moves: Moves, problem: Problem) => void,
  ) {}

  /** Adds chips to the next request. */
  add(moves: Moves): void {
    this.unsent = plus(this.unsent, moves);
    this.show();
    this.timer ??= setTimeout(() => this.flush(), GATHER);
  }

  /** Takes back chips that were not sent yet; returns the amount left to take off the layout. */
  withdraw(place: string, amount: number): number {
    const waiting = Math.min(amount, this.unsent[place] ?? 0);
    this.unsent = plus(this.unsent, { [place]: -waiting });
    this.show();
    return amount - waiting;
  }

  /** Sends a command other than bets, after everything collected so far. */
  send(moves: Moves, request: () => Promise<unknown>): void {
    this.flush();
    this.queue(moves, async sent => {
      try {
        await request();
      } catch (thrown) {
        this.refused(sent, moves, asProblem(thrown));
      }
    });
  }

  /** Sends what was collected now. */
  flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const bets = this.unsent;
    if (Object.keys(bets).length === 0) return;
    this.unsent = {};
    this.queue(bets, sent => this.place(sent, bets));
  }

  /** Handles a confirmation: it is no longer pending. */
  confirmed(place: string, amount: number): void {
    let rest = amount;
    for (const sent of this.sent) {
      const waiting = sent.moves[place] ?? 0;
      if (waiting * rest <= 0) continue;
      const confirmed = Math.sign(rest) * Math.min(Math.abs(rest), Math.abs(waiting));
      sent.moves = plus(sent.moves, { [place]: -confirmed });
      rest -= confirmed;
    }
    this.show();
  }

  /** Sends all stakes together; if one is refused, the others are sent without it. */
  private async place(sent: Sent, moves: Moves): Promise<void> {
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
        for (const [place, amount] of Object.entries(moves)) await this.place(sent, { [place]: amount });
      } else this.refused(sent, moves, problem);
    }
  }

  /** Returns the chips to the rail, or to where they were. */
  private refused(sent: Sent, moves: Moves, problem: Problem): void {
    sent.moves = plus(sent.moves, opposite(moves));
    this.show();
    this.onRefused(moves, problem);
  }

  /** One request after another, so that each finds the layout as intended. */
  private queue(moves: Moves, send: (sent: Sent) => Promise<void>): void {
    const sent = { moves };
    this.sent.push(sent);
    this.show();
    this.lastRequest = this.lastRequest.then(() => send(sent)).then(() => this.settleLater(sent));
  }

  private settleLater(sent: Sent): void {
    setTimeout(() => this.settle(sent), PATIENCE);
  }

  /** Requests confirmations that are overdue; not while the connection, and with it the state of the bets, is in doubt. */
  private settle(sent: Sent): void {
    if (Object.keys(sent.moves).length === 0) return;
    if (this.live.connection.value !== "live") {
      this.settleLater(sent);
      return;
    }
    sent.moves = {};
    this.show();
    this.live.refresh();
  }

  private show(): void {
    this.sent = this.sent.filter(({ moves }) => Object.keys(moves).length > 0);
    this.moving.value = this.sent.reduce((all, { moves }) => plus(all, moves), this.unsent);
  }
}
