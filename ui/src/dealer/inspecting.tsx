/** An inspection: values entered and lights held against the layout, or so many proper tosses; and a check of points. */

import { useState } from "preact/hooks";
import { Button } from "../components/button";
import { Tick } from "../components/field";
import type { Equipment } from "../live/view";
import { DiceKeys } from "../staff/keypad";
import { useDiceKeys } from "../staff/keys";
import { LitLayout, useLighting } from "../staff/lighting";
import { supervisors } from "../staff/roles";
import { InspectionWords } from "../staff/said";
import { words } from "../words";
import type { Desk } from "./desk";
import { Go, type PanelProps } from "./fields";
import { ActForm } from "./panel";

export type Inspection = Equipment["to_inspect"][number];
export type Checklist = Equipment["to_check"][number];

/** Values are entered, and the areas that must light up are shown, to be held against the layout. */
export function Inspecting({ desk, inspection, onDone }: { desk: Desk; inspection: Inspection; onDone: () => void }) {
  const say = words().dealer;
  const values = inspection.how === "enter three values";
  const count = desk.book.identity.dice;
  const [faces, setFaces] = useState<readonly number[]>([]);
  const lighting = useLighting(desk, values ? faces : []);
  useDiceKeys(faces, values ? count : 0, setFaces);
  const { must, seen, differing } = lighting;
  const go = (): void => {
    const found = values ? { entered: [...faces], lit: [...seen] } : { proper: inspection.times };
    void desk
      .act({ type: "Inspect", inspection: inspection.id, ...found }, inspection.who)
      .then(done => done && onDone());
  };
  return (
    <div class="act-form">
      <p>
        <InspectionWords how={inspection.how} says={inspection.says} />{" "}
        <span class="clause">{say.clause(inspection.clause.join(", "))}</span>
      </p>
      {values && <DiceKeys faces={faces} count={count} onFaces={setFaces} />}
      {values && must !== null && (
        <>
          <p>{say.mustLight}</p>
          <LitLayout desk={desk} lighting={lighting} />
        </>
      )}
      <div class="buttons">
        <Button
          tone={differing.length > 0 ? "danger" : "main"}
          busy={desk.busy}
          disabled={values && must === null}
          onClick={go}
        >
          {!values ? say.proper(inspection.times) : differing.length > 0 ? say.otherLit : say.allLit}
        </Button>
        <Button onClick={onDone}>{words().dialog.cancel}</Button>
      </div>
    </div>
  );
}

/** Point by point, as the book asks; a point that is not met is on record, too. */
export function Checking({ desk, thing, onDone }: PanelProps & { thing: Checklist }) {
  const say = words().desk;
  const [points, setPoints] = useState<readonly boolean[]>(thing.requires.map(() => false));
  const met = points.every(Boolean);
  const opening = desk.book.procedure.opening?.find(step => step.act === "inspect" && step.id === LOOK_OVER);
  const go = async (): Promise<void> => {
    const command = { type: "CheckEquipment" as const, equipment: thing.id, points: [...points] };
    if (await desk.act(command, opening?.who ?? supervisors(desk.book))) onDone();
  };
  return (
    <ActForm onGo={() => void go()}>
      <p class="clause">{words().dealer.clause(thing.clause.join(", "))}</p>
      <div class="present">
        {thing.requires.map((point, place) => (
          <Tick
            key={point}
            label={point}
            on={points[place] ?? false}
            onChange={on => setPoints(points.map((one, other) => (other === place ? on : one)))}
          />
        ))}
      </div>
      <Go desk={desk} ready danger={!met} name={met ? say.checkGo : say.checkBad} onDone={onDone} />
    </ActForm>
  );
}

/** The step in which equipment is looked over, where a book has one. */
const LOOK_OVER = "inspect-equipment";
