/** When an act has settled: nobody's press is meant for what only just came to be where it is. */

import { useEffect, useReducer, useRef } from "preact/hooks";

/** Milliseconds for which an act that has appeared, moved or changed ignores every press. */
export const SETTLING = 500;
/** An act that has moved by no more than this, in pixels, is still under the finger. */
const NEAR = 8;

/** What an act says, and where it is on the page. */
export interface Place {
  label: string;
  left: number;
  top: number;
}

/** Remembers since when each act has been as it is. */
export class Settling<Act extends object> {
  readonly #seen = new WeakMap<Act, Place & { since: number }>();

  /** Note an act as it is now; whether it has settled. */
  note(act: Act, place: Place, now: number): boolean {
    const before = this.#seen.get(act);
    if (before === undefined || !isSame(before, place)) this.#seen.set(act, { ...place, since: now });
    return this.isSettled(act, now);
  }

  isSettled(act: Act, now: number): boolean {
    const seen = this.#seen.get(act);
    return seen !== undefined && now - seen.since >= SETTLING;
  }
}

function isSame(one: Place, other: Place): boolean {
  const moved = Math.max(Math.abs(one.left - other.left), Math.abs(one.top - other.top));
  return one.label === other.label && moved <= NEAR;
}

/** Whether what a label names has been the same for long enough: for keys, which have no place on the page. */
export function useSettled(label: string): boolean {
  const settling = useRef(new Settling<object>());
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const settled = settling.current.note(settling, { label, left: 0, top: 0 }, performance.now());
  useEffect(() => {
    const timer = setTimeout(redraw, SETTLING + 10, undefined); // not a moment too early by the other clock
    return () => clearTimeout(timer);
  }, [label]);
  return settled;
}
