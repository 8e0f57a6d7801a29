/** One's own statement between two days: on the page, and as a file. */

import { useMemo, useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import { useRequest } from "../../api/use-request";
import { Amount } from "../../components/amount";
import { Field } from "../../components/field";
import { type Column, Figures } from "../../components/figures";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { Rounded } from "../../components/rounding-note";
import { timestampText } from "../../components/timestamps";
import { accountWords } from "../../i18n/words/account";
import { decimalsOf } from "../../money/amounts";
import { oddsWords } from "../../money/odds";
import { type HouseNames, useHouseNames } from "./names";
import { Card } from "./parts";

interface Line {
  table: string;
  sequence: number;
  at: string;
  round: number;
  what: string;
  bet: number | null;
  wager: string;
  amount: number | null;
  pays: string;
  net: number | null;
  exact: string;
  favour: "player" | "house" | "";
}

/** The number of lines shown, the latest; the file has all of them. */
const LINES_MAX = 500;

export function Statement() {
  const t = accountWords();
  const [from, setFrom] = useState(() => day(-30));
  const [to, setTo] = useState(() => day(0));
  const { response, reload } = useRequest(async () => (from && to ? linesBetween(from, to) : []), [from, to]);
  const before = response.state === "failed" ? null : response;
  const file = `/api/v1/me/statement?${new URLSearchParams({ from, to, format: "csv" })}`;
  return (
    <Card title={t.statement} lead={t.statementLead} wide>
      <div class="own-range">
        <Field label={t.from} type="date" value={from} onValue={setFrom} required />
        <Field label={t.to} type="date" value={to} onValue={setTo} required />
        <a class="button button-plain" href={file} download>
          {t.wholeFile}
        </a>
      </div>
      {response.state === "loading" && <Waiting />}
      {response.state === "failed" && <ProblemNote problem={response.problem} retry={reload} />}
      {before?.state === "loaded" && <Lines lines={before.data} />}
    </Card>
  );
}

async function linesBetween(from: string, to: string): Promise<Line[]> {
  const query = { from, to, format: "json-lines" as const };
  const text = await unwrap(api.GET("/api/v1/me/statement", { params: { query }, parseAs: "text" }));
  const lines = String(text).split("\n").filter(Boolean);
  return lines.map(line => JSON.parse(line) as Line).sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
}

function Lines({ lines }: { lines: readonly Line[] }) {
  const t = accountWords();
  const names = useHouseNames([...new Set(lines.map(one => one.table))]);
  const columns = useMemo(() => columnsOf(names), [names]);
  const sums = new Map<string, number>();
  for (const { table, net } of lines) {
    const money = names.money(table);
    if (money !== null && net !== null) sums.set(money, (sums.get(money) ?? 0) + net);
  }
  if (lines.length === 0) return <p class="soft">{t.statementNone}</p>;
  return (
    <>
      {sums.size > 0 && (
        <p class="own-sums">
          <span class="soft">{t.result}</span>
          {[...sums].map(([money, net]) => (
            <strong key={money}>
              <Amount minor={net} money={money} signed />
            </strong>
          ))}
        </p>
      )}
      {lines.length > LINES_MAX && <p class="soft">{t.onlyLatest(LINES_MAX, lines.length)}</p>}
      <Figures
        caption={t.lines}
        columns={columns}
        rows={lines.slice(0, LINES_MAX)}
        rowKey={one => `${one.table} ${one.sequence} ${one.bet} ${one.what}`}
        file="statement"
      />
    </>
  );
}

function columnsOf(names: HouseNames): Column<Line>[] {
  const t = accountWords();
  /** A spreadsheet gets plain numbers, in whole units. */
  const plain = (minor: number | null, table: string): number | null => {
    const money = names.money(table);
    return minor === null || money === null ? null : minor / 10 ** decimalsOf(money);
  };
  const formatAmount = (minor: number | null, table: string, signed: boolean) => {
    const money = names.money(table);
    return minor === null || money === null ? "" : <Amount minor={minor} money={money} signed={signed} />;
  };
  return [
    { id: "at", name: t.when, value: one => one.at, show: one => timestampText(one.at) },
    { id: "table", name: t.table, value: one => names.table(one.table) },
    { id: "round", name: t.round, kind: "figure", value: one => one.round },
    { id: "what", name: t.what, value: one => t.whats[one.what] ?? one.what },
    { id: "wager", name: t.wager, value: one => (one.wager ? names.wager(one.wager, one.table) : "") },
    {
      id: "amount",
      name: t.amount,
      kind: "figure",
      value: one => plain(one.amount, one.table),
      show: one => formatAmount(one.amount, one.table, false),
    },
    { id: "pays", name: t.pays, value: one => ((one.net ?? 0) < 0 ? "" : oddsWords(one.pays)) },
    {
      id: "net",
      name: t.net,
      kind: "figure",
      value: one => plain(one.net, one.table),
      show: one => (
        <>
          {formatAmount(one.net, one.table, true)}
          {one.exact !== "" && one.favour !== "" && (
            <Rounded line={{ exact: one.exact, favour: one.favour }} money={names.money(one.table) ?? ""} />
          )}
        </>
      ),
    },
  ];
}

/** A day as date fields and the API write it, by offset from today in UTC. */
function day(from: number): string {
  return new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
}
