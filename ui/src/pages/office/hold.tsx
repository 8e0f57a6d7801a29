/** Hold against theory: what the house won beyond what its mathematics says, and how far chance alone may have gone. */

import { useState } from "preact/hooks";
import { useAsked } from "../../api/asking";
import { api, told } from "../../api/client";
import type { components } from "../../api/schema";
import type { BookPage } from "../../api/types";
import { Amount } from "../../components/amount";
import { Fact, Facts } from "../../components/facts";
import { Choice } from "../../components/field";
import { type Column, Figures } from "../../components/figures";
import { Told } from "../../components/told";
import { useBook } from "../../live/book";
import type { Rules } from "../../live/view";
import { amountText } from "../../money/amounts";
import { percentage, rounded } from "../../money/figures";
import { address } from "../../shell/router";
import { oversees } from "../../shell/session";
import { locale, named, words } from "../../words";
import { Chart } from "./chart";
import { Card } from "./parts";

type HoldTold = components["schemas"]["Hold"];
type Day = components["schemas"]["HeldDay"];
type Held = components["schemas"]["Held"];
type Point = components["schemas"]["HeldPoint"];

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
    return { hold, rules: now.rules as unknown as Rules };
  }, [table, day]);
  return (
    <div class="office hold">
      <Told asking={asking}>{({ hold, rules }) => <Shown hold={hold} rules={rules} day={day} onDay={setDay} />}</Told>
    </div>
  );
}

function Shown(props: { hold: HoldTold; rules: Rules; day: string; onDay: (day: string) => void }) {
  const { hold, rules, day } = props;
  const say = words().office.hold;
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

/** What it means, in a sentence, before any figure. */
function Verdict({ shown, money }: { shown: Day; money: string }) {
  const say = words().office.hold;
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

function Curve({ points, money }: { points: readonly Point[]; money: string }) {
  const say = words().office.hold;
  const show = (minor: number): string =>
    amountText(Math.round(minor), money, locale.value, { signed: true, short: true });
  const exact = (minor: number): string => amountText(Math.round(minor), money, locale.value, { signed: true });
  const last = points.at(-1);
  if (last === undefined) return null;
  const begin = { x: 0, y: 0, low: 0, high: 0 };
  const columns: Column<Point>[] = [
    { id: "throws", name: say.throwsName, value: point => point.throws, kind: "figure" },
    {
      id: "wagered",
      name: say.wagered,
      value: point => point.wagered,
      show: one => exact(one.wagered),
      kind: "figure",
    },
    { id: "won", name: say.won, value: point => point.won, show: one => exact(one.won), kind: "figure" },
    { id: "theory", name: say.theory, value: one => one.theory, show: one => exact(one.theory), kind: "figure" },
    {
      id: "beyond",
      name: say.deviation,
      value: one => one.deviation,
      show: one => exact(one.deviation),
      kind: "figure",
    },
    { id: "low", name: say.low, value: point => point.low, show: point => exact(point.low), kind: "figure" },
    { id: "high", name: say.high, value: point => point.high, show: point => exact(point.high), kind: "figure" },
  ];
  return (
    <>
      <Chart
        label={say.chartLabel(last.throws, exact(last.deviation), exact(last.low), exact(last.high))}
        xName={say.throwsName}
        lineName={say.keyLine}
        bandName={say.keyBand}
        line={[begin, ...points.map(point => ({ x: point.throws, y: point.deviation }))]}
        band={[begin, ...points.map(point => ({ x: point.throws, low: point.low, high: point.high }))]}
        levels={[{ y: 0, name: say.theoryLine, tone: "calm" }]}
        showX={x => rounded(x)}
        showY={show}
      />
      <details>
        <summary>{say.asTable}</summary>
        <Figures
          caption={say.chart}
          columns={columns}
          rows={points}
          rowKey={point => point.throws}
          file="hold"
          filterFrom={Number.POSITIVE_INFINITY}
        />
      </details>
    </>
  );
}

interface Family {
  id: string;
  name: string;
  held: Held;
}

function Families(props: { shown: Day; money: string; book: BookPage | null; table: string }) {
  const say = words().office.hold;
  const { money, book } = props;
  const rows = Object.entries(props.shown.families).map(([id, held]) => ({ id, name: familyName(book, id), held }));
  const exact = (minor: number): string => amountText(Math.round(minor), money, locale.value, { signed: true });
  const columns: Column<Family>[] = [
    { id: "family", name: say.family, value: one => one.name },
    {
      id: "wagered",
      name: say.wagered,
      value: one => one.held.wagered,
      show: one => <Amount minor={one.held.wagered} money={money} />,
      kind: "figure",
    },
    {
      id: "won",
      name: say.won,
      value: one => one.held.won,
      show: one => <Amount minor={one.held.won} money={money} signed />,
      kind: "figure",
    },
    {
      id: "theory",
      name: say.theory,
      value: one => one.held.theory,
      show: one => exact(one.held.theory),
      kind: "figure",
    },
    {
      id: "edge",
      name: say.edge,
      value: one => one.held.edge,
      show: one => (one.held.edge === null ? "–" : percentage(one.held.edge)),
      kind: "figure",
    },
    {
      id: "beyond",
      name: say.deviation,
      value: one => one.held.deviation,
      show: one => exact(one.held.deviation),
      hint: one => `${exact(one.held.band.low)} … ${exact(one.held.band.high)}`,
      kind: "figure",
    },
    {
      id: "band",
      name: say.inBand,
      value: one => (one.held.band.inside ? say.yes : say.no),
      show: one => <InBand held={one.held} />,
    },
  ];
  return (
    <Figures caption={say.families} columns={columns} rows={rows} rowKey={one => one.id} file={`hold-${props.table}`} />
  );
}

/** Where the deviation lies in its band, as a small rule, and in a word. */
function InBand({ held }: { held: Held }) {
  const say = words().office.hold;
  const { low, high, inside } = held.band;
  const reach = Math.max(high - low, 1e-9);
  const at = Math.min(96, Math.max(4, ((held.deviation - low) / reach) * 80 + 10));
  return (
    <span class="in-band">
      <svg viewBox="0 0 100 12" width="100" height="12" aria-hidden="true">
        <rect class="in-band-track" x="10" y="4" width="80" height="4" rx="2" />
        <line class="in-band-theory" x1={10 + (-low / reach) * 80} x2={10 + (-low / reach) * 80} y1="1" y2="11" />
        <circle class={inside ? "in-band-dot" : "in-band-dot in-band-out"} cx={at} cy="6" r="4" />
      </svg>
      <span class={inside ? "" : "bad"}>{inside ? say.yes : say.no}</span>
    </span>
  );
}

/** What wagers of a family are called: the name of one of them without its selection. */
function familyName(book: BookPage | null, family: string): string {
  const found = book?.wagers.find(one => one.family === family);
  if (found === undefined) return family;
  const name = named(found.name);
  return found.selection === null ? name : name.replace(found.selection, "").replace(/\s+/g, " ").trim() || name;
}
