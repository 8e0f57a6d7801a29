/** One inspection: values are entered and the layout shows what must light up, or a shaker is operated. */

import { useEffect, useState } from "preact/hooks";
import { api, told } from "../../api/client";
import { asProblem } from "../../api/problems";
import { Button } from "../../components/button";
import { Clauses } from "../../components/clauses";
import { Field } from "../../components/field";
import { Form } from "../../components/form";
import { toastProblem } from "../../components/toasts";
import { DiceKeys } from "../../dealer/keypad";
import { InspectionWords } from "../../dealer/said";
import { Layout } from "../../layout/layout";
import type { Equipment } from "../../live/view";
import { words } from "../../words";
import type { FloorDesk } from "./desk";

interface InspectingProps {
  desk: FloorDesk;
  inspection: Equipment["to_inspect"][number];
  /** Whether it was taken; the table then tells whether it was passed. */
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

/** What the device must light is the server's word; where it differs, the area is pressed. */
function Lighting({ desk, inspection, onDone }: InspectingProps) {
  const say = words().floor;
  const count = desk.book.identity.dice;
  const [faces, setFaces] = useState<readonly number[]>([]);
  const [lit, setLit] = useState<readonly string[] | null>(null);
  const [differing, setDiffering] = useState<readonly string[]>([]);
  useEffect(() => {
    setLit(null);
    setDiffering([]);
    if (faces.length < count) return;
    let wanted = true;
    mustLight(desk, faces).then(
      found => wanted && setLit(found),
      thrown => toastProblem(asProblem(thrown)),
    );
    return () => {
      wanted = false;
    };
  }, [faces.join()]);
  const seen = new Set(lit ?? []);
  for (const wager of differing) if (!seen.delete(wager)) seen.add(wager);
  const toggle = (wager: string): void =>
    setDiffering(before => (before.includes(wager) ? before.filter(one => one !== wager) : [...before, wager]));
  const go = async (): Promise<void> => {
    const found = { entered: [...faces], lit: [...seen] };
    if (await desk.act({ type: "Inspect", inspection: inspection.id, ...found }, inspection.mine)) onDone(true);
  };
  return (
    <>
      <p>
        <strong>{say.enter}</strong> <span class="soft">{say.enterAny}</span>
      </p>
      <DiceKeys faces={faces} count={count} onFaces={setFaces} />
      {lit !== null && (
        <>
          <p>
            {say.mustLight} <strong>{say.mustLightCount(lit.length)}</strong>
          </p>
          <Layout
            book={desk.book}
            showing={{ lit: seen, paytables: desk.rules.paytables }}
            info={false}
            onBet={toggle}
            onTakeOff={toggle}
          />
        </>
      )}
      {differing.length > 0 && (
        <p class="unmet" role="status">
          {say.differs(differing.length)}
        </p>
      )}
      <div class="buttons">
        <Button
          tone={differing.length > 0 ? "danger" : "main"}
          busy={desk.busy}
          disabled={lit === null}
          onClick={() => void go()}
        >
          {differing.length > 0 ? say.asMarked : say.asMust}
        </Button>
        <Button onClick={() => onDone(false)}>{words().dialog.cancel}</Button>
      </div>
    </>
  );
}

/** How often a shaker tossed the dice properly. */
function Operating({ desk, inspection, onDone }: InspectingProps) {
  const say = words().floor;
  const [proper, setProper] = useState("");
  const times = /^\d{1,3}$/.test(proper) ? Number(proper) : null;
  const go = async (): Promise<void> => {
    if (times === null) return;
    if (await desk.act({ type: "Inspect", inspection: inspection.id, proper: times }, inspection.mine)) onDone(true);
  };
  return (
    <Form class="stack" onSend={() => void go()}>
      <Field
        label={say.proper}
        value={proper}
        onValue={setProper}
        inputMode="numeric"
        hint={say.properOf(inspection.times)}
        error={proper !== "" && times === null ? say.noNumber : null}
      />
      {times !== null && times < inspection.times && <p class="unmet">{say.failedNote}</p>}
      <div class="buttons">
        <Button type="submit" tone="main" busy={desk.busy} disabled={times === null}>
          {say.properGo}
        </Button>
        <Button onClick={() => onDone(false)}>{words().dialog.cancel}</Button>
      </div>
    </Form>
  );
}

async function mustLight(desk: FloorDesk, faces: readonly number[]): Promise<readonly string[]> {
  const { book, digest, readings, options } = desk.rules.setup;
  const body = { dice: [...faces], digest, readings: readings ?? {}, options: options ?? {} };
  const found = await told(
    api.POST("/api/v1/books/{book_id}/illuminate", { params: { path: { book_id: book } }, body }),
  );
  return found.wins;
}
