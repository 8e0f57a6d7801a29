/** An inspection: values entered and lights held against the layout, or so many proper tosses; and a check of points. */

import { useEffect, useState } from "preact/hooks";
import { api, told } from "../api/client";
import { asProblem } from "../api/problems";
import { Button } from "../components/button";
import { Tick } from "../components/field";
import { toastProblem } from "../components/toasts";
import { Layout } from "../layout/layout";
import type { Equipment } from "../live/view";
import { words } from "../words";
import type { Desk } from "./desk";
import { Go, type PanelProps } from "./fields";
import { DiceKeys } from "./keypad";
import { useDiceKeys } from "./keys";
import { ActForm } from "./panel";
import { supervisors } from "./roles";
import { InspectionWords } from "./said";

export type Inspection = Equipment["to_inspect"][number];
export type Checklist = Equipment["to_check"][number];

/** Values are entered, and the areas that must light up are shown, to be held against the layout. */
export function Inspecting({ desk, inspection, onDone }: { desk: Desk; inspection: Inspection; onDone: () => void }) {
  const say = words().dealer;
  const values = inspection.how === "enter three values";
  const count = desk.book.identity.dice;
  const [faces, setFaces] = useState<readonly number[]>([]);
  const [lit, setLit] = useState<readonly string[] | null>(null);
  const [differing, setDiffering] = useState<readonly string[]>([]);
  const whole = faces.length === count;
  useDiceKeys(faces, values ? count : 0, setFaces);
  useEffect(() => {
    setLit(null);
    setDiffering([]);
    if (!whole) return;
    mustLight(desk, faces).then(setLit, thrown => toastProblem(asProblem(thrown)));
  }, [faces.join()]);
  const seen = new Set(lit ?? []);
  for (const wager of differing) if (!seen.delete(wager)) seen.add(wager);
  const toggle = (wager: string): void =>
    setDiffering(before => (before.includes(wager) ? before.filter(one => one !== wager) : [...before, wager]));
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
      {values && lit !== null && (
        <>
          <p>{say.mustLight}</p>
          <Layout
            book={desk.book}
            showing={{ lit: seen, paytables: desk.rules.paytables }}
            info={false}
            onBet={toggle}
            onTakeOff={toggle}
          />
        </>
      )}
      <div class="buttons">
        <Button
          tone={differing.length > 0 ? "danger" : "main"}
          busy={desk.busy}
          disabled={values && lit === null}
          onClick={go}
        >
          {!values ? say.proper(inspection.times) : differing.length > 0 ? say.otherLit : say.allLit}
        </Button>
        <Button onClick={onDone}>{words().dialog.cancel}</Button>
      </div>
    </div>
  );
}

/** What the device must light, as the server works it out. */
async function mustLight(desk: Desk, faces: readonly number[]): Promise<readonly string[]> {
  const { book, digest, readings, options } = desk.rules.setup;
  const paytables = Object.fromEntries(
    Object.entries(desk.rules.paytables).flatMap(([wager, table]) => (table === null ? [] : [[wager, table]])),
  );
  const body = { dice: [...faces], digest, readings: readings ?? {}, options: options ?? {}, paytables };
  const found = await told(
    api.POST("/api/v1/books/{book_id}/illuminate", { params: { path: { book_id: book } }, body }),
  );
  return found.wins;
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
