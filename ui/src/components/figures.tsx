/** A table of figures that can be sorted, filtered, copied and downloaded. */

import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { locale, words } from "../i18n";
import { Button } from "./button";
import { copied } from "./clipboard";
import { Downloads } from "./downloads";
import { Field } from "./field";
import { ScrollRegion } from "./scroll-region";
import { type Order, type Sortable, SortHeading, sorted } from "./sortable";
import { moveToNextCell } from "./table-navigation";
import { asText, type Sheet } from "./table-text";

/** Its value is also copied and downloaded. */
export interface Column<Row> extends Sortable<Row> {
  /** The content of a cell; by default its value. */
  show?: (row: Row) => ComponentChildren;
  /** The tooltip on hover and focus: an exact fraction. */
  hint?: (row: Row) => string | undefined;
}

interface FiguresProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** The name of the file, without its ending. */
  file: string;
  /** The content of the JSON file, if it has more than the table. */
  data?: unknown;
  /** With fewer rows there is no filter. */
  filterFrom?: number;
  first?: { column: string; falling?: boolean };
}

export function Figures<Row>(props: FiguresProps<Row>) {
  const { caption, columns, rows, rowKey, file, filterFrom = 8 } = props;
  const t = words().figures;
  const [order, setOrder] = useState<Order | null>(
    props.first ? { column: props.first.column, falling: props.first.falling ?? false } : null,
  );
  const [filter, setFilter] = useState("");
  const sortedRows = useMemo(
    () => sorted(filtered(rows, columns, filter), columns, order, locale.value),
    [rows, columns, filter, order, locale.value],
  );

  const hinted = columns.find(column => column.hint);
  const [exact, setExact] = useState("");
  // Tab reaches one cell; arrow keys move from there.
  const [stop, setStop] = useState("");
  const cell = (row: Row, column: Column<Row>): string => `${rowKey(row)} ${column.id}`;
  const isShown = sortedRows.some(row => columns.some(column => column.hint?.(row) && cell(row, column) === stop));
  const first = sortedRows.find(row => hinted?.hint?.(row) !== undefined);
  const at = isShown || !first || !hinted ? stop : cell(first, hinted);

  const sheet = (): Sheet => ({
    name: caption,
    columns: columns.map(one => one.name),
    rows: sortedRows.map(row => columns.map(one => one.value(row))),
  });
  const copy = (): Promise<boolean> => copied(asText(sheet(), "	"));

  return (
    <div class="figures">
      <div class="figures-bar">
        {rows.length >= filterFrom && (
          <Field label={t.filter} type="search" value={filter} onValue={setFilter} placeholder={t.filter} />
        )}
        <span class="soft" aria-live="polite">
          {sortedRows.length === rows.length ? t.rows(rows.length) : t.someRows(sortedRows.length, rows.length)}
        </span>
        <Button tone="quiet" onClick={copy}>
          {t.copy}
        </Button>
        <Downloads
          file={file}
          content={() => ({ sheets: [sheet()], ...(props.data === undefined ? {} : { data: props.data }) })}
        />
      </div>
      <ScrollRegion label={caption}>
        <table class="stacks">
          <caption class="unseen">{caption}</caption>
          <thead>
            <tr data-sort={t.sort}>
              {columns.map(column => (
                <SortHeading key={column.id} column={column} order={order} onOrder={setOrder} />
              ))}
            </tr>
          </thead>
          <tbody onKeyDown={moveToNextCell} onPointerLeave={() => setExact("")}>
            {sortedRows.map(row => (
              <tr key={rowKey(row)}>
                {columns.map(column => {
                  const hint = column.hint?.(row);
                  const tell = (): void => setExact(t.exact(column.name, hint ?? ""));
                  const attributes =
                    hint === undefined
                      ? {}
                      : {
                          title: hint,
                          tabIndex: cell(row, column) === at ? 0 : -1,
                          onPointerEnter: tell,
                          onFocus: () => {
                            setStop(cell(row, column));
                            tell();
                          },
                        };
                  return (
                    <td
                      key={column.id}
                      class={column.kind === "figure" ? "figure" : undefined}
                      data-name={column.name}
                      {...attributes}
                    >
                      {column.show ? column.show(row) : column.value(row)}
                    </td>
                  );
                })}
              </tr>
            ))}
            {sortedRows.length === 0 && (
              <tr>
                <td colSpan={columns.length} class="soft">
                  {t.none}
                </td>
              </tr>
            )}
          </tbody>
        </table>
      </ScrollRegion>
      {hinted && (
        <p class="figures-exact" role="status">
          {exact}
        </p>
      )}
    </div>
  );
}

function filtered<Row>(rows: readonly Row[], columns: readonly Column<Row>[], filter: string): readonly Row[] {
  const wanted = filter.trim().toLowerCase();
  if (!wanted) return rows;
  return rows.filter(row =>
    columns.some(one =>
      String(one.value(row) ?? "")
        .toLowerCase()
        .includes(wanted),
    ),
  );
}
