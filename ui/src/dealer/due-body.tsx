/** What is said about the due step, above its buttons: it scrolls where it is longer than its place. */

import type { ComponentChildren } from "preact";

/** What scrolls can be reached by keyboard. */
const REACHED = 0;

export function DueBody({ children }: { children: ComponentChildren }) {
  return (
    <div class="due-body" tabIndex={REACHED}>
      {children}
    </div>
  );
}
