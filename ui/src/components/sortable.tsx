/** Rows that can be sorted by any column. */

import { words } from "../i18n";

export interface Sortable<Row> {
  id: string;
  name: string;
  /** The value to sort by. */
  value: (row: Row) => number | string | null;
  kind?: "figure" | "text";
}

export interface Order {
  column: string;
  falling: boolean;
}

interface HeadingProps<Row> {
  column: Sortable<Row>;
  order: Order | null;
  onOrder: (order: Order) => void;
}

/** A column header that sorts by its column; pressed again, it reverses the order. */
export function SortHeading<Row>({ column, order, onOrder }: HeadingProps<Row>) {
  const mine = order?.column === column.id ? order : null;
  const falling = mine ? !mine.falling : column.kind === "figure";
  return (
    <th
      scope="col"
      class={column.kind === "figure" ? "figure" : undefined}
      aria-sort={mine ? (mine.falling ? "descending" : "ascending") : "none"}
    >
      <button
        type="button"
        class="sort"
        onClick={() => onOrder({ column: column.id, falling })}
        title={words().figures.sortBy(column.name)}
      >
        {column.name}
        <span class="sort-mark" aria-hidden="true">
          {mine ? (mine.falling ? "▾" : "▴") : ""}
        </span>
      </button>
    </th>
  );
}

/** Sorts rows by a column; those without a value come last. */
export function sorted<Row>(
  rows: readonly Row[],
  columns: readonly Sortable<Row>[],
  order: Order | null,
  language: string,
): readonly Row[] {
  const column = columns.find(one => one.id === order?.column);
  if (column === undefined || order === null) return rows;
  const way = order.falling ? -1 : 1;
  const byWords = new Intl.Collator(language, { numeric: true }).compare;
  return [...rows].sort((a, b) => {
    const [x, y] = [column.value(a), column.value(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    return way * (typeof x === "number" && typeof y === "number" ? x - y : byWords(String(x), String(y)));
  });
}
