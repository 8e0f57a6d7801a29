/** Bars of the house edge; wagers of one family that are alike share a bar. */

import { useState } from "preact/hooks";
import type { BookPage, WagerFigures } from "../../api/types";
import { Button } from "../../components/button";
import { named } from "../../i18n";
import { booksWords } from "../../i18n/words/books";
import { wagersOf } from "../../layout/model";
import { percentage } from "../../money/figures";

export interface EdgeChartProps {
  book: BookPage;
  figures: readonly WagerFigures[];
}

interface Bar {
  name: string;
  edge: number;
  exact: string;
}

const FEW = 24;

export function EdgeChart({ book, figures }: EdgeChartProps) {
  const say = booksWords().analysis;
  const [all, setAll] = useState(false);
  const bars = barsOf(book, figures);
  const most = Math.max(...bars.map(bar => Math.abs(bar.edge)), 1e-9);
  const shown = all ? bars : bars.slice(-FEW);
  return (
    <div class="edge-chart">
      {bars.length > FEW && (
        <p>
          {!all && <span class="soft">{say.mostShown(FEW, bars.length)} </span>}
          <Button tone="quiet" onClick={() => setAll(!all)}>
            {all ? say.showFewer : say.showAll}
          </Button>
        </p>
      )}
      <svg class="defs" width="0" height="0" aria-hidden="true">
        <defs>
          <pattern id="hatch" width="2" height="10" patternUnits="userSpaceOnUse">
            <rect class="hatch" width="1" height="10" />
          </pattern>
        </defs>
      </svg>
      <ul>
        {shown.map(bar => (
          <li key={`${bar.name} ${bar.exact}`} title={bar.exact}>
            <span class="bar-name">{bar.name}</span>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect class="bar-track" width="100" height="10" />
              <rect
                class={bar.edge < 0 ? "bar bar-player" : "bar"}
                width={(Math.abs(bar.edge) / most) * 100}
                height="10"
              />
            </svg>
            <span class="bar-value">{percentage(bar.edge)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function barsOf(book: BookPage, figures: readonly WagerFigures[]): Bar[] {
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
    return [
      { name: named(wager.name) + until + many + table, edge: first.house_edge.value, exact: first.house_edge.exact },
    ];
  });
  return bars.sort((a, b) => a.edge - b.edge);
}
