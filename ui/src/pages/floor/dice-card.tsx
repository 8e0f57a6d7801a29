/** The dice in use, their remaining time and replacement, and the earlier sets of the table. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import { useRequest } from "../../api/use-request";
import { Button } from "../../components/button";
import { Clauses } from "../../components/clauses";
import { timestampText } from "../../components/timestamps";
import { gap, sentences } from "../../i18n";
import { consoleWords } from "../../i18n/words/console";
import { floorWords } from "../../i18n/words/floor";
import { address } from "../../shell/router";
import { DiceForm } from "../../staff/dice-form";
import { isSupervisor } from "../../staff/roles";
import { type TakenOut, TakeOutForm } from "../../staff/take-out-form";
import { DiceLife } from "./dice-life";
import type { FloorDesk } from "./table-actions";

export function DiceCard({ desk }: { desk: FloorDesk }) {
  const t = floorWords();
  const { equipment } = desk.staff;
  const { dice, dice_until: until } = equipment;
  const used = dice?.first_used || (dice?.put_in ?? "");
  const serials = dice?.serials ?? [];
  const lives = (desk.book.equipment.dice?.life ?? []).filter(
    life => life.shaker === "any" || life.shaker === equipment.shaker,
  );
  return (
    <section class={dice === null ? "card card-wanted" : "card"}>
      <h2>{t.diceTitle}</h2>
      {dice === null ? (
        <p class="unmet">{t.noDice}</p>
      ) : (
        <>
          <p>
            <DiceLife dice={{ ...dice, put_in: used, until }} />
          </p>
          <p class="soft">
            {serials.length > 0 && `${serials.join(", ")}. `}
            {sentences(
              t.diceSinceWhen(timestampText(dice.put_in)),
              used !== dice.put_in && t.diceFirstUsed(timestampText(used)),
              dice.sealed ? t.diceSealed : t.diceNotSealed,
              until === null ? t.diceNoTime : t.diceUntilWhen(timestampText(until)),
            )}
            {gap()}
            <Clauses clauses={lives.flatMap(life => life.clause)} />
          </p>
        </>
      )}
      <PutDice desk={desk} />
      {dice !== null && <TakeOut desk={desk} set={dice.set} />}
      {desk.may("PutDice") && <Lots desk={desk} />}
    </section>
  );
}

function PutDice({ desk }: { desk: FloorDesk }) {
  const t = floorWords();
  const first = desk.staff.equipment.dice === null;
  const [open, setOpen] = useState(first);
  if (!desk.may("PutDice")) return <p class="soft">{t.onlyFor(t.supervisors)}</p>;
  if (!desk.staff.equipment.dice_movable) return <p class="soft">{t.diceShaken}</p>;
  if (!open && !first) return <Button onClick={() => setOpen(true)}>{t.replace}…</Button>;
  const put = async (set: string, sealed: boolean): Promise<void> => {
    if (await desk.act({ type: "PutDice", set, sealed })) setOpen(false);
  };
  return (
    <DiceForm
      desk={desk}
      onDice={(set, sealed) => void put(set, sealed)}
      onCancel={first ? undefined : () => setOpen(false)}
    />
  );
}

function TakeOut({ desk, set }: { desk: FloorDesk; set: string }) {
  const [open, setOpen] = useState(false);
  if (!desk.may("TakeOutDice") || !desk.staff.equipment.dice_movable) return null;
  if (!open) return <Button onClick={() => setOpen(true)}>{consoleWords().desk.takeOut}…</Button>;
  const take = async (taken: TakenOut): Promise<void> => {
    if (await desk.act({ type: "TakeOutDice", set, ...taken })) setOpen(false);
  };
  return (
    <TakeOutForm
      busy={desk.busy}
      above={isSupervisor(desk.live.id, desk.book)}
      onTakeOut={taken => void take(taken)}
      onCancel={() => setOpen(false)}
    />
  );
}

/** The sets that have been in the shaker, the current one first; for those who may see the fairness of dice. */
function Lots({ desk }: { desk: FloorDesk }) {
  const t = floorWords();
  const table = desk.live.id;
  const present = desk.staff.equipment.dice?.set ?? "";
  const { response } = useRequest(
    () => unwrap(api.GET("/api/v1/tables/{table}/fairness", { params: { path: { table } } })),
    [table, present],
  );
  const before =
    response.state === "loaded" ? response.data.sets.filter(one => one.set !== present && one.set !== "") : [];
  if (before.length === 0) return null;
  return (
    <details class="lots">
      <summary>{t.lots}</summary>
      <ul>
        {before.map(one => (
          <li key={one.set}>
            {one.set} <span class="soft">{t.diceSinceWhen(timestampText(one.since))}</span>
          </li>
        ))}
      </ul>
      <p>
        <a href={address`/floor/tables/${table}/fairness`}>{t.lotsMore}</a>
      </p>
    </details>
  );
}
