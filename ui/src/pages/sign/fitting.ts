/** Fits an odds sign to its sheet: the columns and the largest type with which all of it fits on one page. */

import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

export const FORMATS = ["a4", "wall"] as const;
export type Format = (typeof FORMATS)[number];

/** Sizes of type in points. */
const SMALLEST = 5;
const LARGEST: Record<Format, number> = { a4: 20, wall: 30 };
const STEP = 0.25;
const MOST_COLUMNS: Record<Format, number> = { a4: 3, wall: 5 };

/** Sets columns and type size for printing, again whenever the format or the content changes. */
export function useFittedPrint(sign: RefObject<HTMLElement | null>, format: Format, content: string): void {
  const fitted = useRef("");
  useLayoutEffect(() => {
    const found = sign.current;
    const key = `${format} ${content}`;
    if (found === null || fitted.current === key) return;
    fitted.current = key;
    found.classList.add("odds-sign-measured");
    const set = (columns: number, points: number): void => {
      found.style.setProperty("--sign-columns", String(columns));
      found.style.setProperty("--sign-type", `${points}pt`);
    };
    const fits = (columns: number, points: number): boolean => {
      set(columns, points);
      return found.scrollHeight <= found.clientHeight && found.scrollWidth <= found.clientWidth;
    };
    // Each attempt lays out the whole sign, which takes long where there are many bets: halve the range of sizes each time.
    let best = { columns: 1, points: SMALLEST };
    for (let columns = 1; columns <= MOST_COLUMNS[format]; columns += 1) {
      let largest = LARGEST[format];
      while (largest > best.points) {
        const points = largest - Math.floor((largest - best.points) / STEP / 2) * STEP;
        if (fits(columns, points)) best = { columns, points };
        else largest = points - STEP;
      }
    }
    set(best.columns, best.points);
    found.classList.remove("odds-sign-measured");
  });
}
