/** The chips of the rail. */

import { denominations } from "../../components/chip";
import { spanOf } from "../../live/limits";
import type { Rules } from "../../live/view";

const CHIPS_MAX = 6;

/** Those that fit between the lowest minimum and the highest maximum of all areas. */
export function chipsOf(rules: Rules): number[] {
  const limits = spanOf(rules);
  return limits ? denominations(limits.least, limits.most ?? Infinity, rules.money).slice(0, CHIPS_MAX) : [];
}

/** The lowest chip that may be bet alone on most areas. */
export function firstChip(chips: readonly number[], rules: Rules): number {
  const least = Math.min(...Object.values(rules.limits).map(one => one.stake_min));
  return chips.find(chip => chip >= least) ?? chips[0] ?? least;
}
