/** Problems and pending matters of a table, the most urgent first, each with a link. */

import type { ComponentChildren } from "preact";
import type { FloorTable } from "../../api/types";
import { TextWithReason } from "../../components/book-sentence";
import { labelled, listed, named } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import { address } from "../../shell/router";

export interface TableNews {
  id: string;
  says: ComponentChildren;
  bad: boolean;
  href?: string;
}

/** The order of attention: interruptions, then pending matters, then the rest; closed tables last. */
export function urgency(table: FloorTable, alarms: number): number {
  if (!table.open) return table.disputed.length > 0 ? 1 : -1;
  const held = table.stopped.length > 0 || alarms > 0 ? 4 : 0;
  return held + (table.yours > 0 ? 2 : 0) + (table.lacking !== null || table.disputed.length > 0 ? 1 : 0);
}

export function newsOf(table: FloorTable, alarms: number): TableNews[] {
  const t = floorWords();
  const dealt = table.open && !table.automatic;
  const found: TableNews[] = table.stopped.map(one => ({
    id: `${one.why} ${one.what}`,
    says: one.why === "tumbler" ? <TextWithReason says={t.stopped.tumbler} why={one.what} /> : stoppedText(one),
    bad: true,
  }));
  if (alarms > 0) found.push({ id: "alarms", says: t.alarmsHere(alarms), bad: true, href: "/floor/alarms" });
  if (dealt && table.float < Math.max(0, -table.worst_result)) {
    const says = table.float < 0 ? t.overdrawn : t.shortFloat;
    found.push({ id: "float", says, bad: true, href: address`/floor/tables/${table.id}/money` });
  }
  if (dealt && !table.staffed) {
    found.push({ id: "staff", says: t.unstaffed, bad: true, href: address`/floor/people?table=${table.id}` });
  }
  if (table.approvals > 0) {
    const says = t.approvalsHere(table.approvals, table.yours);
    found.push({ id: "approvals", says, bad: false, href: "/floor/approvals" });
  }
  if (table.disputed.length > 0) {
    const says = t.disputed(listed(table.disputed.map(String)), table.disputed.length);
    found.push({ id: "disputes", says, bad: false, href: address`/floor/tables/${table.id}/disputes` });
  }
  if (table.lacking !== null && table.stopped.length === 0) {
    const says = `${labelled(t.lacks)}${table.lacking.message.text}`;
    found.push({ id: "lacking", says, bad: false, href: address`/floor/tables/${table.id}` });
  }
  if (table.older_edition) found.push({ id: "edition", says: t.olderEdition, bad: false });
  return found;
}

/** Why a table is stopped, in a sentence. */
function stoppedText({ why, what, name }: FloorTable["stopped"][number]): string {
  const t = floorWords().stopped;
  const thing = name ? named(name) : what;
  if (why === "void proposed") return t.voidProposed(thing);
  if (why === "power" || why === "tumbler") return t[why];
  return t[why](thing);
}
