/** Times as the record writes them, in the words of the page. */

import { locale, words } from "../../words";

/** 16 Nov 2026, 02:10; or for ever. */
export function momentText(written: string): string {
  const time = new Date(written);
  // The record writes "for ever" as the last moment of the calendar.
  if (time.getUTCFullYear() >= 9999) return words().own.forEver;
  return new Intl.DateTimeFormat(locale.value, { dateStyle: "medium", timeStyle: "short" }).format(time);
}

export function Moment({ at }: { at: string }) {
  return <time dateTime={at}>{momentText(at)}</time>;
}

/** A day as fields of dates and the API have it, so many days from today, by UTC. */
export function day(from: number): string {
  return new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
}
