/** A set-up as it is typed, and as the server takes it. Amounts are text until they are parsed. */

import type { BookPage, Setup, WagerEntry } from "../../api/types";
import { listed, named, words } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import type { Rules } from "../../live/view";
import { amountText, amountTyped, decimalsOf } from "../../money/amounts";

export const ANY = "*";

export interface LimitRow {
  /** A key for this page only. */
  key: number;
  /** A wager, family or group, or `*`. */
  name: string;
  least: string;
  most: string;
}

export interface Draft {
  /** The table's number on the floor; empty for none. */
  number: string;
  facility: string;
  shaker: "manual" | "automated";
  automatic: boolean;
  betting: string;
  rest: string;
  stack: string;
  real: boolean;
  /** The reference of the electronic tumbler's approval. */
  approval: string;
  limits: readonly LimitRow[];
  payout: string;
  paytables: Record<string, string>;
  readings: Record<string, string>;
  options: Record<string, string>;
}

/** Errors by field: `facility`, `limits.3.least`. */
export type FieldErrors = Record<string, string>;

let lastKey = 0;

export function limitRow(name: string, least = "", most = ""): LimitRow {
  lastKey += 1;
  return { key: lastKey, name, least, most };
}

const STAKE_MIN = 1;
const STAKE_MAX = 500;

/** The defaults of a new table: the manual shaker, limits from 1 to 500 or the book's own. */
export function newDraft(book: BookPage, facility: string): Draft {
  const shakers = shakersOf(book);
  return {
    number: "",
    facility,
    shaker: shakers.includes("manual") || shakers.length === 0 ? "manual" : "automated",
    automatic: false,
    betting: "20",
    rest: "8",
    stack: "1000",
    real: false,
    approval: "",
    limits: [limitRow(ANY, String(STAKE_MIN), String(STAKE_MAX)), ...textLimits(book)],
    payout: "",
    paytables: {},
    readings: {},
    options: {},
  };
}

/** A row for every bet or whole group for which the book sets limits. */
function textLimits(book: BookPage): LimitRow[] {
  const rows = new Map<string, LimitRow>();
  for (const wager of book.wagers) {
    const { limits, group } = wager;
    if (limits === null || (limits.stake_min === null && limits.stake_max === null)) continue;
    const least = String(limits.stake_min ?? STAKE_MIN);
    const most = String(limits.stake_max ?? STAKE_MAX);
    const whole = group !== null && sameLimits(book.wagers.filter(one => one.group === group));
    const name = whole && group !== null ? group : wager.wager;
    if (!rows.has(name)) rows.set(name, limitRow(name, least, most));
  }
  return [...rows.values()];
}

function sameLimits(wagers: readonly WagerEntry[]): boolean {
  const found = wagers.map(one => `${one.limits?.stake_min} ${one.limits?.stake_max}`);
  return new Set(found).size === 1;
}

/** The draft of a set-up in force. */
export function draftOf(setup: Setup): Draft {
  const money = setup.currency;
  const run = setup.automatic ?? null;
  const text = (minor: number): string => plainAmount(minor, money);
  return {
    number: setup.number == null ? "" : String(setup.number),
    facility: setup.facility,
    shaker: setup.shaker ?? "manual",
    automatic: run !== null,
    betting: String(run?.betting_seconds ?? 20),
    rest: String(run?.rest_seconds ?? 8),
    stack: run === null ? "1000" : text(run.play_stack ?? 0),
    real: run?.real_money ?? false,
    approval: run?.approval ?? "",
    limits: Object.entries(setup.limits ?? {}).map(([name, limit]) =>
      limitRow(name, text(limit.stake_min), text(limit.stake_max)),
    ),
    payout: setup.payout_max == null ? "" : text(setup.payout_max),
    paytables: { ...setup.paytables },
    readings: { ...setup.readings },
    options: { ...setup.options },
  };
}

/** An amount as people type it: 500 or 2.50. */
function plainAmount(minor: number, money: string): string {
  const decimals = decimalsOf(money);
  const unit = 10 ** decimals;
  return minor % unit === 0 ? String(minor / unit) : (minor / unit).toFixed(decimals);
}

