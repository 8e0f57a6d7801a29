/** The current state of a table, updated by its stream. Pages read its signals. */

import { computed, signal } from "@preact/signals";
import { api, currentSession, sessionUnknown, unwrap } from "../api/client";
import { asProblem, type Problem } from "../api/problems";
import { address } from "../shell/router";
import { me } from "../shell/session";
import { noteEntryTime, serverNow } from "./clock";
import type { Frame } from "./frames";
import { notedTables, rememberNames } from "./names";
import { type Outcome, outcomeAfter } from "./outcome";
import { follow } from "./own-bets";
import { Stakes } from "./stakes";
import { type Connection, Stream } from "./stream";
import type { Entry, Mine, Rules, Staff, View } from "./view";

/** The number of entries kept for pages that show what happened. */
const REMEMBERED = 200;
/** The delay within which several reasons to reload are merged. */
const BATCH_DELAY = 120;
/** During a flood of bets, the minimum interval from response to request, in milliseconds. */
const REQUEST_INTERVAL_MIN = 250;
/** The delay after a moment before its effect is requested: clocks differ a little. */
const CLOCK_TOLERANCE = 1_000;
/** How long a page waits for the effect of a command, in milliseconds; then the server is unreachable. */
const PATIENCE = 5_000;
/** The longest timer that browsers support, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** Entries that change what is shown without a new view. */
const REFRESH_EVENTS = new Set(["TableOpened", "SetupChanged", "Disputed"]);

const ENDS_ROUND = new Set(["RoundEnded", "RoundVoided"]);

/** Entries that change one's bets on a shooter's hand, whoever caused them. */
const MOVES = new Set(["Rolled", "LosersCollected", "WinnersPaid", "RoundEnded", "BetsCalled"]);

/** Stakes on bets with their own number, by wager and number. */
export type Travelled = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface Announced {
  words: string;
  /** The step or irregularity that was announced. */
  by: string;
  sequence: number;
}

export class LiveTable {
  readonly view = signal<View | null>(null);
  readonly rules = signal<Rules | null>(null);
  readonly mine = signal<Mine | null>(null);
  readonly staff = signal<Staff | null>(null);
  readonly stakes = signal<Record<string, number>>({});
  readonly connection = signal<Connection>("connecting");
  /** Whether the state is being updated. */
  readonly catchingUp = signal(false);
  readonly problem = signal<Problem | null>(null);
  readonly announced = signal<Announced | null>(null);
  readonly entries = signal<readonly Entry[]>([]);
  /** The last throw seen live; null before the first. */
  readonly outcome = signal<Outcome | null>(null);

  /** One's own stakes by area. */
  readonly ownStakes = computed<Record<string, number>>(() => {
    const found: Record<string, number> = {};
    for (const bet of this.mine.value?.bets ?? []) {
      if (bet.point === null) found[bet.wager] = (found[bet.wager] ?? 0) + bet.amount;
    }
    return found;
  });
  /** The stakes on each area itself, without those that have travelled to a number. */
  readonly areaStakes = computed<Record<string, number>>(() => {
    const found = { ...this.stakes.value };
    for (const [wager, numbers] of Object.entries(this.view.value?.travelled ?? {})) {
      const gone = Object.values(numbers).reduce((sum, amount) => sum + amount, 0);
      found[wager] = Math.max(0, (found[wager] ?? 0) - gone);
    }
    return found;
  });
  /** One's own stakes that have travelled to a number, by wager and number. */
  readonly ownTravelled = computed<Travelled>(() => {
    const found: Record<string, Record<string, number>> = {};
    for (const { wager, point, amount } of this.mine.value?.bets ?? []) {
      if (point === null) continue;
      const numbers = found[wager] ?? {};
      found[wager] = { ...numbers, [point]: (numbers[point] ?? 0) + amount };
    }
    return found;
  });
  /** Whether the last throw belongs to an earlier round than the current one. */
  readonly past = computed<boolean>(() => {
    const view = this.view.value;
    if (view === null || view.betting) return true;
    return this.outcome.value?.over === true && view.procedure.some(step => step.done);
  });
  /** The dice to show: those of the round, or of the last throw until the next round begins. */
  readonly dice = computed<readonly number[]>(() => {
    const view = this.view.value;
    if (view === null || view.dice.length > 0) return view?.dice ?? [];
    return this.past.value ? [] : (this.outcome.value?.dice ?? []);
  });
  /** The areas to light, for the same time. */
  readonly lit = computed<ReadonlySet<string>>(() => {
    const view = this.view.value;
    if (view === null || view.lit.length > 0) return new Set(view?.lit);
    return new Set(this.past.value || view.dice.length > 0 ? [] : this.outcome.value?.lit);
  });
  /** When betting closes, in milliseconds of the server's clock; null without a countdown. */
  readonly until = computed<number | null>(() => {
    const run = this.view.value?.automatic;
    return run?.until && !run.closed && !run.paused ? Date.parse(run.until) : null;
  });

