/** Hold compared with theory: the house's win beyond expectation, and how much of it chance alone explains. */

import { useState } from "preact/hooks";
import { api, told } from "../../api/client";
import type { components } from "../../api/schema";
import { useAsked } from "../../api/use-request";
import { Amount } from "../../components/amount";
import { Fact, Facts } from "../../components/facts";
import { Choice } from "../../components/field";
import { Told } from "../../components/request-result";
import { locale } from "../../i18n";
import { officeWords } from "../../i18n/words/office";
import { useBook } from "../../live/book";
import type { Rules } from "../../live/view";
import { amountText } from "../../money/amounts";
import { percentage, rounded } from "../../money/figures";
import { address } from "../../shell/router";
import { oversees } from "../../shell/session";
import { Curve } from "./hold-curve";
import { Families } from "./hold-families";
import { Card } from "./parts";

type HoldInfo = components["schemas"]["Hold"];
type Day = components["schemas"]["HeldDay"];
type Held = components["schemas"]["Held"];

const WHOLE = "";

export function Hold({ table }: { table: string }) {
  const [day, setDay] = useState(WHOLE);
  const path = { table };
  const asking = useAsked(async () => {
    const query = day === WHOLE ? {} : { day };
    const [hold, now] = await Promise.all([
      told(api.GET("/api/v1/tables/{table}/hold", { params: { path, query } })),
      told(api.GET("/api/v1/tables/{table}", { params: { path } })),
    ]);
    return { hold, rules: now.rules };
  }, [table, day]);
  return (
    <div class="office hold">
      <Told asking={asking}>{({ hold, rules }) => <Shown hold={hold} rules={rules} day={day} onDay={setDay} />}</Told>
    </div>
  );
}

function Shown(props: { hold: HoldInfo; rules: Rules; day: string; onDay: (day: string) => void }) {
  const { hold, rules, day } = props;
  const say = officeWords().hold;
  const book = useBook(rules);
  const shown = hold.days.find(one => one.day === day) ?? hold.whole;
  const money = rules.money;
  const days = hold.days.map(one => ({ value: one.day, name: say.day(one.day) }));
  return (
    <>
      <div class="office-bar">
        <Choice
          label={say.period}
          value={day}
          options={[{ value: WHOLE, name: say.wholeRecord }, ...days]}
          onValue={props.onDay}
        />
        {oversees.value && (
          <a class="button button-quiet" href={address`/api/v1/exports/settlements?table=${hold.table}`} download>
            {say.download}
          </a>
        )}
      </div>
      {hold.trouble && <p class="note note-bad">{say.trouble(hold.trouble)}</p>}
      {shown.throws === 0 ? (
        <p class="note">{say.nothing}</p>
      ) : (
        <>
          <Verdict shown={shown} money={money} />
          <Card title={say.chart} lead={say.chartLead}>
            <Curve points={hold.curve} money={money} />
          </Card>
          <Card title={say.families} lead={say.familiesLead}>
            <Families shown={shown} money={money} book={book} table={hold.table} />
          </Card>
        </>
      )}
    </>
  );
}

/** The meaning in a sentence, before any figure. */
function Verdict({ shown, money }: { shown: Day; money: string }) {
  const say = officeWords().hold;
  const { whole } = shown;
  const amount = (minor: number): string => amountText(Math.round(minor), money, locale.value, { signed: true });
  const inside = whole.band.inside;
  const level = percentage(whole.band.level);
  const beyond = Math.round(whole.deviation);
  const plain = amountText(Math.abs(beyond), money, locale.value);
  const away = beyond === 0 ? say.even : beyond > 0 ? say.more(plain) : say.less(plain);
  return (
    <Card title={inside ? (whole.band.ever_left ? say.onceOutside : say.inside) : say.outside} wanted={!inside}>
      <p class={inside ? "verdict-words" : "verdict-words note note-bad"} role={inside ? undefined : "alert"}>
        {inside
          ? say.insideWords(away, amount(whole.band.low), amount(whole.band.high))
          : say.outsideWords(away, amount(whole.band.low), amount(whole.band.high), level)}
        {inside && whole.band.ever_left && ` ${say.onceWords(level)}`}
      </p>
      <Facts>
        <Fact name={say.wagered} hint={say.throws(shown.throws)}>
          <Amount minor={whole.wagered} money={money} />
        </Fact>
        <Fact name={say.won} hint={whole.wagered ? say.ofWagered(percentage(whole.won / whole.wagered)) : undefined}>
          <Amount minor={whole.won} money={money} signed />
        </Fact>
        <Fact name={say.theory} hint={whole.edge === null ? undefined : say.ofWagered(percentage(whole.edge))}>
          <Amount minor={Math.round(whole.theory)} money={money} signed />
        </Fact>
        <Fact name={say.deviation} hint={say.deviations(rounded(sigmas(whole), 1))}>
          <Amount minor={Math.round(whole.deviation)} money={money} signed />
        </Fact>
        <Fact name={say.drop}>
          <Amount minor={shown.drop} money={money} />
        </Fact>
        <Fact name={say.holdOnDrop}>{shown.hold === null ? "–" : percentage(shown.hold)}</Fact>
      </Facts>
    </Card>
  );
}

function sigmas(held: Held): number {
  return held.standard_deviation ? held.deviation / held.standard_deviation : 0;
}
