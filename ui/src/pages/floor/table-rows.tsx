/** The tables of the floor, one row each, sortable by any column; details open below the row. */

import { useState } from "preact/hooks";
import type { AlarmInfo, FloorTable } from "../../api/types";
import { Amount } from "../../components/amount";
import { BookText } from "../../components/book-sentence";
import { LinkButton } from "../../components/button";
import { type Order, type Sortable, SortHeading, sorted } from "../../components/sortable";
import { locale, words } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import { byTable, tableLabel } from "../../live/names";
import { amountText } from "../../money/amounts";
import { address } from "../../shell/router";
import { workingRoles } from "../../shell/session";
import { StepWords } from "../../staff/book-step-text";
import { Details, dealerOf } from "./table-details";
import { newsOf, urgency } from "./table-news";

const WIN = "win";

interface RowsProps {
  tables: readonly FloorTable[];
  alarms: readonly AlarmInfo[];
}

export function TableRows({ tables, alarms }: RowsProps) {
  const t = floorWords();
  const [order, setOrder] = useState<Order | null>(null);
  const alarmsAt = (table: FloorTable): number => alarms.filter(one => one.table === table.id).length;
  const supervised = tables.some(table => table.supervised);
  const columns = columnsOf(supervised, alarmsAt);
  const urgent = [...tables].sort(
    (one, other) => urgency(other, alarmsAt(other)) - urgency(one, alarmsAt(one)) || byTable(one.id, other.id),
  );
  return (
    <table class="floor-rows">
      <caption class="unseen">{t.tables}</caption>
      <thead>
        <tr data-sort={words().figures.sort}>
          {columns.map(column => (
            <SortHeading key={column.id} column={column} order={order} onOrder={setOrder} />
          ))}
          <td />
        </tr>
      </thead>
      {sorted(urgent, columns, order, locale.value).map(table => (
        <TableRow key={table.id} table={table} alarms={alarmsAt(table)} columns={columns} />
      ))}
    </table>
  );
}

/** The win is a column only for those who may see it at some table. */
function columnsOf(supervised: boolean, alarmsAt: (table: FloorTable) => number): readonly Sortable<FloorTable>[] {
  const t = floorWords();
  const phases = words().phase;
  const columns: Sortable<FloorTable>[] = [
    { id: "table", name: t.tableColumn, value: table => tableLabel(table.id) },
    {
      id: "status",
      name: t.status,
      value: table => (table.open ? (phases[table.phase ?? ""] ?? table.phase) : t.closed),
    },
    { id: "attention", name: t.attention, value: table => -urgency(table, alarmsAt(table)) },
    { id: "dealer", name: t.dealer, value: dealerOf },
    { id: "players", name: t.playersColumn, kind: "figure", value: table => table.players },
    { id: "staked", name: t.staked, kind: "figure", value: table => table.staked },
    { id: "exposure", name: t.exposure, kind: "figure", value: exposureOf },
    { id: WIN, name: t.winShort, kind: "figure", value: table => table.win?.won ?? null },
  ];
  return columns.filter(column => supervised || column.id !== WIN);
}

/** The house's loss on the worst throw. */
function exposureOf(table: FloorTable): number {
  return Math.max(0, -table.worst_result);
}

interface RowProps {
  table: FloorTable;
  alarms: number;
  columns: readonly Sortable<FloorTable>[];
}

function TableRow({ table, alarms, columns }: RowProps) {
  const t = floorWords();
  const [open, setOpen] = useState(false);
  const desk = address`/floor/tables/${table.id}`;
  const details = `details-${table.id}`;
  const hasWinColumn = columns.some(column => column.id === WIN);
  const state = table.stopped.length > 0 ? " floor-row-held" : table.open ? "" : " floor-row-closed";
  return (
    <tbody class={`floor-row${state}`} data-table={table.id}>
      <tr>
        <th scope="row">
          <a href={desk}>{tableLabel(table.id)}</a>
          <span class="soft">
            <BookText text={table.short} />
          </span>
        </th>
        <td class="row-status">
          <Phase table={table} />
        </td>
        <td class="row-news">
          <FirstNews table={table} alarms={alarms} />
        </td>
        <td class="row-dealer" data-name={t.dealer}>
          {dealerOf(table)}
        </td>
        <td class="figure row-players" data-name={t.playersColumn}>
          {table.players}
        </td>
        <td class="figure" data-name={t.staked}>
          <Amount minor={table.staked} money={table.money} />
        </td>
        <td class="figure" data-name={t.exposure}>
          <Amount minor={exposureOf(table)} money={table.money} />
        </td>
        {hasWinColumn && (
          <td class="figure" data-name={t.winShort}>
            <Win table={table} />
          </td>
        )}
        <td class="row-ways">
          {workingRoles(table.id).length > 0 && (
            <LinkButton href={address`/tables/${table.id}/dealer`}>{t.console}</LinkButton>
          )}
          <LinkButton href={desk}>{t.desk}</LinkButton>
          <button
            type="button"
            class="row-more"
            aria-expanded={open}
            aria-controls={open ? details : undefined}
            aria-label={t.details(tableLabel(table.id))}
            onClick={() => setOpen(!open)}
          >
            <span aria-hidden="true">▸</span>
          </button>
        </td>
      </tr>
      {open && (
        <tr class="row-details" id={details}>
          <td colSpan={columns.length + 1}>
            <Details table={table} alarms={alarms} />
          </td>
        </tr>
      )}
    </tbody>
  );
}

function Phase({ table }: { table: FloorTable }) {
  const t = floorWords();
  const phase = table.open ? (words().phase[table.phase ?? ""] ?? table.phase ?? "") : t.closed;
  return (
    <>
      <span class={`phase phase-${table.open ? (table.phase ?? "").replaceAll(" ", "-") : "shut"}`}>{phase}</span>
      <span class="soft">{t.round(table.round)}</span>
    </>
  );
}

/** The most urgent news of a table, or its due step. */
function FirstNews({ table, alarms }: { table: FloorTable; alarms: number }) {
  const t = floorWords();
  const [first, ...others] = newsOf(table, alarms);
  if (first !== undefined) {
    return (
      <span class={first.bad ? "news news-bad" : "news"}>
        {first.says}
        {others.length > 0 && <span class="soft"> {t.moreNews(others.length)}</span>}
      </span>
    );
  }
  if (!table.open) return null;
  if (table.due !== null) return <StepWords act={table.due.act} says={table.due.says} />;
  return table.automatic ? <span class="soft">{t.byItself}</span> : null;
}

function Win({ table }: { table: FloorTable }) {
  if (table.win === null || table.win.wagered === 0) return <span class="soft">–</span>;
  const theory = amountText(Math.round(table.win.theory), table.money, locale.value, { signed: true });
  return (
    <>
      <Amount minor={table.win.won} money={table.money} signed />
      <span class="soft">{floorWords().theory(theory)}</span>
    </>
  );
}
