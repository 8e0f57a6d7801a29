/** A bet found on the layout, outside the limits or late; the book's clauses decide it. */

import { useState } from "preact/hooks";
import type { Command } from "../api/types";
import { Choice, Tick } from "../components/field";
import { consoleWords } from "../i18n/words/console";
import { amountTyped } from "../money/amounts";
import type { Desk } from "./console";
import { AmountField, PanelButtons, type PanelProps, PlayerField, PlayerKeys, WagerField } from "./fields";
import { ActForm } from "./panel";

const SETTLED_BY = new Set(["refuse", "settle once, then return", "settle to the maximum"]);

type Chips = "cash" | "colour";
const CHIPS: readonly Chips[] = ["cash", "colour"];

/** Whether the book has a rule for such bets. */
export function coversFoundBets(desk: Desk): boolean {
  return Object.values(desk.book.irregularities).some(rule => SETTLED_BY.has(rule.remedy));
}

export function FoundWager({ desk, onDone }: PanelProps) {
  const t = consoleWords().desk;
  const [player, setPlayer] = useState("");
  const [wager, setWager] = useState(desk.book.wagers[0]?.wager ?? "");
  const [amount, setAmount] = useState("");
  const [late, setLate] = useState(false);
  const [kind, setKind] = useState<Chips>("cash");
  const hasPurse = desk.staff.players.some(one => one.name === player.trim() && one.purse !== null);
  const minor = amountTyped(amount, desk.rules.money);
  const go = async (): Promise<void> => {
    if (minor === null) return;
    const chips = hasPurse ? kind : "cash";
    const found: Command = { type: "RecordFound", player: player.trim(), wager, amount: minor, late, kind: chips };
    if (await desk.act(found)) onDone();
  };
  return (
    <ActForm onGo={() => void go()}>
      <p class="soft">{t.foundHint}</p>
      <PlayerField desk={desk} value={player} onValue={setPlayer} />
      <PlayerKeys desk={desk} value={player} onValue={setPlayer} />
      <WagerField desk={desk} value={wager} onValue={setWager} />
      <AmountField desk={desk} value={amount} onValue={setAmount} />
      {hasPurse && (
        <Choice
          label={t.kind}
          value={kind}
          options={CHIPS.map(one => ({ value: one, name: t.kinds[one] ?? one }))}
          onValue={setKind}
        />
      )}
      <Tick label={t.foundLate} on={late} onChange={setLate} />
      <PanelButtons desk={desk} ready={player.trim() !== "" && minor !== null} name={t.record} onDone={onDone} />
    </ActForm>
  );
}
