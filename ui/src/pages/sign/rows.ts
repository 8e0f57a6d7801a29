/** The lines of an odds sign: areas of one family with the same odds and limits share one. */

import type { BookPage, WagerEntry } from "../../api/types";
import { language, listed, named } from "../../i18n";
import { playWords } from "../../i18n/words/play";
import type { Rules } from "../../live/view";
import { oddsWords, payTable } from "../../money/odds";

export interface SignLine {
  name: string;
  /** What all ways to win have in common, said once; empty where there is nothing. */
  note: string;
  /** Each way to win with its odds; one without a condition where all pay the same. */
  pays: { when: string | null; odds: string }[];
  limit: Rules["limits"][string] | undefined;
  /** The most that the text lets a wager win, in whole units. */
  cap: number | null;
}

export interface SignPart {
  /** The group's name; empty where the book has no groups. */
  title: string;
  lines: SignLine[];
}

/** Longer lists of selections are left out: the layout shows them. */
const SELECTIONS = 6;

export function signParts(book: BookPage, rules: Rules): SignPart[] {
  const parts = new Map<string, WagerEntry[]>();
  for (const wager of book.wagers) {
    const group = wager.group ?? "";
    parts.set(group, [...(parts.get(group) ?? []), wager]);
  }
  return [...parts].map(([group, wagers]) => {
    const found = book.groups[group];
    return { title: found === undefined ? "" : named(found.name), lines: linesOf(wagers, rules) };
  });
}

function linesOf(wagers: readonly WagerEntry[], rules: Rules): SignLine[] {
  const alike = new Map<string, WagerEntry[]>();
  for (const wager of wagers) {
    const { stake_min, stake_max } = rules.limits[wager.wager] ?? { stake_min: 0, stake_max: 0 };
    const key = JSON.stringify([wager.family, paysOf(wager, rules), stake_min, stake_max, capOf(wager)]);
    alike.set(key, [...(alike.get(key) ?? []), wager]);
  }
  return [...alike.values()].flatMap(same => {
    const [first] = same;
    if (first === undefined) return [];
    const family = wagers.filter(one => one.family === first.family);
    return [
      {
        name: lineName(same, same.length === family.length),
        ...shortened(paysOf(first, rules)),
        limit: rules.limits[first.wager],
        cap: capOf(first),
      },
    ];
  });
}

function capOf(wager: WagerEntry): number | null {
  return wager.limits?.payoff_max ?? null;
}

function paysOf(wager: WagerEntry, rules: Rules): SignLine["pays"] {
  const rows = kept(wager, rules.paytables[wager.wager]);
  if (new Set(rows.map(one => one.pays)).size <= 1) {
    return rows.slice(0, 1).map(one => ({ when: null, odds: oddsWords(one.pays) }));
  }
  // The names of rows are the book's English, and those of a count are bare numbers.
  const named = language.value === "en" && wager.decided !== "count";
  const chosen = new RegExp(`${wager.selection}$`);
  const when = (row: string): string =>
    named ? row : (wager.wins[row] ?? row).replace(chosen, playWords().oddsSign.chosen);
  return rows.map(one => ({ when: when(one.row), odds: oddsWords(one.pays) }));
}

/** In English "3 points made when the seven-out comes" becomes "3", with the rest of it as a note. */
function shortened(pays: SignLine["pays"]): Pick<SignLine, "pays" | "note"> {
  if (language.value !== "en") return { pays, note: "" };
  const words = pays.map(one => one.when?.split(" ") ?? []);
  const [first = []] = words;
  let shared = 0;
  const same = (count: number): boolean =>
    words.every(one => one.length > count && one.at(-count) === first.at(-count));
  while (words.length > 1 && same(shared + 1)) shared += 1;
  if (shared < 2) return { pays, note: "" };
  const rest = pays.map((one, index) => ({ ...one, when: words[index]?.slice(0, -shared).join(" ") ?? one.when }));
  return { pays: rest, note: first.slice(-shared).join(" ") };
}

/** The rows in which the stake is not lost, pushes among them. */
function kept(wager: WagerEntry, chosen: string | null | undefined): { row: string; pays: string }[] {
  const table = payTable(wager, chosen);
  return wager.rows.flatMap(row => {
    const pays = table?.pays[row];
    return pays !== undefined && (table?.gains[row]?.value ?? -1) > -1 ? [{ row, pays }] : [];
  });
}

/** "Three of a kind", "Total 4, 17" or "Small". */
function lineName(same: readonly WagerEntry[], whole: boolean): string {
  const [first] = same;
  if (first === undefined) return "";
  if (same.length === 1) return named(first.name);
  const selections = same.map(one => one.selection ?? "");
  if (whole && selections.length > SELECTIONS) return commonName(first);
  return named(first.name).replace(first.selection ?? "", listed(selections));
}

/** An area's name without its selection. */
function commonName(wager: WagerEntry): string {
  return named(wager.name)
    .replace(wager.selection ?? "", "")
    .replace(/\s+/g, " ")
    .trim();
}

export interface SignReading {
  /** The wagers that it is about. */
  wagers: string;
  says: string;
}

/** How the text is read here, where the choice changes what a wager pays or when it wins. */
export function signReadings(book: BookPage): SignReading[] {
  return Object.entries(book.readings).flatMap(([name, reading]) => {
    const about = book.wagers.filter(wager => name in wager.readings);
    const says = reading.choices[reading.chosen]?.says;
    return about.length === 0 || says === undefined ? [] : [{ wagers: aboutWhat(book, about), says }];
  });
}

function aboutWhat(book: BookPage, wagers: readonly WagerEntry[]): string {
  const names = wagers.map(wager => {
    const group = book.groups[wager.group ?? ""];
    return group === undefined ? commonName(wager) : named(group.name);
  });
  return listed([...new Set(names)]);
}
