/** The replay of a round: the layout and the money after each of its entries. */

import { useEffect, useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import type { JournalEntry, RoundReplay } from "../../api/types";
import { useRequest } from "../../api/use-request";
import { language } from "../../i18n";
import { rememberNames } from "../../live/names";
import type { Lammers, Line } from "../../live/view";
import { type Moved, movedBy } from "./money";

/** The layout at one point of the round. */
export interface Moment {
  /** Null before the first entry. */
  entry: JournalEntry | null;
  later: boolean;
  phase: string;
  dice: readonly number[];
  lit: readonly string[];
  point: number | null;
  shooter: string | null;
  covered: boolean;
  lammers: Record<string, Lammers>;
  chances: Record<string, string>;
  stakes: Record<string, number>;
  /** Bets that this entry settles, and areas whose losing chips it collects. */
  lines: readonly Line[];
  swept: ReadonlySet<string>;
  paid: Record<string, number>;
  now: Moved;
  since: Moved;
}

type Shows = RoundReplay["before"];

const NOTHING: Moment = {
  entry: null,
  later: false,
  phase: "",
  dice: [],
  lit: [],
  point: null,
  shooter: null,
  covered: false,
  lammers: {},
  chances: {},
  stakes: {},
  lines: [],
  swept: new Set(),
  paid: {},
  now: new Map(),
  since: new Map(),
};

/** The distance between stored states; those in between are computed on demand. */
const STRIDE = 256;

/** A round of any length: the state before its first entry, and one after each. */
export class Playback {
  /** The index of the last state. */
  readonly last: number;
  private readonly snapshots: Moment[];

  constructor(private readonly replay: RoundReplay) {
    this.last = replay.frames.length;
    this.snapshots = [after(NOTHING, replay.before, [])];
  }

  at(place: number): Moment {
    const wanted = Math.max(0, Math.min(this.last, place));
    const { frames } = this.replay;
    const mark = Math.floor(wanted / STRIDE);
    for (let next = this.snapshots.length; next <= mark; next += 1) {
      this.snapshots.push(
        after(this.snapshots[next - 1] ?? NOTHING, {}, frames.slice((next - 1) * STRIDE, next * STRIDE)),
      );
    }
    return after(this.snapshots[mark] ?? NOTHING, {}, frames.slice(mark * STRIDE, wanted));
  }

  /** The entry of a state; null before the first. */
  entry(place: number): JournalEntry | null {
    return this.replay.frames[place - 1]?.entry ?? null;
  }

  /** The state of an entry; the first if there is no such entry. */
  placeOf(sequence: string | null): number {
    return sequence === null ? 0 : this.replay.frames.findIndex(one => String(one.entry.sequence) === sequence) + 1;
  }
}

/** Returns the state after more entries. */
function after(start: Moment, before: Shows, frames: readonly RoundReplay["frames"][number][]): Moment {
  const stakes = { ...start.stakes };
  const since = new Map(start.since);
  const now: Moment = { ...start, stakes, since };
  show(now, stakes, before);
  for (const { entry, shows } of frames) {
    show(now, stakes, shows);
    for (const { legs } of entry.transfers) {
      for (const { account, amount } of legs) since.set(account, (since.get(account) ?? 0) + amount);
    }
  }
  const last = frames.at(-1);
  if (last === undefined) return now;
  const { entry, later = false } = last;
  return { ...now, ...settled(entry), entry, later, now: movedBy(entry.transfers) };
}

/** Updates a state, and its own stakes, with an entry. */
function show(now: Moment, stakes: Record<string, number>, shows: Shows): void {
  for (const [wager, amount] of Object.entries(shows.stakes ?? {})) {
    if (amount > 0) stakes[wager] = amount;
    else delete stakes[wager];
  }
  now.phase = shows.phase ?? now.phase;
  now.dice = shows.dice ?? now.dice;
  now.lit = shows.lit ?? now.lit;
  now.point = shows.point === undefined ? now.point : shows.point;
  now.shooter = shows.shooter === undefined ? now.shooter : shows.shooter;
  now.covered = shows.cover === undefined ? now.covered : shows.cover === "on";
  now.lammers = shows.lammers ?? now.lammers;
  now.chances = shows.chances ?? now.chances;
}

/** The bets that an entry settles, and the effect on the chips. */
function settled(entry: JournalEntry): Pick<Moment, "lines" | "swept" | "paid"> {
  const lines = ((entry.event.lines ?? entry.event.undone ?? []) as Line[]).slice();
  const paid: Record<string, number> = {};
  const swept = new Set<string>();
  for (const line of lines) {
    if (entry.kind === "LosersCollected") swept.add(line.wager);
    if (entry.kind === "WinnersPaid" && line.net > 0) paid[line.wager] = (paid[line.wager] ?? 0) + line.net;
  }
  return { lines, swept, paid };
}

/** Loads the whole round, in parts if it is long. */
export function useReplay(table: string, round: number) {
  const first = useRequest(() => part(table, round, 0), [table, round, language.value]);
  const [whole, setWhole] = useState<RoundReplay | null>(null);
  const firstPage = first.response.state === "loaded" ? first.response.data : null;
  useEffect(() => {
    let wanted = true;
    setWhole(null);
    const goOn = async (so: RoundReplay): Promise<void> => {
      if (so.next === null) return;
      const more = await part(table, round, so.next);
      if (!wanted) return;
      const longer = { ...so, frames: [...so.frames, ...more.frames], next: more.next, broken: more.broken ?? null };
      setWhole(longer);
      await goOn(longer);
    };
    if (firstPage !== null) goOn(firstPage).catch(() => undefined);
    return () => {
      wanted = false;
    };
  }, [firstPage]);
  return { response: first.response, reload: first.reload, replay: whole ?? firstPage };
}

function part(table: string, number: number, after: number): Promise<RoundReplay> {
  const query = after === 0 ? {} : { after };
  return unwrap(
    api.GET("/api/v1/journal/{table}/rounds/{number}", { params: { path: { table, number }, query } }),
  ).then(rememberNames);
}

/** Advances automatically while playing; stops at the end. */
export function usePlaying(at: number, last: number, every: number, onStep: (at: number) => void) {
  const [playing, setPlaying] = useState(false);
  useEffect(() => {
    if (!playing) return;
    if (at >= last) {
      setPlaying(false);
      return;
    }
    const timer = setTimeout(() => onStep(at + 1), every);
    return () => clearTimeout(timer);
  }, [playing, at, last, every]);
  return { playing, setPlaying };
}
