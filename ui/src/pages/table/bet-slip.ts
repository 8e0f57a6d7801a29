/** A player's hand: chips laid, taken off and carried; every act can be undone, and the last round repeated. */

import { batch, type ReadonlySignal, signal } from "@preact/signals";
import { ask } from "../../live/commands";
import { placedBy } from "../../live/stakes";
import type { LiveTable } from "../../live/table";
import type { BetKind, Entry } from "../../live/view";
import { Sending } from "./sending";
import { kindAt, type Moves, opposite, placeOf, plus, wagerAt } from "./stake-changes";

const UNDOES = 50;
const LAID = new Set(["BetPlaced", "BetsPlaced", "WagerFound", "BetTakenDown", "PlayerWithdrew"]);
const CLOSED = new Set(["BettingClosed", "LosersCollected", "WinnersPaid", "Rolled"]);
/** A tip that lies on top of a bet comes off before the bet beneath it. */
const ON_TOP = "tip on top";
/** A tip in the area is the dealers' bet: who gave it does not take it off. */
const DEALERS = "tip in the area";

export class Hand {
  /** What a click lays. */
  readonly chip = signal(0);
  /** Whose chips a click lays: cash chips, colour chips, or a tip for the dealers. */
  readonly kind = signal<BetKind>("cash");
  /** The place whose stake the next click carries to another area. */
  readonly carried = signal<string | null>(null);
  /** Laid or taken off here, and not told by the table yet. */
  readonly moving: ReadonlySignal<Moves>;
  readonly acts = signal<readonly Moves[]>([]);
  /** What was bet in the last round. */
  readonly last = signal<Moves>({});

  private readonly sending: Sending;
  private laid: Moves = {};
  private places = new Map<number, string>();

  constructor(private readonly live: LiveTable) {
    this.sending = new Sending(live);
    this.moving = this.sending.moving;
  }

  /** Listens to the table, until what it gives back is called. */
  listen(): () => void {
    this.know();
    this.last.value = this.live.mine.value?.last ?? {};
    const unheard = this.live.hear(entry => batch(() => this.heard(entry)));
    return () => {
      unheard();
      this.sending.flush();
    };
  }

  /** Whether a bet is, or was, one's own. */
  owns(bet: number): boolean {
    return this.places.has(bet);
  }

  /** What lies at each place and may still be moved, with what is on its way. */
  stakes(): Record<string, number> {
    const found: Record<string, number> = {};
    for (const bet of this.live.mine.value?.bets ?? []) {
      const at = placeOf(bet.wager, bet.kind);
      if (!bet.running && bet.kind !== DEALERS) found[at] = (found[at] ?? 0) + bet.amount;
    }
    const moving = Object.entries(this.moving.value).filter(([place]) => kindAt(place) !== DEALERS);
    return plus(found, Object.fromEntries(moving));
  }

  lay(wager: string): void {
    const from = this.carried.value;
    if (from !== null) this.carry(from, wager);
    else this.move({ [placeOf(wager, this.kind.value)]: this.chip.value });
  }

  /** The chosen chip comes off; all of the stake, where less than the minimum would stay. */
  takeOff(wager: string): void {
    const stakes = this.stakes();
    const kinds: BetKind[] = [ON_TOP, this.kind.value, "cash", "colour"];
    const at = kinds.map(kind => placeOf(wager, kind)).find(place => (stakes[place] ?? 0) > 0);
    if (at === undefined) return;
    const lies = stakes[at] ?? 0;
    const chip = kindAt(at) === "colour" ? (this.live.mine.value?.colour_value ?? lies) : this.chip.value;
    const beside = kindAt(at) === ON_TOP ? 0 : ownOn(wager, stakes) - lies;
    const least = this.live.rules.value?.limits[wager]?.stake_min ?? 0;
    this.move({ [at]: -(lies - chip + beside < least ? lies : chip) });
  }

