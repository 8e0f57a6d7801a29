/** The lines of an odds sign: areas of one family with the same odds and limits share one. */

import type { BookPage, Label, WagerEntry } from "../../api/types";
import { language, listed, named } from "../../i18n";
import { playWords } from "../../i18n/words/play";
import type { Rules } from "../../live/view";
import { oddsWords, payTable } from "../../money/odds";

export interface SignLine {
  name: string;
  /** What all ways to win have in common, stated once; empty if nothing. */
  note: string;
  /** Each way to win with its odds; one without a condition if all pay the same. */
  pays: { when: string | null; odds: string }[];
  commission: WagerEntry["commission"];
  limit: Rules["limits"][string] | undefined;
  /** The payout limit that the book sets for a bet, in whole units. */
  cap: number | null;
}

export interface SignPart {
  /** The group's name; empty where the book has no groups. */
  title: string;
  lines: SignLine[];
}

/** Longer lists of selections are left out: the layout shows them. */
const SELECTIONS = 6;

/** A family with at most this many odds is one line: "Place: 4, 10 9 to 5 · 5, 9 7 to 5 · 6, 8 7 to 6". */
const JOINED_LINES_MAX = 3;

export function signParts(book: BookPage, rules: Rules): SignPart[] {
  const parts = new Map<string, WagerEntry[]>();
  for (const wager of book.wagers) {
    const group = wager.group ?? "";
    parts.set(group, [...(parts.get(group) ?? []), wager]);
  }
  return [...parts].map(([group, wagers]) => {
    const found = book.groups[group];
    return { title: found === undefined ? "" : named(found.name), lines: linesOf(wagers, rules, book) };
  });
}

function linesOf(wagers: readonly WagerEntry[], rules: Rules, book: BookPage): SignLine[] {
  const families = new Map<string, WagerEntry[]>();
  for (const wager of wagers) families.set(wager.family, [...(families.get(wager.family) ?? []), wager]);
  return [...families.values()].flatMap(family => {
    const alike = new Map<string, SignLine & { same: WagerEntry[] }>();
    for (const wager of family) {
      const line = {
        name: "",
        ...shortened(paysOf(wager, rules, book), wager.decided === "count"),
        commission: wager.commission,
        limit: rules.limits[wager.wager],
        cap: wager.limits?.payoff_max ?? null,
      };
      const key = JSON.stringify([line.pays, limitsOf(line)]);
      alike.set(key, { ...line, same: [...(alike.get(key)?.same ?? []), wager] });
    }
    const lines = [...alike.values()];
    return (
      inOneLine(lines) ?? lines.map(({ same, ...line }) => ({ ...line, name: lineName(same, lines.length === 1) }))
    );
  });
}

function limitsOf(line: SignLine): string {
  return JSON.stringify([line.limit?.stake_min, line.limit?.stake_max, line.cap]);
}

/** Merges the lines of a family into one, if each has one way to win and their limits are the same; null if not. */
function inOneLine(lines: readonly (SignLine & { same: readonly WagerEntry[] })[]): SignLine | null {
  const [first] = lines;
  const wager = first?.same[0];
  if (first === undefined || wager === undefined || lines.length < 2 || lines.length > JOINED_LINES_MAX) return null;
  const simple = lines.every(one => one.pays.length === 1 && one.pays[0]?.when === null);
  if (!simple || lines.some(one => limitsOf(one) !== limitsOf(first))) return null;
  const pays = lines.map(({ same, pays: [paid] }, index) => ({
    when:
      same.length > SELECTIONS && index > 0
        ? playWords().oddsSign.others
        : listed(same.map(one => one.selection ?? "")),
    odds: paid?.odds ?? "",
  }));
  const { note, commission, limit, cap } = first;
  return { name: commonName(wager), note, pays, commission, limit, cap };
}

function paysOf(wager: WagerEntry, rules: Rules, book: BookPage): SignLine["pays"] {
  const rows = payingRows(wager, rules.paytables[wager.wager]);
  const won = new Set(rows.filter(one => !one.push).map(one => one.pays));
  if (won.size === 1 && !rows.some(one => one.push))
    return [...won].map(pays => ({ when: null, odds: oddsWords(pays) }));
  const whens = new Map<string, string[]>();
  for (const { row, pays, push } of rows) {
    const when = won.size === 1 && !push ? [] : [whenOf(row, wager, book, push)];
    whens.set(pays, [...(whens.get(pays) ?? []), ...when]);
  }
  return [...whens].map(([pays, when]) => ({ when: when.length === 0 ? null : listed(when), odds: oddsWords(pays) }));
}

/** When a row is reached, in short: by the number or the bet that it is named after, or else in the book's words. */
function whenOf(row: string, wager: WagerEntry, book: BookPage, push: boolean): string {
  const after = book.wagers.find(one => one.wager === row);
  if (after !== undefined) return named(after.name);
  if (wager.decided !== "count" && /^\d+$/.test(row)) return row;
  // Names of rows are the book's English, and those of a count are bare numbers.
  if (language.value === "en" && wager.decided !== "count" && !push) return row;
  // Chinese has a space before a number, but none before the words that replace it.
  const selection = new RegExp(`${language.value === "en" ? "" : " ?"}${wager.selection}$`);
  return (wager.wins[row] ?? row).replace(selection, playWords().oddsSign.chosen);
}

/** "3 points made when the seven-out comes" becomes "3", with the rest as a note; in Chinese the note comes first. */
function shortened(pays: SignLine["pays"], counts: boolean): Pick<SignLine, "pays" | "note"> {
  const whens = pays.map(one => one.when ?? "");
  const shared = language.value === "en" ? sharedEnd(whens) : sharedStart(whens);
  if (shared === "") return { pays, note: "" };
  const rest = pays.map(({ when, odds }) => ({ when: (when ?? "").replace(shared, "").trim(), odds }));
  return { pays: rest, note: counts ? playWords().oddsSign.counted(shared.trim()) : shared.trim() };
}

/** The common ending of all sentences, if there are at least two words. */
function sharedEnd(sentences: readonly string[]): string {
  const words = sentences.map(one => one.split(" "));
  const [first = []] = words;
  let shared = 0;
  const same = (count: number): boolean =>
    words.every(one => one.length > count && one.at(-count) === first.at(-count));
  while (words.length > 1 && same(shared + 1)) shared += 1;
  return shared < 2 ? "" : ` ${first.slice(-shared).join(" ")}`;
}

/** The common beginning of all sentences up to a number, if there are at least four characters. */
function sharedStart(sentences: readonly string[]): string {
  const [first = "", ...others] = sentences;
  let shared = 0;
  while (shared < first.length && others.every(one => one[shared] === first[shared])) shared += 1;
  const start = first.slice(0, shared).replace(/\d+$/, "");
  return others.length === 0 || start.length < 4 ? "" : start;
}

/** The rows in which the stake is not lost. Odds that are returned because their bet was decided are not a way to win. */
function payingRows(
  wager: WagerEntry,
  chosen: string | null | undefined,
): { row: string; pays: string; push: boolean }[] {
  const table = payTable(wager, chosen);
  return wager.rows.flatMap(row => {
    const pays = table?.pays[row];
    const gain = table?.gains[row]?.value ?? -1;
    const push = gain === 0;
    return pays === undefined || gain <= -1 || (push && wager.parent !== null) ? [] : [{ row, pays, push }];
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
  /** The bets concerned. */
  wagers: string;
  says: Label;
}

/** The readings in use that change what a bet pays or when it wins. */
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
