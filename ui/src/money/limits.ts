/** The parts of a player's own limits, as the house names them. */

/** The part that is of no currency. */
export const SECONDS = "seconds";

/** So begins the part about what lies at once, before its currency; a currency alone is about what may be lost. */
export const STAKE = "stake-";

export function isStake(part: string): boolean {
  return part.startsWith(STAKE);
}

export function moneyOf(part: string): string {
  return isStake(part) ? part.slice(STAKE.length) : part;
}
