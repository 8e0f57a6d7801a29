/** The house's win beyond theory, throw by throw, in the band that chance alone explains. */

import type { components } from "../../api/schema";
import { type Column, Figures } from "../../components/figures";
import { locale } from "../../i18n";
import { officeWords } from "../../i18n/words/office";
import { amountText } from "../../money/amounts";
import { rounded } from "../../money/figures";
import { Chart } from "./chart";

type Point = components["schemas"]["HeldPoint"];

export function Curve({ points, money }: { points: readonly Point[]; money: string }) {
  const t = officeWords().hold;
  const show = (minor: number): string =>
    amountText(Math.round(minor), money, locale.value, { signed: true, short: true });
  const exact = (minor: number): string => amountText(Math.round(minor), money, locale.value, { signed: true });
  const last = points.at(-1);
  if (last === undefined) return null;
  const begin = { x: 0, y: 0, low: 0, high: 0 };
  const columns: Column<Point>[] = [
    { id: "throws", name: t.throwsName, value: point => point.throws, kind: "figure" },
    {
      id: "wagered",
      name: t.wagered,
      value: point => point.wagered,
      show: one => exact(one.wagered),
      kind: "figure",
    },
    { id: "won", name: t.won, value: point => point.won, show: one => exact(one.won), kind: "figure" },
    { id: "theory", name: t.theory, value: one => one.theory, show: one => exact(one.theory), kind: "figure" },
    {
      id: "beyond",
      name: t.deviation,
      value: one => one.deviation,
      show: one => exact(one.deviation),
      kind: "figure",
    },
    { id: "low", name: t.low, value: point => point.low, show: point => exact(point.low), kind: "figure" },
    { id: "high", name: t.high, value: point => point.high, show: point => exact(point.high), kind: "figure" },
  ];
  return (
    <>
      <Chart
        label={t.chartLabel(last.throws, exact(last.deviation), exact(last.low), exact(last.high))}
        xName={t.throwsName}
        lineName={t.keyLine}
        bandName={t.keyBand}
        line={[begin, ...points.map(point => ({ x: point.throws, y: point.deviation }))]}
        band={[begin, ...points.map(point => ({ x: point.throws, low: point.low, high: point.high }))]}
        levels={[{ y: 0, name: t.theoryLine, tone: "calm" }]}
        showX={x => rounded(x)}
        showY={show}
      />
      <details>
        <summary>{t.asTable}</summary>
        <Figures
          caption={t.chart}
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
