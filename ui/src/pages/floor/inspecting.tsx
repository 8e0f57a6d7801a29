/** One inspection: values are entered and the layout shows what must light up, or a shaker is operated. */

import { useState } from "preact/hooks";
import { Button } from "../../components/button";
import { Clauses } from "../../components/clauses";
import { Field } from "../../components/field";
import { Form } from "../../components/form";
import { words } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import type { Equipment } from "../../live/view";
import { InspectionWords } from "../../staff/book-step-text";
import { LightsForm } from "../../staff/lights-form";
import type { FloorDesk } from "./table-actions";

interface InspectingProps {
  desk: FloorDesk;
  inspection: Equipment["to_inspect"][number];
  /** Whether it was recorded; the table then shows whether it passed. */
  onDone: (taken: boolean) => void;
}

export function Inspecting(props: InspectingProps) {
  const { inspection } = props;
  return (
    <div class="stack">
      <p>
        <InspectionWords how={inspection.how} says={inspection.says} /> <Clauses clauses={inspection.clause} />
      </p>
      {inspection.how === "enter three values" ? <Lighting {...props} /> : <Operating {...props} />}
    </div>
  );
}

function Lighting({ desk, inspection, onDone }: InspectingProps) {
  const inspect = async (found: { entered: number[]; lit: string[] }): Promise<void> => {
    if (await desk.act({ type: "Inspect", inspection: inspection.id, ...found }, inspection.mine)) onDone(true);
  };
  return <LightsForm desk={desk} onFound={found => void inspect(found)} onCancel={() => onDone(false)} />;
}

/** The number of proper tosses by a shaker. */
function Operating({ desk, inspection, onDone }: InspectingProps) {
  const t = floorWords();
  const [proper, setProper] = useState("");
  const times = /^\d{1,3}$/.test(proper) ? Number(proper) : null;
  const go = async (): Promise<void> => {
    if (times === null) return;
    if (await desk.act({ type: "Inspect", inspection: inspection.id, proper: times }, inspection.mine)) onDone(true);
  };
  return (
    <Form class="stack" onSend={() => void go()}>
      <Field
        label={t.proper}
        value={proper}
        onValue={setProper}
        inputMode="numeric"
        hint={t.properOf(inspection.times)}
        error={proper !== "" && times === null ? t.noNumber : null}
      />
      {times !== null && times < inspection.times && <p class="unmet">{t.failedNote}</p>}
      <div class="buttons">
        <Button type="submit" tone="main" busy={desk.busy} disabled={times === null}>
          {t.properGo}
        </Button>
        <Button onClick={() => onDone(false)}>{words().dialog.cancel}</Button>
      </div>
    </Form>
  );
}
