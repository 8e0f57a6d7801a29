/** The puck of a craps table: on, with its point, or off. */

import { playWords } from "../i18n/words/play";

export function Puck({ point }: { point: number | null }) {
  const t = playWords().seat;
  const on = point !== null;
  return (
    <svg
      class={on ? "puck puck-on" : "puck"}
      viewBox="0 0 100 100"
      width="72"
      height="72"
      role="img"
      aria-label={on ? t.puckOn(point) : t.puckOff}
    >
      <circle class="puck-body" cx="50" cy="50" r="46" />
      <circle class="puck-rim" cx="50" cy="50" r="39" />
      <text class="puck-word" x="50" y={on ? 31 : 50}>
        {on ? t.on : t.off}
      </text>
      {on && (
        <text class="puck-point" x="50" y="61">
          {point}
        </text>
      )}
    </svg>
  );
}

/** The puck inside another drawing, by its centre. */
export function PuckMark({ on, x, y, radius }: { on: boolean; x: number; y: number; radius: number }) {
  const t = playWords().seat;
  return (
    <g class={on ? "puck puck-on" : "puck"} transform={`translate(${x} ${y}) scale(${radius / 46})`}>
      <circle class="puck-body" r="46" />
      <circle class="puck-rim" r="39" />
      <text class="puck-word">{on ? t.on : t.off}</text>
    </g>
  );
}
