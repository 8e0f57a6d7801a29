/** Display names of people. Data for staff includes the names of the people concerned. */

import { effect, signal } from "@preact/signals";
import { api, unwrap } from "../api/client";
import type { Label } from "../api/types";
import { bracketed, named, words } from "../i18n";
import { actorName } from "../i18n/names";
import { me } from "../shell/session";

type Names = Readonly<Record<string, string>>;

/** By sign-in name; people whose display name is the same are left out. */
const knownNames = signal<Names>({});

/** Stores the names in a response, and returns the response. */
export function rememberNames<Data extends { names?: Names }>(data: Data): Data {
  const news = Object.entries(data.names ?? {}).some(([name, displayName]) => knownNames.peek()[name] !== displayName);
  if (news) knownNames.value = { ...knownNames.peek(), ...data.names };
  return data;
}

/** The prefix of players without an account. */
export const WALK_IN = "walk-in:";

/** The owner of a ledger account: `player:ann:USD`, `player:walk-in:Bob:USD:t1:blue`. */
export function playerOf(account: string): string {
  const rest = account.replace(/^player:/, "");
  return rest.split(":", rest.startsWith(WALK_IN) ? 2 : 1).join(":");
}

/** A person in a sentence: the display name, with the sign-in name if another person has the same display name. */
export function personName(name: string): string {
  const own = actorName(name);
  if (own !== null) return own;
  if (name.startsWith(WALK_IN)) return words().people.walkIn(name.slice(WALK_IN.length));
  const names = knownNames.value;
  const displayName = displayNameOf(names, name);
  if (displayName === name) return name;
  const same =
    Object.keys(names).some(one => one !== name && displayNameOf(names, one) === displayName) || displayName in names;
  return same ? displayName + bracketed(name) : displayName;
}

/** The numbers of tables on the floor by id; null for those without one. */
const numbers = signal<Readonly<Record<string, number | null>>>({});
let request = false;

/** Remembers the numbers of tables, and hands the tables on. */
export function notedTables<Data extends readonly { id: string; number?: number | null }[]>(tables: Data): Data {
  const data = Object.fromEntries(tables.map(one => [one.id, one.number ?? null]));
  if (Object.entries(data).some(([id, number]) => numbers.peek()[id] !== number)) {
    numbers.value = { ...numbers.peek(), ...data };
  }
  return tables;
}

/** The number of a table: the one that the house gives it, or else the one in its id, like 3 in "t3". */
export function tableNumber(id: string): number | null {
  const given = numbers.value[id];
  if (given === undefined) queueMicrotask(() => void askNumbers(id));
  const inId = /^(?:t|table)?[-_ ]?(\d+)$/i.exec(id)?.[1];
  return given ?? (inId === undefined ? null : Number(inId));
}

/** Asks for the tables once for one that is unknown; without an answer it keeps the name of its id. */
async function askNumbers(id: string): Promise<void> {
  if (request || numbers.peek()[id] !== undefined) return;
  request = true;
  try {
    const tables = await unwrap(api.GET("/api/v1/tables"));
    notedTables([{ id, number: null }, ...tables]);
  } catch {
    notedTables([{ id, number: null }]);
  } finally {
    request = false;
  }
}

/** A table's display name: "Table 3", or "Singapore Live" for singapore-live without a number. */
export function tableLabel(id: string): string {
  const number = tableNumber(id);
  if (number !== null) return words().people.tableNumber(number);
  return id.replace(/[-_]+/g, " ").replace(/\b[a-z]/g, letter => letter.toUpperCase());
}

/** The order of tables: by their numbers, then by the names of those without. */
export function byTable(one: string, other: string): number {
  const [first, second] = [tableNumber(one), tableNumber(other)];
  if (first !== null && second !== null && first !== second) return first - second;
  if ((first === null) !== (second === null)) return first === null ? 1 : -1;
  return one < other ? -1 : Number(one > other);
}

/** A table with what is played there: "Table 3 · Sic Bo (SG)". A title that names a table without a number is enough. */
export function tableName(id: string, book: { title: Label; short?: Label | null }): string {
  const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
  const label = tableLabel(id);
  const short = named(book.short ?? book.title);
  return tableNumber(id) === null && letters(book.title.en).includes(letters(label)) ? short : `${label} · ${short}`;
}

function displayNameOf(names: Names, name: string): string {
  return name === me.value?.name ? me.value.shown : (names[name] ?? name);
}

// Names are cleared when someone else signs in on the same screen.
let who: string | undefined;
effect(() => {
  if (me.value?.name !== who) knownNames.value = {};
  who = me.value?.name;
});
