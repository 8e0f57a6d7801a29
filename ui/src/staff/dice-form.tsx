/** Putting a set of dice into use. */

import { useState } from "preact/hooks";
import { Button } from "../components/button";
import { Field, Tick } from "../components/field";
import { Form } from "../components/form";
import { words } from "../i18n";
import { floorWords } from "../i18n/words/floor";
import type { AtTable } from "./at-table";

interface DiceFormProps {
  desk: Pick<AtTable, "book" | "staff"> & { busy: boolean };
  onDice: (set: string, sealed: boolean) => void;
  /** Left out if there are no dice yet: then there is nothing to return to. */
  onCancel?: (() => void) | undefined;
}

export function DiceForm({ desk, onDice, onCancel }: DiceFormProps) {
  const t = floorWords();
  const [set, setSet] = useState("");
  const [sealed, setSealed] = useState(true);
  // Dice that a shooter throws lie open.
  const inside = !desk.book.procedure.round.some(step => step.act === "roll");
  return (
    <Form class="stack" onSend={() => onDice(set.trim(), sealed)}>
      <Field label={t.setName} value={set} onValue={setSet} hint={t.setHint} maxLength={60} autocomplete="off" />
      {inside && <Tick label={t.sealed} on={sealed} onChange={setSealed} />}
      <div class="buttons">
        <Button type="submit" tone="main" busy={desk.busy} disabled={set.trim() === ""}>
          {desk.staff.equipment.dice === null ? t.putIn : t.putGo}
        </Button>
        {onCancel && (
          <Button tone="quiet" onClick={onCancel}>
            {words().dialog.cancel}
          </Button>
        )}
      </div>
    </Form>
  );
}
