/** A die that does not lie flat: the round stops until it is called. */

import { Button } from "../components/button";
import { named, words } from "../i18n";
import { consoleWords } from "../i18n/words/console";
import { workingRoles } from "../shell/session";
import { mayAct, roleNames } from "../staff/roles";
import type { Desk } from "./console";
import { DueBody } from "./due-body";

interface NotFlatProps {
  desk: Desk;
  /** Shown while nothing is recorded yet. */
  onBack?: () => void;
}

export function NotFlat({ desk, onBack }: NotFlatProps) {
  const t = words();
  const id = desk.staff.not_flat ?? "";
  const rule = desk.book.irregularities[id];
  if (rule === undefined) return null;
  const mine = workingRoles(desk.live.id).some(role => mayAct(desk.book, role, rule.called_by, rule.or_above));
  const call = (): void => void desk.act({ type: "Call", irregularity: id }, rule.called_by);
  return (
    <section class="due" aria-label={consoleWords().dealer.due}>
      <DueBody>
        <p class="due-mark">{named(rule.name)}</p>
        <h2 class="due-says">{consoleWords().desk.notFlat}</h2>
        <p class="due-clause">
          <span class="clause">{consoleWords().dealer.clause(rule.clause.join(", "))}</span>
          {!mine && <span>{consoleWords().dealer.notYours(roleNames(desk.book, rule.called_by))}</span>}
        </p>
      </DueBody>
      <div class="due-acts">
        <Button tone="danger" busy={desk.busy} disabled={!mine} onClick={call}>
          {rule.announce ? consoleWords().desk.callAloud(named(rule.announce)) : consoleWords().dealer.callGo}
        </Button>
        {onBack !== undefined && <Button onClick={onBack}>{t.dialog.cancel}</Button>}
      </div>
    </section>
  );
}
