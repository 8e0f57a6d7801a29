/** The table's own chips: fills, credits, counts and the drop, each with a second person. */

import { useState } from "preact/hooks";
import type { Command } from "../api/types";
import { Choice } from "../components/field";
import { consoleWords } from "../i18n/words/console";
import { amountTyped } from "../money/amounts";
import { others, type Person, supervisors } from "../staff/roles";
import { AmountField, PanelButtons, type PanelProps, People } from "./fields";
import { ActForm } from "./panel";

type What = "Fill" | "Credit" | "Opening" | "Closing" | "CollectDrop";
const ALL: readonly What[] = ["Fill", "Credit", "Opening", "Closing", "CollectDrop"];

function commandFor(what: What, amount: number, second: { name: string; role: string }): Command {
  if (what === "CollectDrop") return { type: "CollectDrop", second };
  if (what === "Opening" || what === "Closing") {
    return { type: "Count", when: what === "Opening" ? "opening" : "closing", amount, second };
  }
  return { type: what, amount, second };
}

export function TableChips({ desk, onDone }: PanelProps) {
  const t = consoleWords().desk;
  const people = others(desk.staff, []);
  const [what, setWhat] = useState<What>("Fill");
  const [amount, setAmount] = useState("");
  const [second, setSecond] = useState<Person | null>(null);
  const minor = amountTyped(amount, desk.rules.money);
  const counted = what !== "CollectDrop";
  const go = async (): Promise<void> => {
    if (second === null || (counted && minor === null)) return;
    const { name, role } = second;
    if (await desk.act(commandFor(what, minor ?? 0, { name, role }), supervisors(desk.book))) onDone();
  };
  return (
    <ActForm onGo={() => void go()}>
      <Choice
        label={t.moneyKind}
        value={what}
        options={ALL.map(one => ({ value: one, name: t.moneyKinds[one] ?? one }))}
        onValue={setWhat}
      />
      {counted && <AmountField desk={desk} value={amount} onValue={setAmount} />}
      <People label={t.second} desk={desk} people={people} chosen={second} onChosen={setSecond} />
      <p class="soft">{t.moneyHint}</p>
      <PanelButtons
        desk={desk}
        ready={second !== null && (!counted || minor !== null)}
        name={t.moneyGo}
        onDone={onDone}
      />
    </ActForm>
  );
}
