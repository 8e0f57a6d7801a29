/** The text of the due step, above its buttons; it scrolls if it is too long. */

import type { ComponentChildren } from "preact";

/** A scrollable element must be reachable by keyboard. */
const REACHED = 0;

export function DueBody({ children }: { children: ComponentChildren }) {
  return (
    <div class="due-body" tabIndex={REACHED}>
      {children}
    </div>
  );
}
