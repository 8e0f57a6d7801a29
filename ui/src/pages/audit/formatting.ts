/** Formats of times, numbers and kinds of entries on the audit pages. */

import type { JournalEntry } from "../../api/types";
import { locale } from "../../i18n";
import { auditWords } from "../../i18n/words/audit";
import { tableLabel } from "../../live/names";

/** The name of the house's own record. */
export const HOUSE = "house";
/** The kind of a finding about a checkpoint, not about the record. */
export const CHECKPOINT = "checkpoint";

export function count(value: number): string {
  return new Intl.NumberFormat(locale.value).format(value);
}

/** A time of the record; all of them are shown in UTC, as they are stored. */
export function moment(at: string): string {
  return at.slice(0, 19).replace("T", " ");
}

/** The name of a kind of entry, or the kind itself if it is unknown. */
export function kindName(kind: string, table: string): string {
  const t = auditWords();
  return (table === HOUSE ? t.houseKinds : t.kinds)[kind] ?? kind.replace(/(?<=[a-z])(?=[A-Z])/g, " ");
}

/** The name of an entry's kind; one that turns the lights off has its own name. */
export function entryName(entry: JournalEntry, table: string): string {
  if (entry.says[0]?.id === "events.play.roll.none-lit") return auditWords().lightsOff;
  return kindName(entry.kind, table);
}

export function recordName(table: string): string {
  return table === HOUSE ? auditWords().house : tableLabel(table);
}

/** The beginning of a hash, long enough to compare by eye. */
export function shortHash(hash: string): string {
  return `${hash.slice(0, 8)}…${hash.slice(-8)}`;
}

/** Has the browser save a text as a file. */
export function save(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}
