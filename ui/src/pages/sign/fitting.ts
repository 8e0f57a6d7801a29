/** Fits an odds sign to its sheet: print it in the largest type at which all of it is on one page. */

import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

export const FORMATS = ["a4", "wall"] as const;
export type Format = (typeof FORMATS)[number];

/** Sizes of type in points. */
const SMALLEST = 5;
const LARGEST: Record<Format, number> = { a4: 20, wall: 30 };
const STEP = 0.25;

/** Set the size of type for printing, again whenever the format or the content changes. */
export function useFittedPrint(sign: RefObject<HTMLElement | null>, format: Format, content: string): void {
  const fitted = useRef("");
  useLayoutEffect(() => {
    const found = sign.current;
    const key = `${format} ${content}`;
    if (found === null || fitted.current === key) return;
    fitted.current = key;
    found.classList.add("odds-sign-measured");
    let points = LARGEST[format];
    const fits = (): boolean => {
      found.style.setProperty("--sign-type", `${points}pt`);
      return found.scrollHeight <= found.clientHeight && found.scrollWidth <= found.clientWidth;
    };
    while (!fits() && points > SMALLEST) points -= STEP;
    found.classList.remove("odds-sign-measured");
  });
}
