/** Display names of people. Data for staff includes the names of the people concerned. */

import { effect, signal } from "@preact/signals";
import type { Label } from "../api/types";
import { named, words } from "../i18n";
import { actorName } from "../i18n/names";
import { me } from "../shell/session";

type Names = Readonly<Record<string, string>>;

/** By sign-in name; people whose display name is the same are left out. */
const known = signal<Names>({});

/** Stores the names in a response, and returns the response. */
export function noted<Told extends { names?: Names }>(told: Told): Told {
  const news = Object.entries(told.names ?? {}).some(([name, shown]) => known.peek()[name] !== shown);
  if (news) known.value = { ...known.peek(), ...told.names };
  return told;
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
  const names = known.value;
  const shown = shownOf(names, name);
  if (shown === name) return name;
  const same = Object.keys(names).some(one => one !== name && shownOf(names, one) === shown) || shown in names;
  return same ? `${shown} (${name})` : shown;
}

/** A table's display name: "Table 3" for t3, "Singapore Live" for singapore-live. */
export function tableLabel(id: string): string {
  const number = /^(?:t|table)?[-_ ]?(\d+)$/i.exec(id)?.[1];
  if (number !== undefined) return words().people.tableNumber(Number(number));
  return id.replace(/[-_]+/g, " ").replace(/\b[a-z]/g, letter => letter.toUpperCase());
}

/** A table with its game: "Table 3 · Sic Bo (Maryland)". A title that names the table is used alone. */
export function tableName(id: string, title: Label): string {
  const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
  const label = tableLabel(id);
  return letters(title.en).includes(letters(label)) ? named(title) : `${label} · ${named(title)}`;
}

function shownOf(names: Names, name: string): string {
  return name === me.value?.name ? me.value.shown : (names[name] ?? name);
}

// Names are cleared when someone else signs in on the same screen.
let who: string | undefined;
effect(() => {
  if (me.value?.name !== who) known.value = {};
  who = me.value?.name;
});
