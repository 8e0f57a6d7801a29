/** When a button has settled: nobody aims at a button that has only just appeared. */

import { useEffect, useReducer, useRef } from "preact/hooks";

/** How long a button that has appeared, moved or changed ignores presses, in milliseconds. */
export const SETTLING = 500;
/** A button that has moved by no more than this, in pixels, is still under the finger. */
const NEAR = 8;

/** The label and position of a button. */
export interface Place {
  label: string;
  left: number;
  top: number;
}

/** Remembers since when each button has been unchanged. */
export class Settling<Act extends object> {
  readonly #seen = new WeakMap<Act, Place & { since: number }>();

  /** Notes the current state of a button; returns whether it has settled. */
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

/** Whether a label has been unchanged for long enough: for keys, which have no position on the page. */
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
