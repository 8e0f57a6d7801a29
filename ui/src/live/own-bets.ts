/** A player's own bets and chips, updated by entries. In rare cases the server is asked again. */

import { placedBy } from "./stakes";
import type { Bet, BetKind, Entry, Line, Mine } from "./view";

export interface Followed {
  mine: Mine;
  /** Whether only the server knows the current state. */
  stale: boolean;
}

const REFRESH_EVENTS = new Set([
  "Resettled",
  "DiceCorrected",
  "IrregularityCalled",
  "BetRuled",
  "Ruled",
  "DisputeSettled",
  "RollCancelled",
  "BettingReopened",
  "TableClosed",
]);

export function follow(mine: Mine, entry: Entry): Followed {
  const event = entry.event ?? {};
  const fresh = (changed: Partial<Mine>): Followed => ({ mine: { ...mine, ...changed }, stale: false });
  switch (entry.kind) {
    case "BetPlaced":
    case "BetsPlaced":
    case "WagerFound":
      return entry.mine ? placed(mine, entry) : fresh({});
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
      return fresh(returned(mine, (event.bets ?? []) as number[]));
    case "WagersReturned":
    case "RoundVoided": {
      const undone = (event.undone ?? []) as Line[];
      return { ...fresh(returned(mine, event.returned as number[])), stale: undone.length > 0 };
    }
    case "BoughtIn":
      return entry.mine ? fresh(bought(mine, event)) : fresh({});
    case "CashedOut":
      return entry.mine ? fresh(cashed(mine, event)) : fresh({});
    case "Rolled":
      return fresh({ bets: mine.bets.map(bet => ({ ...bet, running: true, point: pointOf(bet, event) })) });
    case "NonceGiven":
      return entry.mine ? fresh({ nonce: event.nonce as string }) : fresh({});
    case "SeedCommitted":
      return fresh({ nonce: null });
    case "ShooterNamed":
      return fresh({ shooter: entry.mine === true });
    default:
      return { mine, stale: REFRESH_EVENTS.has(entry.kind) };
  }
}

/** The details of a bet on the shooter's hand that only the server knows, until it has sent them. */
const BET_DEFAULTS = {
  point: null,
  called: null,
  since_roll: 0,
  commission: 0,
  working: true,
  can_take_down: true,
  locked: null,
  can_call: false,
  odds: null,
} satisfies Partial<Bet>;

/** The number of a bet after a roll. */
function pointOf(bet: Bet, event: Record<string, unknown>): number | null {
  const moved = (event.bets ?? []) as { bet: number; point?: number | null }[];
  return moved.find(one => one.bet === bet.id)?.point ?? bet.point;
}

/** Adds placed bets; the name of staff who placed them for the player is requested. */
function placed(mine: Mine, entry: Entry): Followed {
  const by = (entry.own?.by as string | null | undefined) ?? null;
  return { mine: { ...mine, ...laid(mine, entry, by) }, stale: by !== null };
}

/** A stake on an area with a bet raises that bet, which keeps its number. */
function laid(mine: Mine, entry: Entry, by: string | null): Partial<Mine> {
  const bets = [...mine.bets];
  const placed = placedBy(entry);
  const [found, late] = [entry.kind === "WagerFound", entry.event?.late === true];
  for (const { bet, wager, amount, kind, confirmed } of placed) {
    const at = bets.findIndex(one => one.id === bet);
    const lies = bets[at];
    const more = by === null ? 0 : amount;
    if (lies !== undefined)
      bets[at] = {
        ...lies,
        amount: lies.amount + amount,
        confirmed: confirmed ?? lies.confirmed,
        by: by ?? lies.by,
        behalf: lies.behalf + more,
      };
    else {
      const stake = { id: bet, wager, amount, kind: kind ?? "cash", confirmed: confirmed ?? true, running: false };
      bets.push({ ...BET_DEFAULTS, ...stake, found, late, by, behalf: more });
    }
  }
  return after(
    mine,
    bets,
    byKind(placed, one => -one.amount),
  );
}

function bought(mine: Mine, event: Record<string, unknown>): Partial<Mine> {
  const amount = event.amount as number;
  const colour = event.colour as string | null | undefined;
  if (colour == null) return { balance: mine.balance + amount };
  const purse = { held: 0, lying: 0, ...mine.purse, colour, value: event.colour_value as number };
  return after({ ...mine, purse }, mine.bets, { cash: 0, colour: amount });
}

function cashed(mine: Mine, event: Record<string, unknown>): Partial<Mine> {
  const amount = event.amount as number;
  return after(mine, mine.bets, event.kind === "colour" ? { cash: 0, colour: -amount } : { cash: -amount, colour: 0 });
}

interface Change {
  cash: number;
  colour: number;
}

function byKind<One extends { kind: BetKind | undefined }>(all: readonly One[], amount: (one: One) => number): Change {
  const change = { cash: 0, colour: 0 };
  for (const one of all) change[one.kind === "colour" ? "colour" : "cash"] += amount(one);
  return change;
}

/** One's own chips after a change: colour chips are in the purse, and a remainder is in cash chips. */
function after(mine: Mine, bets: Bet[], change: Change): Partial<Mine> {
  if (mine.purse === null) return { bets, balance: mine.balance + change.cash + change.colour };
  const part = change.colour % mine.purse.value;
  const held = mine.purse.held + change.colour - part;
  const lying = bets.reduce((sum, bet) => sum + (bet.kind === "colour" ? bet.amount : 0), 0);
  const purse = held + lying > 0 ? { ...mine.purse, held, lying } : null;
  return { bets, balance: mine.balance + change.cash + part, purse, colour_value: purse?.value ?? null };
}

function takenDown(mine: Mine, id: number, amount: number): Partial<Mine> {
  const taken = mine.bets.filter(bet => bet.id === id);
  if (taken.length === 0) return {};
  const bets = mine.bets.flatMap(bet => {
    if (bet.id !== id) return [bet];
    const behalf = Math.max(0, bet.behalf - amount);
    return bet.amount > amount ? [{ ...bet, amount: bet.amount - amount, behalf }] : [];
  });
  return after(
    mine,
    bets,
    byKind(taken, () => amount),
  );
}

function settled(mine: Mine, lines: Line[]): Partial<Mine> {
  const own = new Map(mine.bets.map(bet => [bet.id, bet]));
  const ended = lines.filter(line => own.has(line.bet));
  const gone = new Set(ended.filter(line => !line.stays).map(line => line.bet));
  const left = mine.bets.filter(bet => !gone.has(bet.id));
  return after(mine, left, byKind(ended, backTo));
}

/** The part of a settled bet that returns to the player: the win of a tip is the dealers', and one in the area
 * entirely. */
export function backTo(line: Line): number {
  if (line.kind === "tip in the area") return 0;
  if (line.stays) return line.net;
  return line.stake + (line.kind === "tip on top" ? Math.min(0, line.net) : line.net);
}

function returned(mine: Mine, ids: number[]): Partial<Mine> {
  const gone = new Set(ids);
  // A tip in the area is returned to the dealers.
  const back = mine.bets.filter(bet => gone.has(bet.id) && bet.kind !== "tip in the area");
  const left = mine.bets.filter(bet => !gone.has(bet.id));
  return after(
    mine,
    left,
    byKind(back, bet => bet.amount),
  );
}
