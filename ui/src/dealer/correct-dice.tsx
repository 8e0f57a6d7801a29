/** Dice that were announced or entered wrongly, put right by a supervisor before anything is settled. */

import { useState } from "preact/hooks";
import { Dice } from "../components/dice";
import { Field } from "../components/field";
import { consoleWords } from "../i18n/words/console";
import { DiceKeys } from "../staff/keypad";
import { useDiceKeys } from "../staff/keys";
import { supervisors } from "../staff/roles";
import { Go, type PanelProps } from "./fields";
import { ActForm } from "./panel";

export function CorrectDice({ desk, onDone }: PanelProps) {
  const say = consoleWords().desk;
  const count = desk.book.identity.dice;
  const [faces, setFaces] = useState<readonly number[]>([]);
  const [text, setText] = useState("");
  useDiceKeys(faces, count, setFaces);
  const now = desk.live.dice.value;
  const go = async (): Promise<void> => {
    if (await desk.act({ type: "CorrectDice", dice: [...faces], words: text }, supervisors(desk.book))) onDone();
  };
  return (
    <ActForm onGo={() => void go()}>
      <p>{say.correctHint}</p>
      {now.length > 0 && (
        <p class="entry-called">
          {say.correctNow} <Dice faces={now} size={32} />
        </p>
      )}
      <DiceKeys faces={faces} count={count} onFaces={setFaces} />
      <Field label={say.reason} value={text} onValue={setText} maxLength={200} hint={say.reasonNeeded} />
      <Go desk={desk} ready={faces.length === count && text.trim() !== ""} name={say.correctGo} onDone={onDone} />
    </ActForm>
  );
}
