/** The clauses that the electronic tumbler of an automatic table replaces. */

import { useState } from "preact/hooks";
import { labelled, listed, sentences, words } from "../i18n";
import { automaticWords } from "../i18n/words/automatic";
import type { Rules } from "../live/view";
import { ExactLine } from "./book-sentence";
import { Clauses } from "./clauses";
import { Dialog } from "./dialog";

/** Sorts 3.9 before 3.10. */
const NUMBERED = new Intl.Collator("en", { numeric: true });

interface ElectronicProps {
  rules: Rules;
  /** The reference of its approval; empty for play money. */
  approval?: string | undefined;
}

/** An info mark that opens the list. */
export function ElectronicMark({ rules, approval }: ElectronicProps) {
  const t = words().electronic;
  const [open, setOpen] = useState(false);
  if (rules.electronic_form.length === 0) return null;
  return (
    <>
      <button type="button" class="info-mark" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <span aria-hidden="true">ⓘ</span> <span class="info-words">{t.mark}</span>
      </button>
      <Dialog open={open} title={t.title} onClose={() => setOpen(false)}>
        {approval && (
          <p>
            {labelled(t.approval)}
            <strong>{approval}</strong>
          </p>
        )}
        <p class="soft">{t.lead}</p>
        <ElectronicList rules={rules} />
      </Dialog>
    </>
  );
}

/** For display boards, where nothing can be pressed: the clauses by number, in the order of the book. */
export function ElectronicNote({ rules, approval }: ElectronicProps) {
  const t = words().electronic;
  const clauses = [...new Set(rules.electronic_form.flatMap(one => one.clauses))].sort(NUMBERED.compare);
  if (clauses.length === 0) return null;
  return (
    <p class="electronic-note">
      <span aria-hidden="true">ⓘ</span> {sentences(t.replaces(listed(clauses)), approval && t.approved(approval))}
    </p>
  );
}

/** Each replaced part of the book, and what replaces it. */
export function ElectronicList({ rules }: { rules: Rules }) {
  const t = words().electronic;
  return (
    <ul class="things things-wide">
      {rules.electronic_form.map(one => (
        <li key={`${one.part} ${one.clauses.join()}`}>
          <div>
            <strong>
              <ExactLine text={one.text} />
            </strong>{" "}
            <Clauses clauses={one.clauses} />
            <p class="soft">
              {labelled(t.instead)}
              {automaticWords()[one.key] ?? one.instead}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
