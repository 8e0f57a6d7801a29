/** What a table shows, as the server tells it; a test holds these names against the server's. */

import type { components } from "../api/schema";

type Schemas = components["schemas"];

export interface Step {
  id: string;
  act: string;
  says: string;
  clause: string[];
  who: string[];
  announce: string | null;
  done: boolean;
  may: boolean;
  /** Whether it is the step that says whether all dice lie flat. */
  asks_flat: boolean;
}

/** What stands on an area of a craps layout; which fields there are depends on how the wager is decided. */
export interface Lammers {
  paid: boolean;
  /** Of a wager that collects totals. */
  marked?: number[];
  missing?: number[];
  /** Of one that waits for a number again and again. */
  numbers?: number[];
  of?: number;
  /** Of that one, and of one that counts. */
  count?: number;
  or_more?: boolean;
  row?: string;
  labels?: number;
  lammer?: number | null;
}

export interface AutomaticRun {
  run: { betting_seconds: number; rest_seconds: number; real_money: boolean; play_stack: number; approval?: string };
  commitment: string | null;
  mapping: number | null;
  until: string | null;
  closed: string | null;
  paused: string | null;
  failed: string | null;
  void_proposed: boolean;
}

export interface Announced {
  says: string;
  act: string | null;
  clause: string[];
}

export interface View {
  table: string;
  book: string;
  round: number;
  step: number;
  phase: string;
  due: string | null;
  cover: "on" | "off" | null;
  disputed: number[];
  dice: number[];
  lit: string[];
  point: number | null;
  lammers: Record<string, Lammers>;
  /** Exact fractions by wager. */
  chances: Record<string, string>;
  staked: number;
  payout_max: number | null;
  open: boolean;
  /** Whether a round has begun, or could: nothing is missing that the book asks for. */
  ready: boolean;
  /** Until when that holds if nobody does anything: then the dice are too old. */
  ready_until: string | null;
  betting: boolean;
  procedure: Step[];
  stakes: Record<string, number>;
  power_failed: boolean;
  failed: Record<string, unknown>;
  has_shooter: boolean;
  /** Irregularities of this round; at its start those that left the round before without an outcome. */
  called: string[];
  /** The last announcement in the book's own words; `act` is null where an irregularity was called. */
  announced: Announced | null;
  automatic?: AutomaticRun;
  /** Only to who works there. */
  worst_throw?: string | null;
  worst_result?: number;
  rest_of_hand_most?: number;
  rest_of_hand_mean?: string;
}

export type LimitGroup = Schemas["LimitGroup"];

export interface Rules {
  setup: {
    book: string;
    digest: string;
    facility: string;
    currency: string;
    readings?: Record<string, string>;
    options?: Record<string, string>;
    paytables?: Record<string, string>;
    /** House policy when the table was opened: witnesses are named, or confirm. */
    witness?: "named" | "confirmed";
    /** House policy when the table was opened: bets for players with accounts need consent. */
    bet_consent?: boolean;
    [more: string]: unknown;
  };
  money: string;
  play_money: boolean;
  decimals: number;
  limits: Record<string, { stake_min: number /** Null where there is none. */; stake_max: number | null }>;
  /** The same by areas that share them; the last has no name: all areas, or all others. */
  limit_groups: LimitGroup[];
  /** When these terms came into force; null in old records. */
  since: string | null;
  paytables: Record<string, string | null>;
  electronic_form: { part: string; clauses: string[]; text: string; instead: string }[];
}

export type BetKind = "cash" | "colour" | "tip in the area" | "tip on top";

export interface Bet {
  id: number;
  wager: string;
  amount: number;
  kind: BetKind;
  confirmed: boolean;
  running: boolean;
  found?: boolean;
  late?: boolean;
  /** Who of the staff placed it for the player, and how much of it. */
  by?: string | null;
  behalf?: number;
}

/** What a supervisor decided about a wager. */
export interface Ruling {
  bet: number;
  amount: number;
  /** The area where it lay. */
  lay_on: string;
  /** The area where it counts; null where it was returned. */
  stands_on: string | null;
  /** What it wins, where that was decided as well. */
  paid: number | null;
}

/** A player's colour chips at a table, in minor units. */
export interface Purse {
  colour: string;
  /** What one chip is worth. */
  value: number;
  held: number;
  /** On the layout. */
  lying: number;
}

export interface Mine {
  player: string;
  /** In cash chips. */
  balance: number;
  bets: Bet[];
  colour_value: number | null;
  /** Null while no colour chips are out. */
  purse: Purse | null;
  shooter: boolean;
  nonce: string | null;
  today: Record<string, unknown> | null;
  /** Whoever of the staff placed bets for one, by sign-in name. */
  names?: Record<string, string>;
  /** What was settled last of one's own, by wager: to be repeated. */
  last: Record<string, number>;
  /** Of this round, on one's own wagers. */
  rulings: Ruling[];
  /** One's own wagers that wait for a ruling. */
  unruled: number[];
  /** Disputes that one raised; `upheld` is null while nobody has decided. */
  claims: { round: number; upheld: boolean | null; reason: string }[];
}

