/** A player's own bets and chips, entry by entry. What is too rare to follow here is asked for anew. */

import { placedBy } from "./stakes";
import type { Bet, Entry, Line, Mine } from "./view";

export interface Followed {
  mine: Mine;
  /** Whether only the server can tell what holds now. */
  stale: boolean;
}

const TOO_RARE = new Set([
  "Resettled",
  "DiceCorrected",
  "BetRuled",
  "DisputeSettled",
  "RollCancelled",
  "BettingReopened",
]);

export function follow(mine: Mine, entry: Entry): Followed {
  const event = entry.event ?? {};
  const fresh = (changed: Partial<Mine>): Followed => ({ mine: { ...mine, ...changed }, stale: false });
  switch (entry.kind) {
    case "BetPlaced":
    case "BetsPlaced":
    case "WagerFound":
      return entry.mine ? fresh(laid(mine, placedBy(entry) as unknown as (Bet & { bet: number })[])) : fresh({});
    case "BetTakenDown":
      return fresh(takenDown(mine, event.bet as number, event.amount as number));
    case "BetsConfirmed": {
      const ids = new Set(event.bets as number[]);
      return fresh({ bets: mine.bets.map(bet => (ids.has(bet.id) ? { ...bet, confirmed: true } : bet)) });
    }
    case "LosersCollected":
    case "WinnersPaid":
      return fresh(settled(mine, event.lines as Line[]));
    case "PlayerWithdrew":
    case "WagersReturned":
      return fresh(returned(mine, (event.returned ?? event.bets ?? []) as number[]));
    case "RoundVoided":
      return { ...fresh(returned(mine, event.returned as number[])), stale: (event.undone as Line[]).length > 0 };
    case "BoughtIn":
      return entry.mine ? fresh(bought(mine, event)) : fresh({});
    case "CashedOut":
      return entry.mine ? fresh({ balance: mine.balance - (event.amount as number) }) : fresh({});
    case "Rolled":
      return fresh({ bets: mine.bets.map(bet => ({ ...bet, running: true })) });
    case "NonceGiven":
      return entry.mine ? fresh({ nonce: event.nonce as string }) : fresh({});
    case "SeedCommitted":
      return fresh({ nonce: null });
    case "ShooterNamed":
      return fresh({ shooter: entry.mine === true });
    default:
      return { mine, stale: TOO_RARE.has(entry.kind) };
  }
}

/** A stake on an area where one lies already raises that bet: it keeps its number. */
function laid(mine: Mine, placed: (Bet & { bet: number })[]): Partial<Mine> {
  const bets = [...mine.bets];
  for (const { bet, wager, amount, kind, confirmed } of placed) {
    const at = bets.findIndex(one => one.id === bet);
    const lies = bets[at];
    if (lies !== undefined)
      bets[at] = { ...lies, amount: lies.amount + amount, confirmed: confirmed ?? lies.confirmed };
    else bets.push({ id: bet, wager, amount, kind: kind ?? "cash", confirmed: confirmed ?? true, running: false });
  }
  return { bets, balance: mine.balance - placed.reduce((sum, one) => sum + one.amount, 0) };
}

function bought(mine: Mine, event: Record<string, unknown>): Partial<Mine> {
  const value = (event.colour_value as number | null | undefined) ?? mine.colour_value;
  return { balance: mine.balance + (event.amount as number), colour_value: value };
}

function takenDown(mine: Mine, id: number, amount: number): Partial<Mine> {
  if (!mine.bets.some(bet => bet.id === id)) return {};
  const bets = mine.bets.flatMap(bet => {
    if (bet.id !== id) return [bet];
    return bet.amount > amount ? [{ ...bet, amount: bet.amount - amount }] : [];
  });
  return { bets, balance: mine.balance + amount };
}

function settled(mine: Mine, lines: Line[]): Partial<Mine> {
  const own = new Map(mine.bets.map(bet => [bet.id, bet]));
  const ended = lines.filter(line => own.has(line.bet));
  const ids = new Set(ended.map(line => line.bet));
  const back = ended.reduce((sum, line) => sum + backTo(line), 0);
  return { bets: mine.bets.filter(bet => !ids.has(bet.id)), balance: mine.balance + back };
}

/** What of a settled bet comes back to who laid it: what a tip wins is the dealers', and one in the area all of it. */
export function backTo(line: Line): number {
  if (line.kind === "tip in the area") return 0;
  return line.stake + (line.kind === "tip on top" ? Math.min(0, line.net) : line.net);
}

function returned(mine: Mine, ids: number[]): Partial<Mine> {
  const gone = new Set(ids);
  // A tip in the area goes back to the dealers.
  const back = mine.bets
    .filter(bet => gone.has(bet.id) && bet.kind !== "tip in the area")
    .reduce((sum, bet) => sum + bet.amount, 0);
  return { bets: mine.bets.filter(bet => !gone.has(bet.id)), balance: mine.balance + back };
}
