/** The bets of a run: simulated beside exact figures, and their results. */

import type { BookPage, RunResult } from "../../api/types";
import { type Column, Figures } from "../../components/figures";
import { Section } from "../../components/section";
import { locale } from "../../i18n";
import { simulationWords } from "../../i18n/words/simulation";
import { areaName } from "../../layout/model";
import { withMinus } from "../../money/amounts";
import { percentage } from "../../money/figures";
import { BarList } from "../books/bar-list";

interface WagersProps {
  result: RunResult;
  book: BookPage | null;
}

export function Checked({ result, book }: WagersProps) {
  const t = simulationWords();
  const hands = result.wagers[0]?.hands;
  if (hands === undefined) return null;
  type One = RunResult["wagers"][number];
  const share = (value: number): string => percentage(value);
  const columns: Column<One>[] = [
    { id: "wager", name: t.wager, value: one => areaName(book, one.wager) },
    { id: "edge", name: t.edge, kind: "figure", value: one => one.edge, show: one => share(one.edge) },
    {
      id: "interval",
      name: t.interval,
      kind: "figure",
      value: one => one.low,
      show: one => `${share(one.low)} … ${share(one.high)}`,
    },
    {
      id: "exact",
      name: t.exact,
      kind: "figure",
      value: one => one.exact,
      show: one => <strong>{share(one.exact)}</strong>,
      hint: one => one.fraction,
    },
    {
      id: "z",
      name: t.z,
      kind: "figure",
      value: one => one.z,
      show: one => (one.z === null ? "–" : withMinus(new Intl.NumberFormat(locale.value, ZED).format(one.z))),
    },
  ];
  return (
    <Section id="exact" title={t.wagers} lead={t.wagersLead(new Intl.NumberFormat(locale.value).format(hands))}>
      <Figures caption={t.wagers} columns={columns} rows={result.wagers} rowKey={one => one.wager} file="wagers" />
      <div class="edge-chart">
        <p class="legend">
          <span class="legend-first">{t.edge}</span>
          <span class="legend-second">{t.exact}</span>
        </p>
        <BarList
          title={t.wagers}
          file="simulated-and-exact"
          columns={[t.wager, t.edge, t.exact]}
          rows={result.wagers.map(one => ({
            key: one.wager,
            name: areaName(book, one.wager),
            bars: [
              { value: one.edge, text: share(one.edge), exact: `${share(one.low)} … ${share(one.high)}` },
              { value: one.exact, text: share(one.exact), exact: one.fraction },
            ],
          }))}
        />
      </div>
    </Section>
  );
}

const ZED = { minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: "exceptZero" } as const;

export function Ends({ result, book }: WagersProps) {
  const t = simulationWords();
  const counted = new Intl.NumberFormat(locale.value);
  type One = RunResult["ends"][number];
  const endOf = (one: One): string => book?.wagers.find(wager => wager.wager === one.wager)?.wins[one.row] ?? one.row;
  const columns: Column<One>[] = [
    { id: "wager", name: t.wager, value: one => areaName(book, one.wager) },
    { id: "end", name: t.end, value: endOf },
    {
      id: "count",
      name: t.endCount,
      kind: "figure",
      value: one => one.count,
      show: one => counted.format(one.count),
    },
    { id: "share", name: t.endShare, kind: "figure", value: one => one.share, show: one => percentage(one.share) },
  ];
  return (
    <Section id="ends" title={t.ends} lead={t.total(result.bets, result.rolls)}>
      <Figures
        caption={t.ends}
        columns={columns}
        rows={result.ends.filter(one => one.count > 0)}
        rowKey={one => `${one.wager} ${one.row}`}
        file="ends"
      />
    </Section>
  );
}