  private last = 0;
  private viewed = 0;
  /** The round of the last entry. */
  private round = 0;
  private tally = new Stakes();
  private stream: Stream | null = null;
  private ended = false;
  private refreshTimer: ReturnType<typeof setTimeout> | null = null;
  private scheduledRefresh: ReturnType<typeof setTimeout> | null = null;
  private loading = false;
  private refreshAgain = false;
  private answered = Number.NEGATIVE_INFINITY;
  private pendingEntries: Entry[] | null = null;
  private listeners = new Set<(entry: Entry) => void>();
  private awaited = new Map<() => void, number>();

  constructor(readonly id: string) {}

  async start(): Promise<void> {
    await this.load();
    if (this.ended || this.rules.value === null) return;
    this.stream = new Stream(address`/api/v1/tables/${this.id}/stream`, {
      frame: frame => this.handleFrame(frame),
      connection: state => {
        this.connection.value = state;
        if (state === "lost") this.catchingUp.value = true;
      },
      after: () => this.last,
    });
    this.stream.start();
  }

  stop(): void {
    this.ended = true;
    this.stream?.stop();
    if (this.refreshTimer !== null) clearTimeout(this.refreshTimer);
    if (this.scheduledRefresh !== null) clearTimeout(this.scheduledRefresh);
    for (const over of this.awaited.keys()) over();
  }

  /** Resolves when the table is shown as it was after an entry or later; at the latest when the wait is too long. */
  showing(sequence: number): Promise<void> {
    if (sequence <= this.viewed || this.ended) return Promise.resolve();
    this.refresh(); // the stream may be down
    return new Promise(resolve => {
      const over = (): void => {
        clearTimeout(timer);
        this.awaited.delete(over);
        resolve();
      };
      const timer = setTimeout(over, PATIENCE);
      this.awaited.set(over, sequence);
    });
  }

