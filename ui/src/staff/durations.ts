/** Lengths of time in words. */

import { words } from "../i18n";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** So many milliseconds: 3 h 20 min. */
export function spanText(length: number): string {
  const whole = Math.max(0, length);
  return words().floor.span(
    Math.floor(whole / DAY),
    Math.floor((whole % DAY) / HOUR),
    Math.floor((whole % HOUR) / MINUTE),
  );
}
