/** What blocks the pages: a missing second factor, or a locked screen. The page behind it keeps its state. */

import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { locked } from "../api/client";
import { wordsLoaded } from "../i18n";
import { me } from "./session";

type Closed = "factor" | "lock";

/** Loaded on demand: most people never need it. */
const cards: Partial<Record<Closed, ComponentType>> = {};

async function load(what: Closed): Promise<void> {
  const { default: card } = what === "lock" ? await import("./lock-screen") : await import("./second-step");
  await wordsLoaded();
  cards[what] = card;
}

export function Gate() {
  const closed: Closed | null = me.value?.second_factor ? "factor" : me.value && locked.value ? "lock" : null;
  const dialog = useRef<HTMLDialogElement>(null);
  const [, loaded] = useState(0);
  useEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    if (closed === null) {
      element.close();
      return;
    }
    if (!element.open) element.showModal(); // above every other dialog, which keeps its state
    if (!cards[closed]) void load(closed).then(() => loaded(count => count + 1));
  }, [closed]);
  const Card = closed === null ? undefined : cards[closed];
  useEffect(() => {
    if (Card) dialog.current?.querySelector<HTMLElement>("input, button")?.focus();
  }, [Card]);
  return (
    <dialog
      ref={dialog}
      class={`gate gate-${closed ?? "open"}`}
      onCancel={event => event.preventDefault()}
      onClose={event => {
        if (closed !== null) event.currentTarget.showModal(); // Escape, pressed twice
      }}
    >
      {Card && (
        <div class="sign-card">
          <Card />
        </div>
      )}
    </dialog>
  );
}
