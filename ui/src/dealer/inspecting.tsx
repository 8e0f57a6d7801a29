/** An inspection: entered values and lights compared with the layout, or a number of proper tosses; and checklists. */

import { Button } from "../components/button";
import { words } from "../i18n";
import { consoleWords } from "../i18n/words/console";
import type { Equipment } from "../live/view";
import { InspectionWords } from "../staff/book-step-text";
import { LightsForm } from "../staff/lights-form";
import { PointsForm } from "../staff/points-form";
import { supervisors } from "../staff/roles";
import type { PanelProps } from "./fields";

export type Inspection = Equipment["to_inspect"][number];
export type Checklist = Equipment["to_check"][number];

/** By lights, or by a number of proper tosses. */
export function Inspecting({ desk, inspection, onDone }: PanelProps & { inspection: Inspection }) {
  const t = consoleWords().dealer;
  const inspect = async (found: { entered: number[]; lit: string[] } | { proper: number }): Promise<void> => {
    if (await desk.act({ type: "Inspect", inspection: inspection.id, ...found }, inspection.who)) onDone();
  };
  return (
    <div class="act-form">
      <p>
        <InspectionWords how={inspection.how} says={inspection.says} />{" "}
        <span class="clause">{t.clause(inspection.clause.join(", "))}</span>
      </p>
      {inspection.how === "enter three values" ? (
        <LightsForm desk={desk} onFound={found => void inspect(found)} onCancel={onDone} />
      ) : (
        <div class="buttons">
          <Button tone="main" busy={desk.busy} onClick={() => void inspect({ proper: inspection.times })}>
            {t.proper(inspection.times)}
          </Button>
          <Button onClick={onDone}>{words().dialog.cancel}</Button>
        </div>
      )}
    </div>
  );
}

export function Checking({ desk, thing, onDone }: PanelProps & { thing: Checklist }) {
  const opening = desk.book.procedure.opening?.find(step => step.act === "inspect" && step.id === LOOK_OVER);
  const check = async (found: { points: boolean[]; approval: string; approved_on: string }): Promise<void> => {
    const command = { type: "CheckEquipment" as const, equipment: thing.id, ...found };
    if (await desk.act(command, opening?.who ?? supervisors(desk.book))) onDone();
  };
  return (
    <PointsForm
      thing={thing}
      references={desk.staff.equipment.approval_references}
      busy={desk.busy}
      onPoints={found => void check(found)}
      onCancel={onDone}
    />
  );
}

/** The step in which equipment is checked, if the book has one. */
const LOOK_OVER = "inspect-equipment";
