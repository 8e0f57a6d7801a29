/** A fresh set of dice comes into use. */

import { useState } from "preact/hooks";
import { Field, Tick } from "../components/field";
import { supervisors } from "../staff/roles";
import { words } from "../words";
import { hasAct } from "./desk";
import { Go, type PanelProps } from "./fields";
import { ActForm } from "./panel";

export function PutDice({ desk, onDone }: PanelProps) {
  const say = words().desk;
  const [name, setName] = useState("");
  const [sealed, setSealed] = useState(true);
  // Dice that a shooter throws lie open.
  const inside = !hasAct(desk.book, "roll");
  const go = async (): Promise<void> => {
    if (await desk.act({ type: "PutDice", set: name.trim(), sealed }, supervisors(desk.book))) onDone();
  };
  return (
    <ActForm onGo={() => void go()}>
      <Field label={say.putDiceName} value={name} onValue={setName} maxLength={60} />
      {inside && <Tick label={say.putDiceSealed} on={sealed} onChange={setSealed} />}
      <Go desk={desk} ready={name.trim() !== ""} name={say.putDiceGo} onDone={onDone} />
    </ActForm>
  );
}
