/** Plots: bars, fans and curves in one frame. All numbers come from the server. */

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { components } from "../../api/schema";
import { Downloads, PLOT } from "../../components/downloads";
import type { Sheet } from "../../components/table-text";
import { ticks } from "../../components/ticks";
import { sentences } from "../../i18n";
import { simulationWords } from "../../i18n/words/simulation";

type Schemas = components["schemas"];
export type Bars = Schemas["Bars"];
export type Fan = Schemas["Fan"];
export type Curve = Schemas["Curve"];

const WIDTH = 400;
const HEIGHT = 220;
const LEFT = 62;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 40;

interface Scale {
  at: (value: number) => number;
  ticks: number[];
}

/** Maps values to positions, with a few round values in between. */
function scale(low: number, high: number, from: number, to: number, about: number): Scale {
  const span = high - low || 1;
  return { at: value => from + ((value - low) / span) * (to - from), ticks: ticks(low, high, about) };
}

interface FrameProps {
  title: string;
  note: string;
  /** A description for screen readers. */
  summary: string;
  across: Scale;
  up: Scale;
  acrossName: (value: number) => string;
  upName: (value: number) => string;
  axis: string;
  /** The plotted numbers. */
  table: Omit<Sheet, "name">;
  children: ComponentChildren;
}

