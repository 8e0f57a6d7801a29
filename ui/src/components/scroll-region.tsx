/** A wide table that scrolls sideways, by keyboard too; it fades out where more follows. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface ScrollRegionProps {
  label: string;
  children: ComponentChildren;
}

export function ScrollRegion({ label, children }: ScrollRegionProps) {
  const region = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = region.current;
    if (element === null) return;
    const look = (): void => {
      const rest = element.scrollWidth - element.clientWidth - element.scrollLeft;
      element.classList.toggle("more-before", element.scrollLeft > 1);
      element.classList.toggle("more-after", rest > 1);
    };
    const observer = new ResizeObserver(look);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <div ref={region} class="figures-scroll" tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  );
}
