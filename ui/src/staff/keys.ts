/** Keys of the whole console; inactive while someone types in a field, or a dialog is open. */

import { useLayoutEffect, useRef } from "preact/hooks";

const FIELDS = "input, select, textarea, [contenteditable]";

/** Whether a key belongs to the focused element. */
function isTaken(event: KeyboardEvent): boolean {
  const at = event.target instanceof Element ? event.target : null;
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return true;
  if (document.querySelector("dialog[open]") !== null || at?.closest(FIELDS)) return true;
  // Enter takes the due step, even if a button has the focus: Space presses the button.
  if (event.key === "Enter") return at?.closest("a") != null;
  return event.key === " " && at?.closest("button, summary") != null;
}

/** Passes on each key; one that was handled goes no further. */
export function useKeys(hear: (key: string) => boolean): void {
  const latest = useRef(hear);
  latest.current = hear;
  // Immediately, not in the next frame: the next key of a quick hand must not get lost between two steps.
  useLayoutEffect(() => {
    const handleKey = (event: KeyboardEvent): void => {
      if (!isTaken(event) && latest.current(event.key)) event.preventDefault();
    };
    addEventListener("keydown", handleKey);
    return () => removeEventListener("keydown", handleKey);
  }, []);
}

/** Dice by keyboard in the open dialog; not while someone types in one of its fields. */
export function useDiceKeys(
  faces: readonly number[],
  count: number,
  onFaces: (faces: readonly number[]) => void,
): void {
  const latest = useRef({ faces, onFaces });
  latest.current = { faces, onFaces };
  useLayoutEffect(() => {
    const handleKey = (event: KeyboardEvent): void => {
      const at = event.target instanceof Element ? event.target : null;
      if (event.ctrlKey || event.metaKey || event.altKey || at?.closest(FIELDS)) return;
      const { faces: typed, onFaces: put } = latest.current;
      if (/^[1-6]$/.test(event.key) && typed.length < count) put([...typed, Number(event.key)]);
      else if (event.key === "Backspace") put(typed.slice(0, -1));
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", handleKey);
    return () => removeEventListener("keydown", handleKey);
  }, [count]);
}
