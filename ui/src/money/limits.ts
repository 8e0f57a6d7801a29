/** The parts of a player's own limits, as the API names them. */

/** The part without a currency. */
export const SECONDS = "seconds";

/** The prefix of the limit of stakes at one time, before its currency; a currency alone is the loss limit. */
export const STAKE = "stake-";

export function isStake(part: string): boolean {
  return part.startsWith(STAKE);
}

export function moneyOf(part: string): string {
  return isStake(part) ? part.slice(STAKE.length) : part;
}
