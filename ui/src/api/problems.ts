/** Problems between page and server. */

import type { ProblemDetails } from "./types";

/** Names of problems without a response from a server. */
export type Unreached = "offline" | "unreadable";

export class Problem extends Error {
  override readonly name = "Problem";
  /** The last part of its type: betting-closed. */
  readonly kind: string;
  readonly status: number;
  readonly title: string;
  /** The message in the language of the page; empty if the server sent none. */
  readonly text: string;
  /** The clauses of the book that a refusal rests on. */
  readonly clauses: readonly string[];
  /** The reading that a refusal rests on, where no clause decides. */
  readonly reading: string | null;
  /** Whether a refusal is house policy: neither a clause nor a reading decides, and it isn't just a fact. */
  readonly policy: boolean;
  readonly refusal: string | null;
  readonly requestId: string | null;

  constructor(told: Partial<ProblemDetails> & { kind: string; status: number }) {
    super(told.message?.text ?? told.title ?? told.kind);
    this.kind = told.kind;
    this.status = told.status;
    this.title = told.title ?? "";
    this.text = told.message?.text ?? "";
    this.clauses = told.clauses ?? [];
    this.reading = told.reading ?? null;
    this.policy = told.policy ?? false;
    this.refusal = told.refusal ?? null;
    this.requestId = told.request_id ?? null;
  }
}

/** Returns the problem in a response, whatever its body contains. */
export function problemOf(body: unknown, status: number): Problem {
  if (typeof body === "object" && body !== null && "type" in body && typeof body.type === "string") {
    const told = body as ProblemDetails;
    return new Problem({ ...told, kind: told.type.split("/").at(-1) ?? "unreadable", status });
  }
  return new Problem({ kind: "unreadable", status });
}

/** Returns anything thrown as a problem. */
export function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  return new Problem({
    kind: thrown instanceof TypeError ? "offline" : "unreadable",
    status: 0,
    title: String(thrown),
  });
}
