/** Keys of the whole console; not while somebody types elsewhere, or a dialog is open. */

import { useLayoutEffect, useRef } from "preact/hooks";

const TYPED_IN = "input, select, textarea, dialog, [contenteditable]";

/** Whether a key belongs to what has the focus. */
function isTaken(event: KeyboardEvent): boolean {
  const at = event.target instanceof Element ? event.target : null;
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return true;
  if (document.querySelector("dialog[open]") !== null || at?.closest(TYPED_IN)) return true;
  return (event.key === "Enter" || event.key === " ") && at?.closest("button, a, summary") !== null && at !== null;
}

/** Hands on each key; one that was of use goes no further. */
export function useKeys(hear: (key: string) => boolean): void {
  const latest = useRef(hear);
  latest.current = hear;
  // At once, not after the next frame: a quick hand's next key is not lost between two steps.
  useLayoutEffect(() => {
    const heard = (event: KeyboardEvent): void => {
      if (!isTaken(event) && latest.current(event.key)) event.preventDefault();
    };
    addEventListener("keydown", heard);
    return () => removeEventListener("keydown", heard);
  }, []);
}
