/** The stake limits of a table's areas. */

import type { Rules } from "./view";

export interface Span {
  least: number;
  /** Null if there is no maximum. */
  most: number | null;
}

/** From the lowest minimum to the highest maximum of all areas; null if the table has none. */
export function spanOf(rules: Pick<Rules, "limits">): Span | null {
  const limits = Object.values(rules.limits);
  if (limits.length === 0) return null;
  const most = limits.map(one => one.stake_max);
  return {
    least: Math.min(...limits.map(one => one.stake_min)),
    most: most.some(one => one === null) ? null : Math.max(...most.map(one => one ?? 0)),
  };
}
