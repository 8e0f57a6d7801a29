/** Durations in words. */

import { floorWords } from "../i18n/words/floor";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration in milliseconds: 3 h 20 min. */
export function spanText(length: number): string {
  const t = floorWords();
  const whole = Math.max(0, length);
  const [days, hours, minutes] = [whole / DAY, (whole % DAY) / HOUR, (whole % HOUR) / MINUTE].map(Math.floor);
  if (days) return t.spanDays(days, hours ?? 0);
  return hours ? t.spanHours(hours, minutes ?? 0) : t.spanMinutes(minutes ?? 0);
}
