/** How high the layout may be drawn so that it is seen together with the rail, without scrolling. */

import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { useMedia } from "../../layout/layout";

/** On a narrower screen a table is scrolled anyway. */
const WIDE = "(min-width: 901px)";
/** Between the layout and the rail, and a hair's breadth. */
const AIR = 18;

/** In pixels; undefined where it is drawn as it is. */
export function useRoom(page: RefObject<HTMLElement | null>): number | undefined {
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
