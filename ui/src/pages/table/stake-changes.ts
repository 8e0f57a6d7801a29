/** Changes of stakes by place: an area, and whose chips they are. Sums and inverses. */

import type { BetKind } from "../../live/view";

/** Amounts by place: positive if placed, negative if taken off. */
export type Moves = Readonly<Record<string, number>>;

const MARK = "|";

/** The place of a kind of chips on an area; a player's own cash chips have the area's own name. */
export function placeOf(wager: string, kind: BetKind = "cash"): string {
  return kind === "cash" ? wager : `${wager}${MARK}${kind}`;
}

export function wagerAt(place: string): string {
  return place.split(MARK, 1)[0] ?? place;
}

export function kindAt(place: string): BetKind {
  return (place.split(MARK)[1] as BetKind | undefined) ?? "cash";
}

/** All kinds of chips on an area together, as they are drawn. */
export function byArea(moves: Moves): Record<string, number> {
  let sum: Record<string, number> = {};
  for (const [place, amount] of Object.entries(moves)) sum = plus(sum, { [wagerAt(place)]: amount });
  return sum;
}

/** The sum of two changes, without places whose sum is zero. */
export function plus(one: Moves, other: Moves): Record<string, number> {
  const sum: Record<string, number> = { ...one };
  for (const [place, amount] of Object.entries(other)) sum[place] = (sum[place] ?? 0) + amount;
  return Object.fromEntries(Object.entries(sum).filter(([, amount]) => amount !== 0));
}

export function opposite(moves: Moves): Moves {
  return Object.fromEntries(Object.entries(moves).map(([place, amount]) => [place, -amount]));
}

/** The part of a change that is colour chips. */
export function inColour(moves: Moves): Moves {
  return Object.fromEntries(Object.entries(moves).filter(([place]) => kindAt(place) === "colour"));
}

export function total(moves: Moves): number {
  return Object.values(moves).reduce((sum, amount) => sum + amount, 0);
}