function Frame({ title, note, summary, across, up, acrossName, upName, axis, table, children }: FrameProps) {
  const drawing = useRef<SVGSVGElement>(null);
  return (
    <figure class="plot">
      <figcaption>
        <h3>{title}</h3>
      </figcaption>
      <svg ref={drawing} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${title}: ${summary}`}>
        {up.ticks.map(tick => (
          <g key={tick}>
            <line class="plot-grid" x1={LEFT} x2={WIDTH - RIGHT} y1={up.at(tick)} y2={up.at(tick)} />
            <text class="plot-text" x={LEFT - 6} y={up.at(tick) + 4} text-anchor="end">
              {upName(tick)}
            </text>
          </g>
        ))}
        {across.ticks.map(tick => (
          <text key={tick} class="plot-text" x={across.at(tick)} y={HEIGHT - BOTTOM + 16} text-anchor="middle">
            {acrossName(tick)}
          </text>
        ))}
        {children}
        <line class="plot-axis" x1={LEFT} x2={WIDTH - RIGHT} y1={HEIGHT - BOTTOM} y2={HEIGHT - BOTTOM} />
        <text class="plot-text" x={(LEFT + WIDTH - RIGHT) / 2} y={HEIGHT - 6} text-anchor="middle">
          {axis}
        </text>
      </svg>
      <p class="plot-note">
        {summary}. <span class="soft">{note}</span>
      </p>
      <Downloads
        file={title.replace(/[^\p{L}\p{N}]+/gu, "-")}
        about={title}
        forms={PLOT}
        content={() => ({ sheets: [{ name: title, ...table }], drawing: drawing.current })}
      />
    </figure>
  );
}

interface BarsPlotProps {
  title: string;
  summary: string;
  bars: Bars;
  axis: string;
  name: (value: number) => string;
  tone?: "players" | "house";
}

export function BarsPlot({ title, summary, bars, axis, name, tone = "players" }: BarsPlotProps) {
  const t = simulationWords();
  const low = bars.edges[0] ?? 0;
  const high = bars.edges.at(-1) ?? 1;
  const across = scale(low, high, LEFT, WIDTH - RIGHT, 4);
  const most = Math.max(...bars.shares, 1e-9);
  const up = scale(0, most, HEIGHT - BOTTOM, TOP, 3);
  const median = Math.min(Math.max(bars.median, low), high);
  return (
    <Frame
      title={title}
      note={t.barsNote}
      summary={summary}
      across={across}
      up={up}
      acrossName={name}
      upName={shareName(most)}
      axis={axis}
      table={{
        columns: ["low", "high", "share"],
        rows: bars.shares.map((share, index) => [bars.edges[index] ?? null, bars.edges[index + 1] ?? null, share]),
      }}
    >
      {bars.shares.map((share, index) => {
        const [from, to] = [across.at(bars.edges[index] ?? 0), across.at(bars.edges[index + 1] ?? 0)];
        return (
          <rect
            key={from}
            class={`plot-bar plot-${tone}`}
            x={from + 0.4}
            width={Math.max(0.5, to - from - 0.8)}
            y={up.at(share)}
            height={HEIGHT - BOTTOM - up.at(share)}
          />
        );
      })}
      {low < 0 && high > 0 && (
        <line class="plot-zero" x1={across.at(0)} x2={across.at(0)} y1={TOP} y2={HEIGHT - BOTTOM} />
      )}
      <line class="plot-median" x1={across.at(median)} x2={across.at(median)} y1={TOP} y2={HEIGHT - BOTTOM} />
    </Frame>
  );
}

interface FanPlotProps {
  title: string;
  summary: string;
  fan: Fan;
  name: (value: number) => string;
  tone?: "players" | "house";
}

export function FanPlot({ title, summary, fan, name, tone = "players" }: FanPlotProps) {
  const t = simulationWords();
  const ways = fan.ways ?? [];
  const band = (percent: string): number[] => fan.bands[percent] ?? [];
  const seen = [...band("5"), ...band("95"), ...(tone === "house" ? [0] : [])];
  const [low, high] = [Math.min(...seen), Math.max(...seen)];
  const across = scale(0, fan.hours.at(-1) ?? 1, LEFT, WIDTH - RIGHT, 4);
  const up = scale(low, high, HEIGHT - BOTTOM, TOP, 4);
  const point = (value: number, index: number): string =>
    `${across.at(fan.hours[index] ?? 0).toFixed(1)},${up.at(Math.min(Math.max(value, low), high)).toFixed(1)}`;
  const area = (lower: string, upper: string): string =>
    [...band(upper).map(point), ...band(lower).map(point).reverse()].join(" ");
  return (
    <Frame
      title={title}
      note={sentences(t.bandsNote, ways.length > 0 && t.singles)}
      summary={summary}
      across={across}
      up={up}
      acrossName={String}
      upName={name}
      axis={t.axisHours}
      table={{
        columns: [
          "hours",
          ...Object.keys(fan.bands).map(percent => `${percent}%`),
          ...ways.map((_, way) => `#${way + 1}`),
        ],
        rows: fan.hours.map((hour, index) => [
          hour,
          ...[...Object.values(fan.bands), ...ways].map(values => values[index] ?? null),
        ]),
      }}
    >
      <polygon class={`plot-outer plot-${tone}`} points={area("5", "95")} />
      <polygon class={`plot-inner plot-${tone}`} points={area("25", "75")} />
      {ways.map((way, index) => (
        <polyline key={index} class="plot-way" points={way.map(point).join(" ")} />
      ))}
      <polyline class={`plot-line plot-${tone}`} points={band("50").map(point).join(" ")} />
      {low < 0 && high > 0 && <line class="plot-zero" x1={LEFT} x2={WIDTH - RIGHT} y1={up.at(0)} y2={up.at(0)} />}
    </Frame>
  );
}

export function CurvePlot({ title, summary, curve }: { title: string; summary: string; curve: Curve }) {
  const t = simulationWords();
  const most = Math.max(...curve.shares, 0.01);
  const across = scale(0, curve.hours.at(-1) ?? 1, LEFT, WIDTH - RIGHT, 4);
  const up = scale(0, most, HEIGHT - BOTTOM, TOP, 3);
  const points = curve.shares.map(
    (share, index) => `${across.at(curve.hours[index] ?? 0).toFixed(1)},${up.at(share).toFixed(1)}`,
  );
  return (
    <Frame
      title={title}
      note=""
      summary={summary}
      across={across}
      up={up}
      acrossName={String}
      upName={shareName(most)}
      axis={t.axisHours}
      table={{
        columns: ["hours", "share"],
        rows: curve.hours.map((hour, index) => [hour, curve.shares[index] ?? null]),
      }}
    >
      <polyline class="plot-line plot-players" points={points.join(" ")} />
    </Frame>
  );
}

function shareName(most: number): (share: number) => string {
  const digits = most < 0.02 ? 1 : 0;
  return share => `${(share * 100).toFixed(digits)}%`;
}
