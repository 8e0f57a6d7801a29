/** Commands to a table. Each is sent with its own key, and again if there was no response: it is executed once. */

import { api, newKey, unwrap } from "../api/client";
import { asProblem } from "../api/problems";
import type { Command, Done } from "../api/types";
import type { BetKind, View } from "./view";

const TRIES = 3;
const RETRY_DELAY = 700;

/** Retries if the connection broke; a refusal is a response. */
async function surely(send: () => Promise<Done>): Promise<Done> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await send();
    } catch (thrown) {
      const problem = asProblem(thrown);
      if (left <= 1 || (problem.kind !== "offline" && problem.kind !== "busy")) throw problem;
      await new Promise(resolve => setTimeout(resolve, RETRY_DELAY));
    }
  }
}

/** Places stakes in minor units: all of them, or none. */
export function placeBets(table: string, bets: { wager: string; amount: number; kind?: BetKind }[]): Promise<Done> {
  const header = { "Idempotency-Key": newKey() };
  return surely(() =>
    unwrap(api.POST("/api/v1/tables/{table}/bets", { params: { path: { table }, header }, body: { bets } })),
  );
}

export interface CommandOptions {
  /** The role, for people who hold several. */
  role?: string;
  /** What the sender's screen showed: staff are refused if the table has moved on since. */
  seen?: Pick<View, "round" | "step">;
  /** PINs of witnesses, if house policy requires them. */
  confirmations?: { name: string; pin: string }[];
}

/** Sends any command; if `approval` is returned, it waits for a second person. */
export function sendCommand(
  table: string,
  command: Command,
  { role, seen, confirmations = [] }: CommandOptions = {},
): Promise<Done> {
  const header = { "Idempotency-Key": newKey() };
  const body = {
    command,
    ...(role === undefined ? {} : { role }),
    ...(seen === undefined ? {} : { expected: { round: seen.round, step: seen.step } }),
    ...(confirmations.length === 0 ? {} : { confirmations }),
  };
  return surely(() =>
    unwrap(api.POST("/api/v1/tables/{table}/commands", { params: { path: { table }, header }, body })),
  );
}
