/** Times of the record in the viewer's language and time zone. */

import { regional, words } from "../i18n";

/** 16 Nov 2026, 02:10; or permanently. */
export function timestampText(at: string): string {
  const time = new Date(at);
  // The record stores a permanent exclusion as the last moment of the calendar.
  if (time.getUTCFullYear() >= 9999) return words().time.forEver;
  return new Intl.DateTimeFormat(regional.value, { dateStyle: "medium", timeStyle: "short" }).format(time);
}

export function Timestamp({ at }: { at: string }) {
  return <time dateTime={at}>{timestampText(at)}</time>;
}
