/** The book's requirements for an item, point by point; a point that is not met is recorded, too. */

import { useState } from "preact/hooks";
import { Exact } from "../components/book-sentence";
import { Button } from "../components/button";
import { Clauses } from "../components/clauses";
import { Field, Tick } from "../components/field";
import { Form } from "../components/form";
import { gap, words } from "../i18n";
import { floorWords } from "../i18n/words/floor";
import type { Equipment } from "../live/view";

interface PointsFormProps {
  thing: Equipment["to_check"][number];
  /** Whether the house wants the reference and date of an approval. */
  references: boolean;
  busy: boolean;
  onPoints: (found: { points: boolean[]; approval: string; approved_on: string }) => void;
  onCancel: () => void;
}

export function PointsForm({ thing, references, busy, onPoints, onCancel }: PointsFormProps) {
  const t = floorWords();
  const [met, setMet] = useState<readonly boolean[]>(thing.points.map(() => false));
  const [approval, setApproval] = useState(thing.approval);
  const [approvedOn, setApprovedOn] = useState(thing.approved_on);
  const missing = met.filter(one => !one).length;
  return (
    <Form class="stack" onSend={() => onPoints({ points: [...met], approval, approved_on: approvedOn })}>
      <p>
        {t.checkLead}
        {gap()}
        <Clauses clauses={thing.clause} />
      </p>
      <fieldset class="ticks">
        <legend class="unseen">{t.checkLead}</legend>
        {thing.points.map((point, place) => (
          <Tick
            key={point.says.en}
            label={
              <span>
                <Exact text={point.says} /> <Clauses clauses={point.clause} />
              </span>
            }
            on={met[place] ?? false}
            onChange={on => setMet(before => before.map((one, index) => (index === place ? on : one)))}
          />
        ))}
      </fieldset>
      {thing.points.some(point => point.approval) && (
        <>
          <Field
            label={t.approval}
            value={approval}
            onValue={setApproval}
            hint={references ? t.approvalWanted : t.approvalOptional}
            maxLength={200}
          />
          <Field label={t.approvedOn} type="date" value={approvedOn} onValue={setApprovedOn} />
        </>
      )}
      <p class={missing === 0 ? "met" : "unmet"} role="status">
        {missing === 0 ? t.checkAll : t.checkMissing(missing)}
      </p>
      <div class="buttons">
        <Button type="submit" tone={missing === 0 ? "main" : "danger"} busy={busy}>
          {t.checkGo}
        </Button>
        <Button onClick={onCancel}>{words().dialog.cancel}</Button>
      </div>
    </Form>
  );
}
