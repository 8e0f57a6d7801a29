/** Hold compared with theory: the house's win beyond expectation, and how much of it chance alone explains. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import type { components } from "../../api/schema";
import { useRequest } from "../../api/use-request";
import { Amount } from "../../components/amount";
import { Fact, Facts } from "../../components/facts";
import { Choice } from "../../components/field";
import { RequestResult } from "../../components/request-result";
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
type HoldFigures = components["schemas"]["HoldFigures"];

const WHOLE = "";

export function Hold({ table }: { table: string }) {
  const [day, setDay] = useState(WHOLE);
  const path = { table };
  const request = useRequest(async () => {
    const query = day === WHOLE ? {} : { day };
    const [hold, now] = await Promise.all([
      unwrap(api.GET("/api/v1/tables/{table}/hold", { params: { path, query } })),
      unwrap(api.GET("/api/v1/tables/{table}", { params: { path } })),
    ]);
    return { hold, rules: now.rules };
  }, [table, day]);
  return (
    <div class="office hold">
      <RequestResult request={request}>
        {({ hold, rules }) => <HoldReport hold={hold} rules={rules} day={day} onDay={setDay} />}
      </RequestResult>
    </div>
  );
}

function HoldReport(props: { hold: HoldInfo; rules: Rules; day: string; onDay: (day: string) => void }) {
  const { hold, rules, day } = props;
  const t = officeWords().hold;
  const book = useBook(rules);
  const selected = hold.days.find(one => one.day === day) ?? hold.whole;
  const money = rules.money;
  const days = hold.days.map(one => ({ value: one.day, name: t.day(one.day) }));
  return (
    <>
      <div class="office-bar">
        <Choice
          label={t.period}
          value={day}
          options={[{ value: WHOLE, name: t.wholeRecord }, ...days]}
          onValue={props.onDay}
        />
        {oversees.value && (
          <a class="button button-quiet" href={address`/api/v1/exports/settlements?table=${hold.table}`} download>
            {t.download}
          </a>
        )}
      </div>
      {hold.trouble && <p class="note note-bad">{t.trouble(hold.trouble)}</p>}
      {selected.throws === 0 ? (
        <p class="note">{t.nothing}</p>
      ) : (
        <>
          <Verdict day={selected} money={money} />
          <Card title={t.chart} lead={t.chartLead}>
            <Curve points={hold.curve} money={money} />
          </Card>
          <Card title={t.families} lead={t.familiesLead}>
            <Families day={selected} money={money} book={book} table={hold.table} />
          </Card>
        </>
      )}
    </>
  );
}

/** The meaning in a sentence, before any figure. */
function Verdict({ day: selected, money }: { day: Day; money: string }) {
  const t = officeWords().hold;
  const { whole } = selected;
  const amount = (minor: number): string => amountText(Math.round(minor), money, locale.value, { signed: true });
  const inside = whole.band.inside;
  const level = percentage(whole.band.level);
  const beyond = Math.round(whole.deviation);
  const plain = amountText(Math.abs(beyond), money, locale.value);
  const away = beyond === 0 ? t.even : beyond > 0 ? t.more(plain) : t.less(plain);
  return (
    <Card title={inside ? (whole.band.ever_left ? t.onceOutside : t.inside) : t.outside} wanted={!inside}>
      <p class={inside ? "verdict-words" : "verdict-words note note-bad"} role={inside ? undefined : "alert"}>
        {inside
          ? t.insideWords(away, amount(whole.band.low), amount(whole.band.high))
          : t.outsideWords(away, amount(whole.band.low), amount(whole.band.high), level)}
        {inside && whole.band.ever_left && ` ${t.onceWords(level)}`}
      </p>
      <Facts>
        <Fact name={t.wagered} hint={t.throws(selected.throws)}>
          <Amount minor={whole.wagered} money={money} />
        </Fact>
        <Fact name={t.won} hint={whole.wagered ? t.ofWagered(percentage(whole.won / whole.wagered)) : undefined}>
          <Amount minor={whole.won} money={money} signed />
        </Fact>
        <Fact name={t.theory} hint={whole.edge === null ? undefined : t.ofWagered(percentage(whole.edge))}>
          <Amount minor={Math.round(whole.theory)} money={money} signed />
        </Fact>
        <Fact name={t.deviation} hint={t.deviations(rounded(sigmas(whole), 1))}>
          <Amount minor={Math.round(whole.deviation)} money={money} signed />
        </Fact>
        <Fact name={t.drop}>
          <Amount minor={selected.drop} money={money} />
        </Fact>
        <Fact name={t.holdOnDrop}>{selected.hold === null ? "–" : percentage(selected.hold)}</Fact>
      </Facts>
    </Card>
  );
}

function sigmas(held: HoldFigures): number {
  return held.standard_deviation ? held.deviation / held.standard_deviation : 0;
}