export interface Equipment {
  shaker: string;
  /** Whether the automated shaker is out of use, as the book asks before a manual one is used. */
  automated_away: boolean;
  shakers: { shaker: string; equipment: string; name: string; state: string }[];
  dice: { set: string; put_in: string; sealed: boolean; first_used: string; serials: string[] } | null;
  /** Whether dice may be put in or taken out now: between rounds, or before this round's shake. */
  dice_movable: boolean;
  dice_until: string | null;
  checked: string[];
  inspected: Record<string, string>;
  failed: Record<string, unknown>;
  /** `mine`: the role in which whoever asks may do it. */
  to_check: {
    id: string;
    requires: string[];
    clause: string[];
    due: boolean;
    result: CheckResult;
    /** One result for each point that applies here. */
    points: { says: string; clause: string[]; approval: boolean; result: CheckResult }[];
    /** The reference and the date of an approval, as recorded with the check. */
    approval: string;
    approved_on: string;
    mine: string | null;
  }[];
  to_inspect: {
    id: string;
    says: string;
    how: string;
    times: number;
    who: string[];
    clause: string[];
    due: boolean;
    result: CheckResult;
    mine: string | null;
  }[];
  /** Whether the house wants every approval recorded with its reference and date. */
  approval_references: boolean;
}

export type CheckResult = "in order" | "failed" | "not checked";

export interface Staff {
  bets: (Bet & { player: string })[];
  due: (Step & { mine: boolean }) | null;
  irregularities: {
    id: string;
    name: { en: string; zh: string };
    says: string;
    clause: string[];
    remedy: string;
    /** What is said aloud. */
    announce: string | null;
    called_by: string[];
    presence: string[];
    or_above: boolean;
    /** Whether the call names the wagers that a supervisor decides on. */
    names_bets: boolean;
    /** Whether it is for whoever looks to call. */
    mine: boolean;
  }[];
  /** Irregularities of this round. */
  called: string[];
  /** Those that wait for a decision. */
  undecided: string[];
  /** The wagers that were named as unclear, and those of them that wait for a ruling. */
  unclear: number[];
  unruled: number[];
  /** Wagers that were collected or paid in this round. */
  taken: (Bet & { player: string })[];
  /** Whether no die was seen that does not lie flat. */
  flat: boolean;
  /** The irregularity to call for one that does not; null where the book has none. */
  not_flat: string | null;
  /** Who called each irregularity. */
  callers: Record<string, string>;
  /** Of this round. */
  rulings: (Ruling & { player: string })[];
  /** What is still to be collected, and then to be paid. */
  settlement: { collect: Line[]; pay: Line[] };
  crew: { name: string; shown: string; role: string }[];
  dealer: string | null;
  shooter: string | null;
  shift: string | null;
  /** Whether a scheduled shift has begun since this one was started. */
  shift_over: boolean;
  equipment: Equipment;
  /** Commands that whoever asks may ever give here, each with the role of theirs to give it in. */
  may: Record<string, string>;
  inventory: unknown;
  shift_inventory: unknown;
  exposure: {
    worst_throw: string | null;
    worst_result: number;
    by_throw: Record<string, number>;
    rest_of_hand_most: number;
    rest_of_hand_mean: string;
  };
  /** Who has lately played here, with their chips. */
  players: { name: string; holds: number | null; colour_value: number | null; purse: Purse | null }[];
  /** The last rounds that are over, the newest first; without dice where they were void. */
  past: { round: number; dice: number[] }[];
  /** The rolls of the shooter's hand so far. */
  hand: { dice: number[]; call: string }[];
  /** Whether dice that were entered wrongly may still be put right. */
  can_correct: boolean;
  /** How an automated shaker may be put out of use. */
  put_away: ("removed" | "covered" | "sign")[];
  /** A resettlement that waits for a second person. */
  proposal: { round: number; dice: number[]; by: string; words: string } | null;
  void_by: string | null;
  disputed: number[];
  /** As the house knows those who are named here, by sign-in name. */
  names: Record<string, string>;
}

/** How one bet was settled. */
export interface Line {
  bet: number;
  wager: string;
  kind: BetKind;
  stake: number;
  honoured: number;
  row: string | null;
  pays: string;
  net: number;
  envy?: number;
  capped?: number;
  clauses?: string[];
  /** The exact net where it was rounded: a fraction of minor units, like 5/2. */
  exact?: string | null;
  favour?: "player" | "house" | null;
  player?: string;
}

/** An entry of the table's record, as this viewer may see it. */
export interface Entry {
  sequence: number;
  at: string;
  kind: string;
  role?: string;
  actor?: string;
  event?: Record<string, unknown>;
  mine?: boolean;
  own?: Record<string, unknown>;
}
