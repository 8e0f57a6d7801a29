/** A layout on a wall display: as large as its place allows in both directions, whatever the book. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Drawn narrower than this, rows break; wider, nothing can be read from afar. */
const NARROWEST = 760;
const WIDEST = 3_200;
/** Another width changes the height a little: after so many looks it is good enough. */
const LOOKS = 8;
const CLOSE = 0.015;
/** Room for the line around it. */
const EDGE = 2;
const NONE = { width: 0, scale: 0 };

export function Fitted({ children }: { children: ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  const drawing = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const [around, inside] = [place.current, drawing.current];
    if (around === null || inside === null) return;
    let size = "";
    let looks = 0;
    let best = NONE;
    const look = (): void => {
      const [width, height] = [around.clientWidth - EDGE, around.clientHeight - EDGE];
      const now = `${width} ${height}`;
      if (now !== size) {
        looks = 0;
        best = NONE;
      }
      size = now;
      const [drawn, high] = [inside.offsetWidth, inside.offsetHeight];
      if (width === 0 || height === 0 || high === 0) return;
      const scale = Math.min(width / drawn, height / high);
      const wider = scale > best.scale * (1 - CLOSE) && drawn * scale > best.width * best.scale;
      if (scale > best.scale * (1 + CLOSE) || wider) best = { width: drawn, scale };
      const even = Math.min(WIDEST, Math.max(NARROWEST, (width * high) / height));
      // Where rows broke, and it got smaller for it, the right width lies between.
      const next = Math.round(
        looks === LOOKS ? best.width : scale < best.scale * 0.97 ? (drawn + best.width) / 2 : even,
      );
      if (Math.abs(next - drawn) > drawn * CLOSE && looks <= LOOKS) {
        looks += 1;
        inside.style.width = `${next}px`; // its own size is watched: it is looked at again
      }
      const [left, top] = [(width - drawn * scale + EDGE) / 2, (height - high * scale + EDGE) / 2];
      inside.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
    };
    const observer = new ResizeObserver(look);
    observer.observe(around);
    observer.observe(inside);
    return () => observer.disconnect();
  }, []);
  return (
    <div class="fitted" ref={place}>
      <div class="fitted-drawing" ref={drawing}>
        {children}
      </div>
    </div>
  );
}
