/** The throw over the layout: a covered shaker, then dice that fall and come to rest one after another. A die shows its
 * face only at rest. */

import { useEffect } from "preact/hooks";
import { DieMark } from "../../components/dice";
import { playWords } from "../../i18n/words/play";
import type { Reveal } from "./reveal";

const BLANK = 0;

export function RevealedDice({ dice, reveal }: { dice: readonly number[]; reveal: Reveal }) {
  const { hides, skip } = reveal;
  useEffect(() => {
    if (!hides) return;
    const press = (event: KeyboardEvent): void => {
      if (event.key === "Escape") skip();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [hides, skip]);
  return (
    <div class="reveal-place">
      {hides && (
        <div class="reveal">
          <div class={`reveal-dice${reveal.stage === "shaking" ? " reveal-shaking" : ""}`} aria-hidden="true">
            {reveal.stage === "shaking" ? (
              <Cover />
            ) : (
              dice.map((face, index) => (
                <svg
                  key={index}
                  class={index < reveal.rested ? "die rested" : "die die-falling tumble"}
                  viewBox="0 0 100 100"
                  aria-hidden="true"
                >
                  <DieMark face={index < reveal.rested ? face : BLANK} x={0} y={0} size={100} />
                </svg>
              ))
            )}
          </div>
          <button type="button" class="button button-quiet" onClick={skip}>
            {playWords().play.skip}
          </button>
        </div>
      )}
    </div>
  );
}

/** The shaker under its cover. */
function Cover() {
  return (
    <svg class="reveal-cover" viewBox="0 0 200 120" aria-hidden="true">
      <path class="cover-dome" d="M20 100 C20 30 70 12 100 12 C130 12 180 30 180 100 Z" />
      <path class="cover-light" d="M48 84 C48 50 74 30 96 26" />
      <circle class="cover-knob" cx="100" cy="10" r="8" />
      <rect class="cover-base" x="8" y="98" width="184" height="14" rx="7" />
    </svg>
  );
}
