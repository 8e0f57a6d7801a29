/** Bars of the house edge; bets of a family with the same figures share a bar. */

import { useState } from "preact/hooks";
import type { BookPage, WagerFigures } from "../../api/types";
import { Button } from "../../components/button";
import { named } from "../../i18n";
import { booksWords } from "../../i18n/words/books";
import { wagersOf } from "../../layout/model";
import { percentage } from "../../money/figures";
import { BarList, type NamedBars } from "./bar-list";

export interface EdgeChartProps {
  book: BookPage;
  figures: readonly WagerFigures[];
}

const BARS_MAX = 24;

export function EdgeChart({ book, figures }: EdgeChartProps) {
  const t = booksWords().analysis;
  const [all, setAll] = useState(false);
  const bars = barsOf(book, figures);
  const visible = all ? bars : bars.slice(-BARS_MAX);
  return (
    <div class="edge-chart">
      {bars.length > BARS_MAX && (
        <p>
          {!all && <span class="soft">{t.mostShown(BARS_MAX, bars.length)} </span>}
          <Button tone="quiet" onClick={() => setAll(!all)}>
            {all ? t.showFewer : t.showAll}
          </Button>
        </p>
      )}
      <BarList title={t.chart} file={`${book.book}-edges`} rows={visible} all={bars} columns={[t.wager, t.edge]} />
    </div>
  );
}

function barsOf(book: BookPage, figures: readonly WagerFigures[]): NamedBars[] {
  const wagers = wagersOf(book);
  const alike = new Map<string, WagerFigures[]>();
  for (const one of figures) {
    const key = `${wagers.get(one.wager)?.family} ${one.paytable} ${one.house_edge.exact}`;
    alike.set(key, [...(alike.get(key) ?? []), one]);
  }
  const bars = [...alike.values()].flatMap(group => {
    const [first, last] = [group[0], group.at(-1)];
    const wager = wagers.get(first?.wager ?? "");
    if (first === undefined || wager === undefined) return [];
    const until =
      group.length > 1 ? `${group.length > 2 ? " … " : ", "}${wagers.get(last?.wager ?? "")?.selection}` : "";
    const many = group.length > 2 ? ` (${group.length})` : "";
    const table = first.paytable === null ? "" : ` · ${first.paytable}`;
    const { value, exact } = first.house_edge;
    const name = named(wager.name) + until + many + table;
    return [{ key: `${name} ${exact}`, name, bars: [{ value, text: percentage(value), exact }] }];
  });
  return bars.sort((a, b) => (a.bars[0]?.value ?? 0) - (b.bars[0]?.value ?? 0));
}
