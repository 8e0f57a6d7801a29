/** What the table could pay, and what it holds: exposure, float and drop, fills and credits by two people. */

import { useEffect } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import type { components } from "../../api/schema";
import { useRequest } from "../../api/use-request";
import { Amount } from "../../components/amount";
import { Fact, Facts } from "../../components/facts";
import { type Column, Figures } from "../../components/figures";
import { Waiting as OneMoment, ProblemNote } from "../../components/problem-note";
import { RequestResult } from "../../components/request-result";
import { Timestamp, timestampText } from "../../components/timestamps";
import { officeWords } from "../../i18n/words/office";
import { useBook } from "../../live/book";
import { personName, rememberNames } from "../../live/names";
import { useLiveTable } from "../../live/use-table";
import { percentage } from "../../money/figures";
import { address } from "../../shell/router";
import { oversees } from "../../shell/session";
import { Person } from "../../staff/person";
import { Waiting } from "./approvals";
import { Exposure } from "./exposure";
import { Card } from "./parts";
import { supervises } from "./roles";
import { TransferForm } from "./transfers";

type TableMoney = components["schemas"]["TableMoney"];
type Inventory = components["schemas"]["InventoryInfo"];
type Movement = components["schemas"]["Movement"];

/** Entries that move the table's own money; after these the figures are requested again. */
const MOVING = new Set(["Filled", "Credited", "Counted", "DropCollected", "BoughtIn", "CashedOut", "RoundEnded"]);

export function Money({ table }: { table: string }) {
  const live = useLiveTable(table);
  const { rules: signal, staff: working, problem, view } = live;
  const [rules, staff] = [signal.value, working.value];
  const book = useBook(rules);
  const request = useRequest(
    () => unwrap(api.GET("/api/v1/tables/{table}/money", { params: { path: { table } } })).then(rememberNames),
    [table],
  );
  useEffect(
    () =>
      live.subscribe(entry => {
        if (MOVING.has(entry.kind)) request.reload();
      }),
    [live, request.reload],
  );
  if (rules === null) return problem.value === null ? <OneMoment /> : <ProblemNote problem={problem.value} />;
  return (
    <div class="office money">
      {staff !== null && view.value !== null && (
        <Exposure staff={staff} view={view.value} rules={rules} craps={book?.identity.dice === 2} />
      )}
      <Waiting table={table} onDone={request.reload} />
      <RequestResult request={request}>
        {money => (
          <>
            <Inventories money={money} />
            {staff !== null && supervises(table, book) && (
              <TransferForm table={table} money={money} staff={staff} book={book} onSent={request.reload} />
            )}
            <Movements money={money} />
          </>
        )}
      </RequestResult>
    </div>
  );
}