  /** Calls back for every entry once, in order, as it is shown: for animation and sound. */
  subscribe(listener: (entry: Entry) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Reloads everything soon and once: at most one request is in flight, and one is queued. */
  refresh(): void {
    if (this.refreshTimer !== null || this.ended) return;
    if (this.loading) {
      this.refreshAgain = true; // the response in flight may be older than the reason to reload
      return;
    }
    const wait = Math.max(BATCH_DELAY, this.answered + REQUEST_INTERVAL_MIN - performance.now());
    this.refreshTimer = setTimeout(() => {
      this.refreshTimer = null;
      void this.load();
    }, wait);
  }

  /** The viewer has signed in again: the stream restarts with everything that they may see. */
  reconnect(): void {
    this.stream?.restart();
    this.refresh();
  }

  private async load(): Promise<void> {
    this.loading = true;
    this.pendingEntries = []; // entries that arrive during the request are applied again after the response
    const session = currentSession();
    try {
      const page = await unwrap(api.GET("/api/v1/tables/{table}", { params: { path: { table: this.id } } }));
      if (this.ended) return;
      const missed = this.pendingEntries ?? [];
      this.rules.value = page.rules;
      notedTables([{ id: this.id, number: page.rules.setup?.number ?? null }]);
      // Signed-in people receive their own data. If it is missing, the session has ended: what only they may see stays
      // until they sign in again.
      const unknown = me.peek() != null && page.mine == null;
      if (unknown) sessionUnknown(session);
      else this.staff.value = page.staff == null ? null : rememberNames(page.staff);
      let mine = unknown ? this.mine.value : (page.mine ?? null);
      for (const bet of [...(mine?.bets ?? []), ...(this.staff.value?.bets ?? [])])
        this.tally.registerBet(bet.id, bet.wager);
      for (const entry of missed) {
        if (mine !== null && entry.sequence > page.sequence) mine = follow(mine, entry).mine;
      }
      this.mine.value = mine === null ? null : rememberNames(mine);
      if (this.last < page.sequence) this.last = page.sequence;
      this.applyView(page.view, page.sequence);
      this.problem.value = null;
    } catch (thrown) {
      this.problem.value = asProblem(thrown);
      if (this.rules.value !== null) setTimeout(() => this.refresh(), 2_000);
    } finally {
      this.pendingEntries = null;
      this.loading = false;
      this.answered = performance.now();
      if (this.refreshAgain) {
        this.refreshAgain = false;
        this.refresh();
      }
    }
  }

  private handleFrame(frame: Frame): void {
    if (frame.event === "head") {
      // The server's record is shorter than what was seen: it is another one.
      const { after } = frame.data as { after: number };
      if (after < this.last) this.forget(after);
    } else if (frame.event === "view") {
      const { sequence, ...view } = frame.data as View & { sequence: number };
      this.applyView(view as View, sequence);
      if (sequence <= this.last) this.catchingUp.value = false;
      if (this.staff.value !== null) this.refresh();
    } else if (frame.event === "dropped" || frame.event === "bye") {
      this.connection.value = "lost";
    } else if (frame.id !== null) {
      this.applyEntry(frame.data as Entry);
    }
  }

  private applyEntry(entry: Entry): void {
    if (entry.sequence <= this.last) return;
    if (entry.sequence > this.last + 1) {
      this.catchingUp.value = true;
      this.stream?.restart(); // a gap: the stream resumes after the last entry seen
      return;
    }
    this.last = entry.sequence;
    this.pendingEntries?.push(entry);
    noteEntryTime(entry.at);
    // Bets don't change the step, so no view follows them; staff see the owners all the same.
    if (!this.tally.applyEntry(entry) || this.staff.value !== null) this.refresh();
    this.stakes.value = this.tally.current();
    if (this.mine.value !== null) {
      const { mine, stale } = follow(this.mine.value, entry);
      this.mine.value = mine;
      if (stale || (this.onHand && (entry.mine || MOVES.has(entry.kind)))) this.refresh();
    }
    if (REFRESH_EVENTS.has(entry.kind)) this.refresh();
    this.outcome.value = outcomeAfter(this.outcome.value, entry, this.round);
    if (ENDS_ROUND.has(entry.kind)) this.round = (entry.event?.round as number) + 1;
    const { announced, step, irregularity } = entry.event ?? {};
    if (typeof announced === "string") {
      this.announced.value = { words: announced, by: String(step ?? irregularity), sequence: entry.sequence };
    }
    this.entries.value = [...this.entries.value, entry].slice(-REMEMBERED);
    for (const listener of this.listeners) listener(entry);
    if (this.viewed <= this.last) this.catchingUp.value = false;
  }

  private applyView(view: View, sequence: number): void {
    if (sequence < this.viewed) return;
    this.viewed = sequence;
    this.view.value = view;
    if (sequence >= this.last) this.round = view.round;
    this.tally.setView(view.stakes, sequence);
    this.stakes.value = this.tally.current();
    this.refreshAt(view.ready_until);
    for (const [over, wanted] of this.awaited) if (wanted <= sequence) over();
  }

  /** Some changes depend on time alone: no entry announces them, so the server is asked again then. */
  private refreshAt(moment: string | null): void {
    if (this.scheduledRefresh !== null) clearTimeout(this.scheduledRefresh);
    this.scheduledRefresh = null;
    if (moment === null || this.ended) return;
    const wait = Math.max(0, Date.parse(moment) - serverNow()) + CLOCK_TOLERANCE;
    this.scheduledRefresh = setTimeout(
      () => (wait > LONGEST ? this.refreshAt(moment) : this.refresh()),
      Math.min(wait, LONGEST),
    );
  }

  /** Whether there are bets on a shooter's hand: only the server knows what a roll would do to them, and their odds. */
  private get onHand(): boolean {
    const mine = this.mine.value;
    return this.view.value?.cover === null && mine !== null && mine.bets.length + mine.outlook.length > 0;
  }

  private forget(after: number): void {
    this.last = after;
    this.viewed = 0;
    this.tally = new Stakes();
    this.entries.value = [];
    this.outcome.value = null;
    this.refresh();
  }
}
