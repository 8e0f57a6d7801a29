/** What the text asks of a thing, point by point; a point that is not met is on record, too. */

import { useState } from "preact/hooks";
import { Button } from "../components/button";
import { Clauses } from "../components/clauses";
import { Tick } from "../components/field";
import { Form } from "../components/form";
import { Exact } from "../components/says";
import type { Equipment } from "../live/view";
import { words } from "../words";

interface PointsFormProps {
  thing: Equipment["to_check"][number];
  busy: boolean;
  onPoints: (points: boolean[]) => void;
  onCancel: () => void;
}

export function PointsForm({ thing, busy, onPoints, onCancel }: PointsFormProps) {
  const say = words().floor;
  const [met, setMet] = useState<readonly boolean[]>(thing.requires.map(() => false));
  const missing = met.filter(one => !one).length;
  return (
    <Form class="stack" onSend={() => onPoints([...met])}>
      <p>
        {say.checkLead} <Clauses clauses={thing.clause} />
      </p>
      <fieldset class="ticks">
        <legend class="unseen">{say.checkLead}</legend>
        {thing.requires.map((point, place) => (
          <Tick
            key={point}
            label={
              <span>
                <Exact text={point} />
              </span>
            }
            on={met[place] ?? false}
            onChange={on => setMet(before => before.map((one, index) => (index === place ? on : one)))}
          />
        ))}
      </fieldset>
      <p class={missing === 0 ? "met" : "unmet"} role="status">
        {missing === 0 ? say.checkAll : say.checkMissing(missing)}
      </p>
      <div class="buttons">
        <Button type="submit" tone={missing === 0 ? "main" : "danger"} busy={busy}>
          {say.checkGo}
        </Button>
        <Button onClick={onCancel}>{words().dialog.cancel}</Button>
      </div>
    </Form>
  );
}
