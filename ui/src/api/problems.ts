/** Problems between page and server. */

import type { ProblemDetails } from "./types";

/** Names of problems without a response from a server. */
export type NoResponse = "offline" | "unreadable";

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

  constructor(details: Partial<ProblemDetails> & { kind: string; status: number }) {
    super(details.message?.text ?? details.title ?? details.kind);
    this.kind = details.kind;
    this.status = details.status;
    this.title = details.title ?? "";
    this.text = details.message?.text ?? "";
    this.clauses = details.clauses ?? [];
    this.reading = details.reading ?? null;
    this.policy = details.policy ?? false;
    this.refusal = details.refusal ?? null;
    this.requestId = details.request_id ?? null;
  }
}

/** Returns the problem in a response, whatever its body contains. */
export function problemOf(body: unknown, status: number): Problem {
  if (typeof body === "object" && body !== null && "type" in body && typeof body.type === "string") {
    const details = body as ProblemDetails;
    return new Problem({ ...details, kind: details.type.split("/").at(-1) ?? "unreadable", status });
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
