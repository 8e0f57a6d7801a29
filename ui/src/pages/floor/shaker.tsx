/** The shaker in use, and its replacement as the book requires: the automated one is put away before a manual one is
 * used. */

import { useState } from "preact/hooks";
import { Button } from "../../components/button";
import { Clauses } from "../../components/clauses";
import { Choice, Field } from "../../components/field";
import { Form } from "../../components/form";
import { gap } from "../../i18n";
import { consoleWords } from "../../i18n/words/console";
import { floorWords } from "../../i18n/words/floor";
import { isIdle } from "../../staff/at-table";
import { type Exchange, exchangeOf, type Shaker } from "../../staff/shakers";
import type { FloorDesk } from "./table-actions";

export function ShakerCard({ desk }: { desk: FloorDesk }) {
  const t = floorWords();
  const { equipment } = desk.staff;
  const { other, ways, tag, away } = exchangeOf(desk);
  const [name, setName] = useState("");
  const own = equipment.shaker as Shaker;
  const desks = consoleWords().desk;
  const named = desks.shakers[own] ?? own;
  const use = async (shaker: Shaker): Promise<void> => {
    if (await desk.act({ type: "UseShaker", shaker, name: name.trim() })) setName("");
  };
  const offered = desk.may("UseShaker") && isIdle(desk) && (away !== null || (other !== null && ways.length === 0));
  const exchange = Object.values(desk.book.irregularities).find(rule => rule.remedy === "replace equipment");
  return (
    <section class="card">
      <h2>{t.shaker}</h2>
      {offered && <Field label={desks.shakerTag} value={name} onValue={setName} maxLength={60} autocomplete="off" />}
      {away === null ? (
        <p>
          {t.shakerNow[own] ?? own} {tag}
        </p>
      ) : (
        <>
          <p class="unmet">{desks.shakerAway(named, desks.shakerStates[away] ?? away)}</p>
          {desk.may("UseShaker") && isIdle(desk) && (
            <Button busy={desk.busy} onClick={() => void use(own)}>
              {desks.bringBack(named)}
            </Button>
          )}
        </>
      )}
      {other === null ? (
        <p class="soft">{t.otherShaker}</p>
      ) : !desk.may("UseShaker") ? null : !isIdle(desk) ? (
        <p class="soft">{t.betweenRounds}</p>
      ) : ways.length > 0 ? (
        <PutAway desk={desk} ways={ways} clause={exchange?.clause ?? []} />
      ) : (
        <>
          {other === "manual" && <p class="met">{t.away}</p>}
          <Button busy={desk.busy} onClick={() => void use(other)}>
            {t.use[other] ?? other}
          </Button>
        </>
      )}
    </section>
  );
}

interface PutAwayProps {
  desk: FloorDesk;
  ways: Exchange["ways"];
  clause: readonly string[];
}

function PutAway({ desk, ways, clause }: PutAwayProps) {
  const t = floorWords();
  const [how, setHow] = useState(ways[0] ?? "removed");
  return (
    <Form class="stack" onSend={() => void desk.act({ type: "PutAwayShaker", how, dice_removed: how !== "removed" })}>
      <p class="soft">
        {t.putAwayLead}
        {gap()}
        <Clauses clauses={clause} />
      </p>
      <Choice
        label={t.putAwayHow}
        value={how}
        options={ways.map(way => ({ value: way, name: t.putAwayWays[way] ?? way }))}
        onValue={setHow}
      />
      <Button type="submit" busy={desk.busy}>
        {t.putAway}
      </Button>
    </Form>
  );
}
