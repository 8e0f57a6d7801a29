/** The height of the lines of a layout, chosen so that the whole fills its place. */

import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

/** Lower, nothing can be touched or read; higher, areas lose their shape. */
const [SCALE_MIN, SCALE_MAX] = [0.6, 1.8];
const CLOSE = 0.012;

/** The vertical scale of all lines; 1 if there is no height to fill. */
export function useFilling(place: RefObject<HTMLElement | null>, room: number | undefined): number {
  const [stretch, setStretch] = useState(1);
  useLayoutEffect(() => {
    const layout = place.current;
    if (layout === null || room === undefined) {
      setStretch(1);
      return;
    }
    const look = (): void => {
      const drawn = linesOf(layout);
      if (drawn === 0) return;
      setStretch(now => {
        const free = room - (layout.offsetHeight - drawn);
        const wanted = Math.min(SCALE_MAX, Math.max(SCALE_MIN, (free / drawn) * now));
        return Math.abs(wanted - now) > CLOSE ? wanted : now;
      });
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(layout);
    return () => observer.disconnect();
  }, [place, room]);
  return stretch;
}

/** The part of its height that consists of lines: of the side by which the other is aligned. */
function linesOf(layout: HTMLElement): number {
  const column = layout.querySelector(".blocks-side") ?? layout;
  const drawings = [...column.querySelectorAll(".block-drawing")];
  return drawings.reduce((sum, one) => sum + Number(one.getAttribute("height")), 0);
}
