/** A player's actions: chips placed, taken off and moved; every action can be undone, and the last round repeated. */

import { batch, type ReadonlySignal, signal } from "@preact/signals";
import type { Problem } from "../../api/problems";
import type { Command } from "../../api/types";
import { announce } from "../../components/announcements";
import { sendCommand } from "../../live/commands";
import { placedBy } from "../../live/stakes";
import type { LiveTable } from "../../live/table";
import type { Bet, BetKind, Entry } from "../../live/view";
import { type Refusal, refusalText } from "./refusals";
import { BetSender } from "./sending";
import { inColour, kindAt, type Moves, opposite, placeOf, plus, total, wagerAt } from "./stake-changes";

const UNDOES = 50;
const LAID = new Set(["BetPlaced", "BetsPlaced", "WagerFound", "BetTakenDown", "PlayerWithdrew"]);
const OPENED = new Set(["BettingOpened", "SeedCommitted", "RoundEnded", "RoundVoided"]);
const CLOSED = new Set(["BettingClosed", "LosersCollected", "WinnersPaid", "Rolled"]);
/** A tip on top of a bet comes off before the bet below it. */
const ON_TOP = "tip on top";
/** A tip in the area is the dealers' bet: the player who gave it can't take it off. */
const DEALERS = "tip in the area";

export class BetSlip {
  /** The amount that a click places. */
  readonly chip = signal(0);
  /** The chips that a click places: cash chips, colour chips, or a tip for the dealers. */
  readonly kind = signal<BetKind>("cash");
  /** The place whose stake the next click moves to another area. */
  readonly carried = signal<string | null>(null);
  /** Placed or taken off here, and not confirmed by the table yet. */
  readonly moving: ReadonlySignal<Moves>;
  readonly acts = signal<readonly Moves[]>([]);
  /** The bets of the last round. */
  readonly last = signal<Moves>({});
  /** The last stake that was refused; null after the next action. */
  readonly refusal = signal<Refusal | null>(null);

  private readonly sending: BetSender;
  private laid: Moves = {};
  /** The number to which a bet has travelled. */
  private numbers = new Map<number, number>();
  private places = new Map<number, string>();

  constructor(private readonly live: LiveTable) {
    this.sending = new BetSender(live, (moves, problem) => this.refused(moves, problem));
    this.moving = this.sending.moving;
  }

  /** Listens to the table until the returned function is called. */
  listen(): () => void {
    this.syncBets();
    this.last.value = this.live.mine.value?.last ?? {};
    const unsubscribe = this.live.subscribe(entry => batch(() => this.handleEntry(entry)));
    return () => {
      unsubscribe();
      this.sending.flush();
    };
  }

  /** Whether a bet is, or was, one's own. */
  owns(bet: number): boolean {
    return this.places.has(bet);
  }

  /** The number of a bet, or its last one before it was settled; null if it has not travelled. */
  numberOf(bet: number): number | null {
    const own = this.live.mine.value?.bets.find(one => one.id === bet);
    return own === undefined ? (this.numbers.get(bet) ?? null) : own.point;
  }

  /** The stakes at each place that may still be moved, including pending ones. */
  stakes(): Record<string, number> {
    const found: Record<string, number> = {};
    for (const bet of this.live.mine.value?.bets ?? []) {
      const at = placeOf(bet.wager, bet.kind);
      if (bet.can_take_down && bet.point === null && bet.kind !== DEALERS) found[at] = (found[at] ?? 0) + bet.amount;
    }
    const moving = Object.entries(this.moving.value).filter(([place]) => kindAt(place) !== DEALERS);
    return plus(found, Object.fromEntries(moving));
  }

  placeChip(wager: string): void {
    const from = this.carried.value;
    const place = placeOf(wager, this.kind.value);
    const chip = this.chip.value;
    if (from !== null) this.carry(from, wager);
    else if (this.roomFor(place) < chip) this.refuse({ about: "most", wager, amount: chip, most: this.maxOn(wager) });
    else this.move({ [place]: chip });
  }

  /** Places an amount on an area, whichever chip is chosen: the odds that the table offers. */
  placeAmount(wager: string, amount: number): void {
    this.move({ [placeOf(wager)]: amount });
  }

  /** Takes down a whole bet, from its number if it has travelled. */
  takeDown({ wager, kind, amount, point }: Bet): void {
    if (point === null) this.removeAll(wager);
    else this.sending.send({}, () => this.send({ type: "TakeDown", wager, kind, amount, point }));
  }