/** The set-up of a draft, and its errors; the server checks the rest. */
export function setupOf(draft: Draft, book: BookPage): { setup: Setup; wrongs: FieldErrors } {
  const t = floorWords();
  const wrongs: FieldErrors = {};
  const money = book.identity.currency;
  const amount = (text: string, place: string): number => {
    const found = amountTyped(text.trim(), money);
    if (text.trim() === "") wrongs[place] = t.needed;
    else if (found === null) wrongs[place] = t.noAmount;
    return found ?? 0;
  };
  const seconds = (text: string, place: string): number => {
    if (!/^\d{1,4}$/.test(text.trim())) wrongs[place] = t.noNumber;
    return Number(text) || 0;
  };
  const number = draft.number.trim();
  if (number !== "" && !/^[1-9]\d{0,3}$/.test(number)) wrongs.number = t.noNumber;
  if (draft.facility.trim() === "") wrongs.facility = t.needed;
  if (draft.automatic && draft.real && draft.approval.trim() === "") wrongs.approval = t.approvalNeeded;
  const limits: NonNullable<Setup["limits"]> = {};
  for (const row of draft.limits) {
    const place = `limits.${row.key}`;
    if (limits[row.name] !== undefined) wrongs[`${place}.name`] = t.twice;
    const stake_min = amount(row.least, `${place}.least`);
    const stake_max = amount(row.most, `${place}.most`);
    const bad = wrongs[`${place}.least`] ?? wrongs[`${place}.most`];
    if (bad === undefined && stake_min > stake_max) wrongs[`${place}.most`] = t.leastMost;
    limits[row.name] = { stake_min, stake_max };
  }
  const setup: Setup = {
    book: book.book,
    digest: book.digest,
    facility: draft.facility.trim(),
    number: number === "" ? null : Number(number),
    currency: money,
    shaker: draft.shaker,
    limits,
    paytables: draft.paytables,
    readings: draft.readings,
    options: draft.options,
    payout_max: draft.payout.trim() === "" ? null : amount(draft.payout, "payout"),
    automatic: draft.automatic
      ? {
          betting_seconds: seconds(draft.betting, "betting"),
          rest_seconds: seconds(draft.rest, "rest"),
          real_money: draft.real,
          play_stack: amount(draft.stack, "stack"),
          approval: draft.approval.trim(),
        }
      : null,
  };
  return { setup, wrongs };
}

export function shakersOf(book: BookPage): ("manual" | "automated")[] {
  const found = Object.values(book.equipment).flatMap(thing =>
    thing.kind === "shaker" && thing.shaker !== null ? [thing.shaker] : [],
  );
  return [...new Set(found)].sort().reverse();
}

/** The names of everything that can have a limit: all, groups, families, bets. */
export function limitNames(book: BookPage): { value: string; name: string }[] {
  const groups = Object.entries(book.groups).map(([id, group]) => ({ value: id, name: named(group.name) }));
  const families = [...new Set(book.wagers.map(wager => wager.family))]
    .map(family => ({ family, wagers: book.wagers.filter(wager => wager.family === family) }))
    .filter(({ wagers }) => wagers.length > 1)
    .map(({ family, wagers }) => ({ value: family, name: namesText(wagers) }));
  const wagers = book.wagers.map(wager => ({ value: wager.wager, name: named(wager.name) }));
  const all = [{ value: ANY, name: floorWords().all }, ...groups, ...families, ...wagers];
  return [...new Map(all.reverse().map(one => [one.value, one])).values()].reverse();
}

/** Several bets in short: the first and the last of a row. */
export function namesText(wagers: readonly WagerEntry[]): string {
  const first = wagers[0];
  const last = wagers.at(-1);
  if (first === undefined || last === undefined) return "";
  if (wagers.length === 1) return named(first.name);
  const rowOf = wagers.every(one => one.family === first.family);
  if (rowOf || wagers.length > 3) return floorWords().to(named(first.name), named(last.name));
  return listed(wagers.map(one => named(one.name)));
}

export function limitText(limit: Rules["limits"][string], money: string, locale: string): string {
  const text = (minor: number): string => amountText(minor, money, locale, { short: true });
  const most = limit.stake_max === null ? words().limits.none : text(limit.stake_max);
  return floorWords().range(text(limit.stake_min), most);
}
