/** Corrects dice that were announced or entered wrongly, by a supervisor before settlement. */

import { useState } from "preact/hooks";
import { Dice } from "../components/dice";
import { Field } from "../components/field";
import { consoleWords } from "../i18n/words/console";
import { DiceKeys } from "../staff/keypad";
import { useDiceKeys } from "../staff/keys";
import { supervisors } from "../staff/roles";
import type { Desk } from "./console";
import { PanelButtons, type PanelProps } from "./fields";
import { ActForm } from "./panel";

export function CorrectDice({ desk, onDone }: PanelProps) {
  const t = consoleWords().desk;
  const count = desk.book.identity.dice;
  const [faces, setFaces] = useState<readonly number[]>([]);
  const [text, setText] = useState("");
  useDiceKeys(faces, count, setFaces);
  const now = recorded(desk);
  const go = async (): Promise<void> => {
    if (await desk.act({ type: "CorrectDice", dice: [...faces], words: text }, supervisors(desk.book))) onDone();
  };
  return (
    <ActForm onGo={() => void go()}>
      <p>{t.correctHint}</p>
      {now.length > 0 && (
        <p class="entry-called">
          {t.correctNow} <Dice faces={now} size={32} />
        </p>
      )}
      <DiceKeys faces={faces} count={count} onFaces={setFaces} />
      <Field label={t.reason} value={text} onValue={setText} maxLength={200} hint={t.reasonNeeded} />
      <PanelButtons
        desk={desk}
        ready={faces.length === count && text.trim() !== ""}
        name={t.correctGo}
        onDone={onDone}
      />
    </ActForm>
  );
}

/** The dice to correct: those of this round; at craps those of the last roll, whose round may be over. */
function recorded({ live, staff }: Desk): readonly number[] {
  const here = live.dice.value.length > 0 ? live.dice.value : staff.announced;
  return here.length > 0 ? here : (staff.past[0]?.dice ?? []);
}
