/** A layout in a place of a given size: as large as its place allows in both directions, whatever the book. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Drawn narrower than this, rows break; wider, nothing can be read from afar. */
const NARROWEST = 760;
const WIDEST = 3_200;
/** Another width changes the height a little: after so many looks it is good enough. */
const LOOKS = 8;
const CLOSE = 0.015;
/** It is shown once nothing has moved for so many milliseconds. */
const REST = 80;
const SHOWN = "fitted-shown";
/** Room for the line around it. */
const EDGE = 2;
const NONE = { width: 0, scale: 0 };

interface FittedProps {
  children: ComponentChildren;
  /** Hears when nothing moves any more. */
  onFit?: () => void;
}

export function Fitted({ children, onFit }: FittedProps) {
  const place = useRef<HTMLDivElement>(null);
  const drawing = useRef<HTMLDivElement>(null);
  const told = useRef(onFit);
  told.current = onFit;
  useLayoutEffect(() => {
    const [around, inside] = [place.current, drawing.current];
    if (around === null || inside === null) return;
    let size = "";
    let looks = 0;
    let rest: ReturnType<typeof setTimeout> | undefined;
    let best = NONE;
    let [narrow, wide] = [0, WIDEST];
    const look = (): void => {
      const [width, height] = [around.clientWidth - EDGE, around.clientHeight - EDGE];
      const now = `${width} ${height}`;
      if (now !== size) {
        looks = 0;
        best = NONE;
        [narrow, wide] = [0, WIDEST];
      }
      size = now;
      const [drawn, high] = [inside.offsetWidth, inside.offsetHeight];
      if (width === 0 || height === 0 || inside.querySelector(".block-drawing") === null) return;
      const scale = Math.min(width / drawn, height / high);
      const wider = scale > best.scale * (1 - CLOSE) && drawn * scale > best.width * best.scale;
      if (scale > best.scale * (1 + CLOSE) || wider) best = { width: drawn, scale };
      // What is too high wants to be wider, what is too wide narrower. Rows break on the way: it goes by leaps, and
      // where a leap would lead back to what was seen, the right width lies between.
      if (height / high < width / drawn) narrow = Math.max(narrow, drawn);
      else wide = Math.min(wide, drawn);
      const even = Math.min(WIDEST, Math.max(NARROWEST, (width * high) / height));
      const between = even > narrow && even < wide ? even : Math.max(NARROWEST, (narrow + wide) / 2);
      const near = (one: number): boolean => Math.abs(one - drawn) <= drawn * CLOSE;
      const over = looks === LOOKS || (near(between) && scale < best.scale * (1 - CLOSE));
      const next = Math.round(near(even) ? drawn : over ? best.width : between);
      clearTimeout(rest);
      if (looks > LOOKS || near(next)) {
        rest = setTimeout(() => {
          around.classList.add(SHOWN);
          told.current?.();
        }, REST);
      } else {
        looks = over ? LOOKS + 1 : looks + 1;
        inside.style.width = `${next}px`; // its own size is watched: it is looked at again
      }
      const [left, top] = [(width - drawn * scale + EDGE) / 2, (height - high * scale + EDGE) / 2];
      inside.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
    };
    const observer = new ResizeObserver(look);
    observer.observe(around);
    observer.observe(inside);
    return () => {
      observer.disconnect();
      clearTimeout(rest);
    };
  }, []);
  return (
    <div class="fitted" ref={place}>
      <div class="fitted-drawing" ref={drawing}>
        {children}
      </div>
    </div>
  );
}
