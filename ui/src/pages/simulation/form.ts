/** A scenario as the state of a form: text as typed, and back. Nothing is checked here; the server does that. */

import type { BookPage, ScenarioComposed } from "../../api/types";

export type PlanName = "flat" | "list" | "until won" | "progression";
export const PLANS: readonly PlanName[] = ["flat", "list", "until won", "progression"];

export interface BetForm {
  wager: string;
  plan: PlanName;
  stake: string;
  stakes: string;
  factor: string;
  limit: string;
  after: "loss" | "win";
}

export interface PlayersForm {
  /** Distinguishes groups while they are added and removed. */
  key: number;
  name: string;
  count: string;
  bankroll: string;
  stopLoss: string;
  stopWin: string;
  bets: BetForm[];
}

export interface LimitForm {
  wager: string;
  least: string;
  greatest: string;
}

export interface ScenarioForm {
  book: string;
  seed: string;
  nights: string;
  hours: string;
  perHour: string;
  tables: string;
  readings: Record<string, string>;
  options: Record<string, string>;
  paytables: Record<string, string>;
  limits: LimitForm[];
  players: PlayersForm[];
}

type Typed = number | string | null | undefined;

let last = 0;

export function newBet(book: BookPage): BetForm {
  const wager = book.wagers[0];
  return {
    wager: wager?.wager ?? "",
    plan: "flat",
    stake: String(wager?.limits?.stake_min ?? 5),
    stakes: "",
    factor: "2",
    limit: "",
    after: "loss",
  };
}

export function newPlayers(book: BookPage, name: string): PlayersForm {
  last += 1;
  return { key: last, name, count: "1", bankroll: "500", stopLoss: "", stopWin: "", bets: [newBet(book)] };
}

/** The form for what the server understood. */
export function formOf(composed: ScenarioComposed): ScenarioForm {
  return {
    book: composed.book,
    seed: text(composed.seed),
    nights: text(composed.nights),
    hours: text(composed.hours),
    perHour: text(composed.rolls_per_hour),
    tables: text(composed.tables),
    readings: composed.readings ?? {},
    options: composed.options ?? {},
    paytables: composed.paytables ?? {},
    limits: Object.entries(composed.limits ?? {}).map(([wager, limit]) => ({
      wager,
      least: text(limit.least),
      greatest: text(limit.greatest),
    })),
    players: (composed.players ?? []).map(players => {
      last += 1;
      return {
        key: last,
        name: players.name ?? "",
        count: text(players.count),
        bankroll: text(players.bankroll),
        stopLoss: text(players.stop_loss),
        stopWin: text(players.stop_win),
        bets: (players.bets ?? []).map(bet => ({
          wager: bet.wager,
          plan: PLANS.find(one => one === bet.plan) ?? "flat",
          stake: text(bet.stake),
          stakes: (bet.stakes ?? []).map(text).join(", "),
          factor: text(bet.factor ?? 2),
          limit: text(bet.limit),
          after: bet.after === "win" ? "win" : "loss",
        })),
      };
    }),
  };
}

/** The request from which the server writes the file. */
export function composedOf(form: ScenarioForm): ScenarioComposed {
  const used = new Set(form.players.flatMap(players => players.bets.map(bet => bet.wager)));
  const paytables = Object.fromEntries(Object.entries(form.paytables).filter(([wager]) => used.has(wager)));
  return {
    book: form.book,
    seed: amount(form.seed),
    nights: amount(form.nights),
    hours: number(form.hours),
    rolls_per_hour: number(form.perHour),
    tables: amount(form.tables),
    readings: form.readings,
    options: form.options,
    paytables,
    limits: Object.fromEntries(
      form.limits.map(one => [one.wager, { least: amount(one.least), greatest: amount(one.greatest) }]),
    ),
    players: form.players.map(players => ({
      name: players.name,
      count: amount(players.count),
      bankroll: amount(players.bankroll),
      stop_loss: amount(players.stopLoss),
      stop_win: amount(players.stopWin),
      bets: players.bets.map(composedBet),
    })),
  };
}

function composedBet(bet: BetForm): NonNullable<NonNullable<ScenarioComposed["players"]>[number]["bets"]>[number] {
  const wager = bet.wager;
  switch (bet.plan) {
    case "flat":
      return { wager, stake: amount(bet.stake) };
    case "list":
      return { wager, plan: "list", stakes: bet.stakes.split(",").map(one => amount(one) ?? "") };
    case "until won":
      return { wager, plan: "until won", stake: amount(bet.stake) };
    case "progression":
      return {
        wager,
        plan: "progression",
        stake: amount(bet.stake),
        factor: number(bet.factor),
        limit: amount(bet.limit),
        ...(bet.after === "win" ? { after: "win" } : {}),
      };
  }
}

function text(value: Typed): string {
  return value === null || value === undefined ? "" : String(value);
}

/** A number as such, anything else as typed: the server reports what is wrong. */
function number(typed: string): number | string | null {
  const plain = typed.trim();
  if (plain === "") return null;
  return /^-?\d+(\.\d+)?$/.test(plain) && Number.isFinite(Number(plain)) ? Number(plain) : plain;
}

/** Whole units as a number, fractions as text, as in the file. */
function amount(typed: string): number | string | null {
  const plain = typed.trim();
  if (plain === "") return null;
  return /^\d{1,15}$/.test(plain) ? Number(plain) : plain;
}
