/** The shaker in use, and its exchange as the book asks: the automated one put away before a manual one is used. */

import { useState } from "preact/hooks";
import { Button } from "../../components/button";
import { Clauses } from "../../components/clauses";
import { Choice } from "../../components/field";
import { Form } from "../../components/form";
import { isIdle } from "../../staff/at-table";
import { words } from "../../words";
import type { FloorDesk } from "./desk";

type Shaker = "manual" | "automated";
type Way = "removed" | "covered" | "sign";

export function ShakerCard({ desk }: { desk: FloorDesk }) {
  const say = words().floor;
  const { equipment } = desk.staff;
  const known = new Set(Object.values(desk.book.equipment).flatMap(thing => (thing.shaker ? [thing.shaker] : [])));
  const other: Shaker = equipment.shaker === "manual" ? "automated" : "manual";
  const exchange = Object.values(desk.book.irregularities).find(rule => rule.remedy === "replace equipment");
  const use = (): void => void desk.act({ type: "UseShaker", shaker: other });
  return (
    <section class="card">
      <h2>{say.shaker}</h2>
      <p>{say.shakerNow[equipment.shaker] ?? equipment.shaker}</p>
      {!known.has(other) ? (
        <p class="soft">{say.otherShaker}</p>
      ) : !desk.may("UseShaker") ? null : !isIdle(desk) ? (
        <p class="soft">{say.betweenRounds}</p>
      ) : other === "manual" && !equipment.automated_away && exchange !== undefined ? (
        <PutAway desk={desk} ways={exchange.put_away as Way[]} clause={exchange.clause} />
      ) : (
        <>
          {other === "manual" && <p class="met">{say.away}</p>}
          <Button busy={desk.busy} onClick={use}>
            {say.use[other] ?? other}
          </Button>
        </>
      )}
    </section>
  );
}

function PutAway({ desk, ways, clause }: { desk: FloorDesk; ways: readonly Way[]; clause: readonly string[] }) {
  const say = words().floor;
  const [how, setHow] = useState<Way>(ways[0] ?? "removed");
  return (
    <Form class="stack" onSend={() => void desk.act({ type: "PutAwayShaker", how, dice_removed: how !== "removed" })}>
      <p class="soft">
        {say.putAwayLead} <Clauses clauses={clause} />
      </p>
      <Choice
        label={say.putAwayHow}
        value={how}
        options={ways.map(way => ({ value: way, name: say.putAwayWays[way] ?? way }))}
        onValue={setHow}
      />
      <Button type="submit" busy={desk.busy}>
        {say.putAway}
      </Button>
    </Form>
  );
}
