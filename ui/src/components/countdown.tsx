/** The time left to bet, as a ring with seconds. */

import { words } from "../i18n";
import { useSecondsLeft } from "../live/use-table";

interface CountdownProps {
  /** In milliseconds of the server's clock. */
  until: number | null;
  /** The total duration. */
  seconds: number;
  size?: number;
}

const ROUND = 2 * Math.PI * 44;

export function Countdown({ until, seconds, size = 64 }: CountdownProps) {
  const left = useSecondsLeft(until);
  if (left === null) return null;
  const share = Math.max(0, Math.min(1, left / seconds));
  return (
    <svg
      class={`countdown${left <= 5 ? " countdown-soon" : ""}`}
      viewBox="0 0 100 100"
      width={size}
      height={size}
      role="img"
      aria-label={words().table.countdown(left)}
    >
      <circle class="countdown-track" cx="50" cy="50" r="44" />
      <circle
        class="countdown-left"
        cx="50"
        cy="50"
        r="44"
        transform="rotate(-90 50 50)"
        stroke-dasharray={ROUND}
        stroke-dashoffset={ROUND * (1 - share)}
      />
      <text x="50" y="50" class="countdown-text">
        {left}
      </text>
    </svg>
  );
}