  /** All that lies on an area, tips on top first. */
  takeAll(wager: string): void {
    const here = Object.entries(this.stakes()).filter(([place]) => wagerAt(place) === wager);
    this.move(opposite(Object.fromEntries(here)));
  }

  clear(): void {
    this.move(opposite(this.stakes()));
  }

  double(): void {
    this.move(Object.fromEntries(Object.entries(this.stakes()).filter(([place]) => kindAt(place) !== ON_TOP)));
  }

  /** The bets of last time, but for areas where one's bet still runs: that can be neither doubled nor changed. */
  again(): Moves {
    const running = new Set(this.live.mine.value?.bets.filter(bet => bet.running).map(bet => bet.wager));
    return Object.fromEntries(Object.entries(this.last.value).filter(([place]) => !running.has(wagerAt(place))));
  }

  repeat(): void {
    this.move(this.again());
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
    for (const [place, amount] of Object.entries(moves)) {
      const moved = Math.max(amount, -(lies[place] ?? 0));
      if (moved !== 0) done[place] = moved;
    }
    if (Object.keys(done).length === 0) return;
    if (again) this.remember(done);
    const tipsFirst = Object.entries(done).sort(([one], [other]) => Number(isOnTop(other)) - Number(isOnTop(one)));
    batch(() => {
      for (const [place, amount] of tipsFirst) {
        if (amount > 0) this.sending.gather({ [place]: amount });
        else this.take(place, -amount);
      }
    });
  }

  /** First what was not sent yet; the rest comes off the layout. */
  private take(place: string, amount: number): void {
    const rest = this.sending.ungather(place, amount);
    if (rest <= 0) return;
    const [wager, kind] = [wagerAt(place), kindAt(place)];
    this.sending.send({ [place]: -rest }, () =>
      ask(this.live.id, { type: "TakeDown", wager, kind, amount: rest }, { role: "player" }),
    );
  }

  /** A whole stake to another area, in one act: it is there or here, never neither. */
  private carry(from: string, to: string): void {
    this.carried.value = null;
    const [wager, kind] = [wagerAt(from), kindAt(from)];
    const amount = this.stakes()[from] ?? 0;
    if (amount === 0 || wager === to) return;
    const moves = { [from]: -amount, [placeOf(to, kind)]: amount };
    this.remember(moves);
    this.sending.send(moves, () => ask(this.live.id, { type: "MoveBet", wager, to, kind, amount }, { role: "player" }));
  }

  private remember(moves: Moves): void {
    this.acts.value = [...this.acts.value, moves].slice(-UNDOES);
  }

  private heard(entry: Entry): void {
    if (entry.mine && LAID.has(entry.kind)) {
      if (entry.kind === "BetTakenDown") {
        const { bet, amount } = entry.event as { bet: number; amount: number };
        this.sending.confirmed(this.places.get(bet) ?? "", -amount);
      } else
        for (const { wager, amount, kind } of placedBy(entry)) this.sending.confirmed(placeOf(wager, kind), amount);
      this.know();
    }
    if (!CLOSED.has(entry.kind)) return;
    this.acts.value = [];
    this.carried.value = null;
    if (Object.keys(this.laid).length > 0) this.last.value = this.laid;
    this.laid = {};
  }

  /** What lies there now is what the next round repeats; tips are given anew each time. */
  private know(): void {
    const laid: Record<string, number> = {};
    for (const bet of this.live.mine.value?.bets ?? []) {
      const at = placeOf(bet.wager, bet.kind);
      this.places.set(bet.id, at);
      if (!bet.running && (bet.kind === "cash" || bet.kind === "colour")) laid[at] = (laid[at] ?? 0) + bet.amount;
    }
    this.laid = laid;
  }
}

/** Of a player's own chips, cash and colour. */
function ownOn(wager: string, stakes: Moves): number {
  return (stakes[placeOf(wager)] ?? 0) + (stakes[placeOf(wager, "colour")] ?? 0);
}

function isOnTop(place: string): boolean {
  return kindAt(place) === ON_TOP;
}
