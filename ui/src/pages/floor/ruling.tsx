/** Decisions of a supervisor: corrected dice, and what the book does not cover. */

import { useState } from "preact/hooks";
import { Button } from "../../components/button";
import { Clauses } from "../../components/clauses";
import { Field, Tick } from "../../components/field";
import { Form } from "../../components/form";
import { gap, words } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import { me } from "../../shell/session";
import { DiceKeys } from "../../staff/keypad";
import { actingRole } from "../../staff/roles";
import type { FloorDesk } from "./table-actions";

/** Dice that were announced or entered wrongly, corrected by a supervisor before settlement. */
export function CorrectDice({ desk }: { desk: FloorDesk }) {
  const t = floorWords();
  const { view, book } = desk;
  const [open, setOpen] = useState(false);
  const [faces, setFaces] = useState<readonly number[]>([]);
  const [text, setText] = useState("");
  if (!desk.may("CorrectDice") || view.dice.length === 0 || view.phase !== "revealed") return null;
  const go = async (): Promise<void> => {
    if (!(await desk.act({ type: "CorrectDice", dice: [...faces], words: text }))) return;
    setOpen(false);
    setFaces([]);
  };
  return (
    <section class="card">
      <h2>{t.correct}</h2>
      <p class="soft">{t.correctLead}</p>
      {open ? (
        <Form class="stack" onSend={() => void go()}>
          <DiceKeys faces={faces} count={book.identity.dice} onFaces={setFaces} />
          <Field label={t.correctWords} value={text} onValue={setText} maxLength={200} />
          <div class="buttons">
            <Button
              type="submit"
              tone="danger"
              busy={desk.busy}
              disabled={faces.length < book.identity.dice || text.trim() === ""}
            >
              {t.correctGo}
            </Button>
            <Button tone="quiet" onClick={() => setOpen(false)}>
              {words().dialog.cancel}
            </Button>
          </div>
        </Form>
      ) : (
        <Button onClick={() => setOpen(true)}>{t.correct}…</Button>
      )}
    </section>
  );
}

/** A decision that the book refers to a person: it is recorded in words, and may void the round. */
export function RuleInWords({ desk }: { desk: FloorDesk }) {
  const t = floorWords();
  const [text, setText] = useState("");
  const [gone, setGone] = useState(false);
  const id = desk.staff.undecided.find(one => desk.book.irregularities[one]?.remedy === "refer") ?? "";
  const rule = desk.book.irregularities[id];
  const role = rule === undefined ? null : actingRole(desk.live.id, desk.book, rule.presence, rule.or_above);
  if (rule === undefined || role === null || desk.staff.callers[id] === me.value?.name) return null;
  const go = async (): Promise<void> => {
    if (!(await desk.act({ type: "RuleInWords", words: text, void: gone }, role))) return;
    setText("");
    setGone(false);
  };
  return (
    <section class="card">
      <h2>{t.decide}</h2>
      <Form class="stack" onSend={() => void go()}>
        <p class="soft">
          {t.decideLead}
          {gap()}
          <Clauses clauses={rule.clause} />
        </p>
        <Field label={t.decideWords} value={text} onValue={setText} maxLength={500} />
        {desk.view.automatic === undefined && <Tick label={t.decideVoid} on={gone} onChange={setGone} />}
        <Button type="submit" busy={desk.busy} disabled={text.trim() === ""}>
          {t.decideGo}
        </Button>
      </Form>
    </section>
  );
}
