/** Fills, credits, counts and the drop: one person asks, and another signs. */

import { useState } from "preact/hooks";
import type { components } from "../../api/schema";
import type { BookPage, Command } from "../../api/types";
import { Button } from "../../components/button";
import { Choice, Field } from "../../components/field";
import { useSubmission } from "../../components/form-submission";
import { officeWords } from "../../i18n/words/office";
import { sendCommand } from "../../live/commands";
import type { Staff } from "../../live/view";
import { amountTyped } from "../../money/amounts";
import { me } from "../../shell/session";
import { ActForm, Card } from "./parts";
import { actingRole, roleName, useRoles } from "./roles";

type TableMoney = components["schemas"]["TableMoney"];
const ACTS = ["Fill", "Credit", "CollectDrop", "opening", "closing"] as const;
type Act = (typeof ACTS)[number];

interface TransferFormProps {
  table: string;
  money: TableMoney;
  staff: Staff;
  book: BookPage | null;
  onSent: () => void;
}

export function TransferForm({ table, money, staff, book, onSent }: TransferFormProps) {
  const t = officeWords().money;
  const roles = useRoles();
  const [act, setAct] = useState<Act>("Fill");
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState<string | null>(null);
  const [second, setSecond] = useState("");
  const submission = useSubmission();
  const role = actingRole(table, book, { manager: true });
  const rank = (one: { role: string }): number => book?.roles[one.role]?.rank ?? 0;
  const others = staff.crew.filter(one => one.name !== me.value?.name).sort((a, b) => rank(b) - rank(a));
  const chosen = others.find(one => `${one.name} ${one.role}` === second) ?? others[0];

  const send = async (): Promise<void> => {
    const amount = act === "CollectDrop" ? 0 : amountTyped(typed, money.money);
    setWrong(amount === null ? t.amountWrong : null);
    if (amount === null || role === undefined || chosen === undefined) return;
    const command = commandOf(act, amount, { name: chosen.name, role: chosen.role });
    if (await submission.submit(() => sendCommand(table, command, { role }), t.sent(chosen.shown))) {
      setTyped("");
      onSent();
    }
  };

  return (
    <Card title={t.carry} lead={t.carryLead}>
      {chosen === undefined ? (
        <p class="note">{t.nobodyElse}</p>
      ) : (
        <ActForm sending={submission} onSend={() => void send()} class="carrying">
          <Choice
            label={t.act}
            value={act}
            options={ACTS.map(one => ({ value: one, name: t.acts[one] }))}
            onValue={setAct}
          />
          {act !== "CollectDrop" && (
            <Field
              label={act === "opening" || act === "closing" ? t.counted : t.amount}
              value={typed}
              onValue={setTyped}
              inputMode="decimal"
              error={wrong}
            />
          )}
          <Choice
            label={t.signsWith}
            value={`${chosen.name} ${chosen.role}`}
            options={others.map(one => ({
              value: `${one.name} ${one.role}`,
              name: `${one.shown} · ${roleName(one.role, roles)}`,
            }))}
            onValue={setSecond}
          />
          <Button type="submit" tone="main" busy={submission.busy}>
            {t.askSecond}
          </Button>
          <p class="soft office-hint">{t.explain[act]}</p>
        </ActForm>
      )}
    </Card>
  );
}

function commandOf(act: Act, amount: number, second: { name: string; role: string }): Command {
  switch (act) {
    case "Fill":
      return { type: "Fill", amount, second };
    case "Credit":
      return { type: "Credit", amount, second };
    case "CollectDrop":
      return { type: "CollectDrop", second };
    default:
      return { type: "Count", when: act, amount, second };
  }
}
