/** A round to play back: what the layout shows and what money has moved after each of its entries. */

import { useEffect, useState } from "preact/hooks";
import { useAsked } from "../../api/asking";
import { api, told } from "../../api/client";
import type { JournalEntry, RoundReplay } from "../../api/types";
import { noted } from "../../live/names";
import type { Lammers, Line } from "../../live/view";
import { type Moved, movedBy } from "./money";

/** The layout at one moment of the round. */
export interface Moment {
  /** null before the first entry. */
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
  /** Wagers that this entry settles, and areas whose losing chips it takes. */
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

/** Every moment of a round: the one before its first entry, and one after each. */
export function momentsOf(replay: RoundReplay): Moment[] {
  const moments = [shown(NOTHING, replay.before)];
  for (const { entry, shows, later } of replay.frames) {
    const before = moments.at(-1) ?? NOTHING;
    const now = movedBy(entry.transfers);
    moments.push({
      ...shown(before, shows),
      ...settled(entry),
      entry,
      later: later ?? false,
      now,
      since: movedBy(entry.transfers, before.since),
    });
  }
  return moments;
}

function shown(before: Moment, shows: Shows): Moment {
  const stakes = { ...before.stakes, ...shows.stakes };
  return {
    ...before,
    phase: shows.phase ?? before.phase,
    dice: shows.dice ?? before.dice,
    lit: shows.lit ?? before.lit,
    point: shows.point === undefined ? before.point : shows.point,
    shooter: shows.shooter === undefined ? before.shooter : shows.shooter,
    covered: shows.cover === undefined ? before.covered : shows.cover === "on",
    lammers: (shows.lammers as Record<string, Lammers> | undefined) ?? before.lammers,
    chances: shows.chances ?? before.chances,
    stakes: Object.fromEntries(Object.entries(stakes).filter(([, amount]) => amount > 0)),
  };
}

/** The wagers that an entry settles, and what that does to the chips. */
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

/** So many entries of a round are played back; who wants more of it reads the journal. */
const MOST = 8_000;

/** The whole round, part by part where it is long. */
export function useReplay(table: string, round: number) {
  const first = useAsked(() => part(table, round, 0), [table, round]);
  const [whole, setWhole] = useState<RoundReplay | null>(null);
  const told = first.asked.state === "here" ? first.asked.told : null;
  const here = whole ?? told;
  useEffect(() => {
    let wanted = true;
    setWhole(null);
    const goOn = async (so: RoundReplay): Promise<void> => {
      if (so.next === null || so.frames.length >= MOST) return;
      const more = await part(table, round, so.next);
      if (!wanted) return;
      const longer = { ...so, frames: [...so.frames, ...more.frames], next: more.next, broken: more.broken ?? null };
      setWhole(longer);
      await goOn(longer);
    };
    if (told !== null) goOn(told).catch(() => undefined);
    return () => {
      wanted = false;
    };
  }, [told]);
  return { asked: first.asked, again: first.again, replay: here, cut: (here?.frames.length ?? 0) >= MOST };
}

function part(table: string, number: number, after: number): Promise<RoundReplay> {
  const query = after === 0 ? {} : { after };
  return told(api.GET("/api/v1/journal/{table}/rounds/{number}", { params: { path: { table, number }, query } })).then(
    noted,
  );
}

/** Moves on by itself while it plays; at the end it stops. */
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