  /** Calls a bet on or off. */
  call({ wager }: Bet, how: "on" | "off"): void {
    this.sending.send({}, () => this.send({ type: "CallBets", how, wagers: [wager] }));
  }

  private send(command: Command): Promise<unknown> {
    return sendCommand(this.live.id, command, { role: "player" });
  }

  /** Takes off the chosen chip, or the whole stake if less than the minimum would remain. */
  removeChip(wager: string): void {
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

  /** Takes off everything on an area, tips on top first. */
  removeAll(wager: string): void {
    const here = Object.entries(this.stakes()).filter(([place]) => wagerAt(place) === wager);
    this.move(opposite(Object.fromEntries(here)));
  }

  clear(): void {
    this.move(opposite(this.stakes()));
  }

  /** Doubles the stake on each area, up to its maximum. */
  doubled(): Moves {
    return this.withinLimits(Object.fromEntries(Object.entries(this.stakes()).filter(([place]) => !isOnTop(place))));
  }

  double(): void {
    this.move(this.doubled());
  }

  /** Repeats the last bets, except on areas with a running bet, which can be neither doubled nor changed. */
  previousBets(): Moves {
    const running = new Set(this.live.mine.value?.bets.filter(bet => bet.running).map(bet => bet.wager));
    return Object.fromEntries(Object.entries(this.last.value).filter(([place]) => !running.has(wagerAt(place))));
  }

  repeat(): void {
    this.move(this.withinLimits(this.previousBets()));
  }

  undo(): void {
    const act = this.acts.value.at(-1);
    if (act === undefined) return;
    this.acts.value = this.acts.value.slice(0, -1);
    this.move(opposite(act), { repeatable: false });
  }

  /** The chips that a player holds: cash chips, or colour chips. */
  available(kind: "cash" | "colour"): number {
    const mine = this.live.mine.value;
    const coloured = total(inColour(this.moving.value));
    if (kind === "colour") return (mine?.purse?.held ?? 0) - coloured;
    return (mine?.balance ?? 0) - (total(this.moving.value) - coloured);
  }

  /** The amount that may still be placed; a tip is the dealers' bet, and the table decides its limits. */
  private roomFor(place: string): number {
    if (kindAt(place).startsWith("tip")) return Number.POSITIVE_INFINITY;
    return this.maxOn(wagerAt(place)) - ownOn(wagerAt(place), this.stakes());
  }

  private maxOn(wager: string): number {
    return this.live.rules.value?.limits[wager]?.stake_max ?? Number.POSITIVE_INFINITY;
  }

  private withinLimits(moves: Moves): Moves {
    return plus(
      {},
      Object.fromEntries(
        Object.entries(moves).map(([place, amount]) => [place, Math.min(amount, Math.max(0, this.roomFor(place)))]),
      ),
    );
  }

  /** Why chips cannot be placed now, before the server is asked; null if they can. */
  private refusalFor(moves: Moves): Refusal | null {
    const laid = Object.fromEntries(Object.entries(moves).filter(([, amount]) => amount > 0));
    const [first] = Object.keys(laid);
    if (first === undefined) return null;
    const about = { wager: Object.keys(laid).length === 1 ? wagerAt(first) : null, amount: total(laid) };
    const view = this.live.view.value;
    if (view !== null && !view.betting && !view.power_failed) {
      const closed = view.phase === "closed" || view.phase === "thrown";
      return { ...about, about: closed ? "late" : "early" };
    }
    for (const kind of ["cash", "colour"] as const) {
      const wanted = Object.entries(moves).filter(([place]) => (kindAt(place) === "colour") === (kind === "colour"));
      const stake = total(Object.fromEntries(wanted));
      if (stake > 0 && stake > this.available(kind)) return { ...about, about: "funds", held: this.available(kind) };
    }
    return null;
  }

  private refuse(refusal: Refusal): void {
    this.refusal.value = refusal;
    const { rules } = this.live;
    announce(refusalText(refusal, rules.value?.money ?? ""));
  }

  /** Handles a refusal: there is less to undo. */
  private refused(moves: Moves, problem: Problem): void {
    let rest = moves;
    this.acts.value = [...this.acts.value]
      .reverse()
      .map(act => {
        const gone = Object.fromEntries(
          Object.entries(act)
            .filter(([place, amount]) => amount * (rest[place] ?? 0) > 0)
            .map(([place, amount]) => [
              place,
              Math.sign(amount) * Math.min(Math.abs(amount), Math.abs(rest[place] ?? 0)),
            ]),
        );
        rest = plus(rest, opposite(gone));
        return plus(act, opposite(gone));
      })
      .filter(act => Object.keys(act).length > 0)
      .reverse();
    const [first, ...more] = Object.entries(moves);
    if (first === undefined) return;
    const [place, amount] = first;
    this.refuse({ about: "problem", wager: more.length === 0 ? wagerAt(place) : null, amount, problem });
  }

  private move(moves: Moves, { repeatable = true } = {}): void {
    const lies = this.stakes();
    const done: Record<string, number> = {};
    for (const [place, amount] of Object.entries(moves)) {
      const moved = Math.max(amount, -(lies[place] ?? 0));
      if (moved !== 0) done[place] = moved;
    }
    if (Object.keys(done).length === 0) return;
    const hindrance = this.refusalFor(done);
    if (hindrance !== null) {
      this.refuse(hindrance);
      return;
    }
    this.refusal.value = null;
    if (repeatable) this.remember(done);
    const tipsFirst = Object.entries(done).sort(([one], [other]) => Number(isOnTop(other)) - Number(isOnTop(one)));
    batch(() => {
      for (const [place, amount] of tipsFirst) {
        if (amount > 0) this.sending.add({ [place]: amount });
        else this.take(place, -amount);
      }
    });
  }

  /** Takes back what was not sent yet; the rest comes off the layout. */
  private take(place: string, amount: number): void {
    const rest = this.sending.withdraw(place, amount);
    if (rest <= 0) return;
    const [wager, kind] = [wagerAt(place), kindAt(place)];
    this.sending.send({ [place]: -rest }, () =>
      sendCommand(this.live.id, { type: "TakeDown", wager, kind, amount: rest }, { role: "player" }),
    );
  }

  /** Moves a whole stake to another area in one command: it is never lost on the way. */
  private carry(from: string, to: string): void {
    this.carried.value = null;
    const [wager, kind] = [wagerAt(from), kindAt(from)];
    const amount = this.stakes()[from] ?? 0;
    if (amount === 0 || wager === to) return;
    const moves = { [from]: -amount, [placeOf(to, kind)]: amount };
    this.remember(moves);
    this.sending.send(moves, () =>
      sendCommand(this.live.id, { type: "MoveBet", wager, to, kind, amount }, { role: "player" }),
    );
  }

  private remember(moves: Moves): void {
    this.acts.value = [...this.acts.value, moves].slice(-UNDOES);
  }

  private handleEntry(entry: Entry): void {
    if (entry.mine && LAID.has(entry.kind)) {
      if (entry.kind === "BetTakenDown") {
        const { bet, amount } = entry.event as { bet: number; amount: number };
        this.sending.confirmed(this.places.get(bet) ?? "", -amount);
      } else
        for (const { wager, amount, kind } of placedBy(entry)) this.sending.confirmed(placeOf(wager, kind), amount);
      this.syncBets();
    }
    if (entry.kind === "Rolled") {
      const rolled = (entry.event?.bets ?? []) as { bet: number; point: number | null }[];
      for (const { bet, point } of rolled) if (point !== null) this.numbers.set(bet, point);
    }
    if (OPENED.has(entry.kind)) this.refusal.value = null;
    if (!CLOSED.has(entry.kind)) return;
    this.acts.value = [];
    this.carried.value = null;
    if (Object.keys(this.laid).length > 0) this.last.value = this.laid;
    this.laid = {};
  }

  /** The current bets are what the next round repeats; tips are placed again each time. */
  private syncBets(): void {
    const laid: Record<string, number> = {};
    for (const bet of this.live.mine.value?.bets ?? []) {
      const at = placeOf(bet.wager, bet.kind);
      this.places.set(bet.id, at);
      if (bet.point !== null) this.numbers.set(bet.id, bet.point);
      if (!bet.running && (bet.kind === "cash" || bet.kind === "colour")) laid[at] = (laid[at] ?? 0) + bet.amount;
    }
    this.laid = laid;
  }
}

/** The player's own chips, cash and colour. */
function ownOn(wager: string, stakes: Moves): number {
  return (stakes[placeOf(wager)] ?? 0) + (stakes[placeOf(wager, "colour")] ?? 0);
}

function isOnTop(place: string): boolean {
  return kindAt(place) === ON_TOP;
}
