/** The height at which the layout and the rail are visible together, without scrolling. */

import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { useMedia } from "../../layout/layout";

/** On a narrower screen the table scrolls anyway. */
const WIDE = "(min-width: 901px)";
/** The gap between the layout and the rail, with a pixel to spare. */
const AIR = 18;

/** In pixels; undefined for the natural height. */
export function useLayoutHeight(page: RefObject<HTMLElement | null>): number | undefined {
  const wide = useMedia(WIDE);
  const [room, setRoom] = useState<number | undefined>(undefined);
  useLayoutEffect(() => {
    const [around, layout] = [page.current, page.current?.querySelector(".layout") ?? null];
    if (!wide || around === null || layout === null) {
      setRoom(undefined);
      return;
    }
    const look = (): void => {
      const below = around.querySelector<HTMLElement>(".table-foot")?.offsetHeight ?? 0;
      const top = layout.getBoundingClientRect().top + scrollY;
      setRoom(Math.max(0, Math.floor(innerHeight - top - below - AIR)));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(around);
    addEventListener("resize", look);
    return () => {
      observer.disconnect();
      removeEventListener("resize", look);
    };
  }, [page, wide]);
  return room;
}
