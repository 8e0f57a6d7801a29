/** A part of a page whose buttons ignore presses until they have settled. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Place, SETTLING, Settling } from "./press-guard";

const ACTS = "button.button";
/** Changes that can move a button; our own mark is not among them. */
const CHANGES = {
  subtree: true,
  childList: true,
  characterData: true,
  attributes: true,
  attributeFilter: ["class", "hidden", "open", "aria-label"],
};

export function SettledActs(props: { class: string; children: ComponentChildren }) {
  const root = useRef<HTMLElement>(null);
  useLayoutEffect(() => (root.current === null ? undefined : watched(root.current)), []);
  return (
    <section class={props.class} ref={root}>
      {props.children}
    </section>
  );
}

/** Marks the buttons that have not settled, and blocks presses on them, until the returned function is called. */
function watched(root: HTMLElement): () => void {
  const settling = new Settling<HTMLElement>();
  let timer = 0;
  let touched: HTMLElement | null = null;
  const look = (): void => {
    const now = performance.now();
    // A dialog opens by a press, and no list moves in it.
    const acts = [...root.querySelectorAll<HTMLElement>(ACTS)].filter(act => act.closest("dialog") === null);
    // All positions are read before any mark is written, to avoid a layout for each.
    const settled = acts.map(act => settling.note(act, placeOf(act), now));
    acts.forEach((act, place) => {
      const marked = act.hasAttribute("aria-disabled");
      if (settled[place] && marked) act.removeAttribute("aria-disabled");
      else if (!settled[place] && !marked) act.setAttribute("aria-disabled", "true");
    });
    clearTimeout(timer);
    if (settled.includes(false)) timer = setTimeout(look, SETTLING / 10);
  };
  const touch = (event: PointerEvent): void => {
    touched = actAt(event);
  };
  const press = (event: MouseEvent): void => {
    const act = actAt(event);
    if (act === null || act.closest("dialog") !== null || sentFromField(event, act)) return;
    // The list may move or scroll while the finger is down: the click would land on a button that nobody touched.
    const aimed = event.detail === 0 || act === touched;
    if (settling.note(act, placeOf(act), performance.now()) && aimed) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const observer = new MutationObserver(look);
  observer.observe(root, CHANGES);
  document.addEventListener("pointerdown", touch, { capture: true });
  root.addEventListener("click", press, { capture: true });
  look();
  return () => {
    observer.disconnect();
    document.removeEventListener("pointerdown", touch, { capture: true });
    root.removeEventListener("click", press, { capture: true });
    clearTimeout(timer);
  };
}

function actAt(event: Event): HTMLElement | null {
  return event.target instanceof Element ? event.target.closest<HTMLElement>(ACTS) : null;
}

/** Whether the browser presses a form's button for Enter in one of its fields: then nobody aimed at the button. */
function sentFromField(event: MouseEvent, act: HTMLElement): boolean {
  const focused = document.activeElement;
  return event.detail === 0 && focused instanceof HTMLInputElement && focused.form?.contains(act) === true;
}

/** The position of a button, independent of scrolling. */
function placeOf(act: HTMLElement): Place {
  let [left, top] = [0, 0];
  for (let at: HTMLElement | null = act; at !== null; at = at.offsetParent as HTMLElement | null) {
    left += at.offsetLeft;
    top += at.offsetTop;
  }
  return { label: act.getAttribute("aria-label") ?? act.textContent ?? "", left, top };
}
