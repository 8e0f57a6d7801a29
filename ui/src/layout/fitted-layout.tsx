/** A layout in an element of a given size: as large as possible in both directions, whatever the book. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Drawn narrower, rows break; wider, nothing is legible from afar. */
const NARROWEST = 760;
const WIDEST = 3_200;
/** A new width changes the height a little: after this many iterations it is good enough. */
const LOOKS = 8;
const CLOSE = 0.015;
/** It is shown once nothing has moved for this many milliseconds. */
const REST = 80;
const FITTED_EVENT = "fitted-shown";
/** Room for the line around it. */
const EDGE = 2;
const NONE = { width: 0, scale: 0 };

interface FittedProps {
  children: ComponentChildren;
  /** Called when nothing moves any more. */
  onFit?: () => void;
}

export function Fitted({ children, onFit }: FittedProps) {
  const place = useRef<HTMLDivElement>(null);
  const drawing = useRef<HTMLDivElement>(null);
  const onFitRef = useRef(onFit);
  onFitRef.current = onFit;
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
      // A layout that is too high gets wider, one that is too wide gets narrower. Rows break on the way, so it moves in
      // steps; where a step would return to an earlier width, the right one is in between.
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
          around.classList.add(FITTED_EVENT);
          onFitRef.current?.();
        }, REST);
      } else {
        looks = over ? LOOKS + 1 : looks + 1;
        inside.style.width = `${next}px`; // its own size is observed, so it is measured again
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
