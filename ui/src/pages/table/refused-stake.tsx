/** The reason why a stake was refused, on its area; it takes no space from the layout. */

import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { BookPage } from "../../api/types";
import { Grounds } from "../../components/problem-note";
import { words } from "../../i18n";
import type { BetSlip } from "./bet-slip";
import { refusalText } from "./refusals";

/** How long a reason stays, in milliseconds. */
const NOTE_DURATION = 7_000;
/** The distance between the reason and its area, and from the edge of the page. */
const AIR = 6;

interface RefusedProps {
  hand: BetSlip;
  book: BookPage;
  money: string;
  /** The element that contains the layout. */
  around: RefObject<HTMLElement | null>;
}

export function RefusedStake({ hand, book, money, around }: RefusedProps) {
  const refusal = hand.refusal.value;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (refusal === null) return;
    const timer = setTimeout(() => {
      if (hand.refusal.value === refusal) hand.refusal.value = null;
    }, NOTE_DURATION);
    return () => clearTimeout(timer);
  }, [refusal, hand]);
  useLayoutEffect(() => {
    if (place.current !== null && around.current !== null) put(place.current, around.current, refusal?.wager ?? null);
  }, [refusal, around]);
  if (refusal === null) return null;
  return (
    <div class="refused-stake" ref={place}>
      <p>
        <strong>{refusalText(refusal, money)}</strong>
      </p>
      {refusal.about === "problem" && <Grounds problem={refusal.problem} />}
      {refusal.about === "late" && <Closing book={book} />}
      <button
        type="button"
        class="quiet"
        aria-label={words().problem.dismiss}
        onClick={() => {
          hand.refusal.value = null;
        }}
      >
        ×
      </button>
    </div>
  );
}

/** The clause under which betting has closed, behind an info mark. */
function Closing({ book }: { book: BookPage }) {
  const step = book.procedure.round.find(one => one.act === "close betting");
  if (step === undefined || step.clause.length === 0) return null;
  return (
    <details class="clause grounds">
      <summary aria-label={words().problem.grounds}>ⓘ</summary>
      {words().problem.clause(step.clause.join(", "))}
    </details>
  );
}

/** Below its area, or above it if there is no room; without a visible area, at the foot of the layout. */
function put(note: HTMLElement, around: HTMLElement, wager: string | null): void {
  const frame = around.getBoundingClientRect();
  const area = wager === null ? null : around.querySelector(`[data-wager="${CSS.escape(wager)}"]`);
  const layout = around.querySelector(".layout")?.getBoundingClientRect() ?? frame;
  const box =
    area?.getBoundingClientRect() ?? new DOMRect(layout.left, layout.bottom - note.offsetHeight - AIR, layout.width, 0);
  const below = box.bottom - frame.top + AIR;
  const fits = below + note.offsetHeight <= layout.bottom - frame.top;
  const middle = box.left + box.width / 2 - frame.left - note.offsetWidth / 2;
  const left = Math.max(0, Math.min(frame.width - note.offsetWidth, middle));
  note.style.left = `${left}px`;
  note.style.top = `${fits ? below : Math.max(0, box.top - frame.top - note.offsetHeight - AIR)}px`;
}