function Inventories({ money }: { money: TableMoney }) {
  const t = officeWords().money;
  const { balances } = money;
  const amount = (minor: number) => <Amount minor={minor} money={money.money} />;
  return (
    <Card title={t.inventory}>
      <Facts>
        <Fact name={t.float} hint={t.floatHint}>
          {amount(balances.float)}
        </Fact>
        <Fact name={t.dropBox} hint={t.dropBoxHint}>
          {amount(balances.drop_box)}
        </Fact>
        <Fact name={t.escrow}>{amount(balances.escrow)}</Fact>
        <Fact name={t.dealers}>{amount(balances.dealers)}</Fact>
        {balances.disputes < 0 && (
          <Fact name={t.owed} hint={t.owedHint}>
            {amount(-balances.disputes)}
          </Fact>
        )}
      </Facts>
      <div class="figures">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
        <div class="figures-scroll" tabIndex={0} role="region" aria-label={t.inventory}>
          <table class="inventory stacks">
            <caption class="unseen">{t.inventory}</caption>
            <thead>
              <tr>
                <td />
                {t.columns.map(name => (
                  <th key={name} scope="col" class="figure">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              <InventoryRow
                name={money.day.day ? t.thisDay(money.day.day) : t.gamingDay}
                book={money.day}
                money={money.money}
              />
              <InventoryRow name={t.thisShift} book={money.shift} money={money.money} />
            </tbody>
          </table>
        </div>
      </div>
      <p class="soft">{t.inventorySince}</p>
      <Variances money={money} />
    </Card>
  );
}

function InventoryRow({ name, book, money }: { name: string; book: Inventory; money: string }) {
  const cell = (minor: number | null, signed = false) =>
    minor === null ? "–" : <Amount minor={minor} money={money} signed={signed} />;
  const { columns } = officeWords().money;
  const cells = [
    cell(book.opening),
    cell(book.fills),
    cell(book.credits),
    cell(book.drop),
    cell(book.closing),
    cell(book.won, true),
    book.hold === null ? "–" : percentage(book.hold),
  ];
  return (
    <tr>
      <th scope="row">{name}</th>
      {cells.map((shown, index) => (
        <td key={columns[index]} class="figure" data-name={columns[index]}>
          {shown}
        </td>
      ))}
    </tr>
  );
}

/** The last counts, and their differences from the ledger. */
function Variances({ money }: { money: TableMoney }) {
  const t = officeWords().money;
  const counts = money.movements.filter(one => one.kind === "count").slice(0, 2);
  if (counts.length === 0) return <p class="soft">{t.notCounted}</p>;
  return (
    <ul class="variances">
      {counts.map(count => {
        const variance = count.amount - (count.ledger ?? 0);
        return (
          <li key={count.sequence} class={variance === 0 ? "" : "note note-bad"}>
            {count.when === "opening" ? t.countedOpening : t.countedClosing} <Timestamp at={count.at} />:{" "}
            <Amount minor={count.amount} money={money.money} />
            {" · "}
            {variance === 0 ? (
              t.noVariance
            ) : (
              <strong>
                {t.variance} <Amount minor={variance} money={money.money} signed />
              </strong>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The direction in which an entry moves the table's own chips; other movements have no sign. */
const WAY: Partial<Record<Movement["kind"], 1 | -1>> = { fill: 1, credit: -1 };

/** The second person, or the person concerned. */
function other(one: Movement): string | null {
  return one.second ?? one.player ?? null;
}

function named(name: string | null): string | null {
  return name === null ? null : personName(name);
}

function Movements({ money }: { money: TableMoney }) {
  const t = officeWords().money;
  const columns: Column<Movement>[] = [
    { id: "at", name: t.when, value: one => one.at, show: one => timestampText(one.at) },
    { id: "kind", name: t.what, value: one => t.kinds[one.kind] },
    {
      id: "amount",
      name: t.amount,
      value: one => (WAY[one.kind] ?? 1) * one.amount,
      show: one => (
        <Amount minor={(WAY[one.kind] ?? 1) * one.amount} money={money.money} signed={WAY[one.kind] !== undefined} />
      ),
      kind: "figure",
    },
    {
      id: "variance",
      name: t.variance,
      value: one => (one.ledger == null ? null : one.amount - one.ledger),
      show: one => (one.ledger == null ? "" : <Amount minor={one.amount - one.ledger} money={money.money} signed />),
      kind: "figure",
    },
    { id: "by", name: t.by, value: one => personName(one.by), show: one => <Person name={one.by} /> },
    {
      id: "second",
      name: t.second,
      value: one => named(other(one)),
      show: one => <Person name={other(one) ?? ""} />,
    },
  ];
  return (
    <Card title={t.movements} lead={t.movementsLead}>
      {money.trouble && <p class="note note-bad">{money.trouble}</p>}
      <Figures
        caption={t.movements}
        columns={columns}
        rows={money.movements}
        rowKey={one => one.sequence}
        file={`money-${money.table}`}
      />
      {oversees.value && (
        <p>
          <a href={address`/api/v1/exports/postings?table=${money.table}`} download>
            {t.download}
          </a>
        </p>
      )}
    </Card>
  );
}
