/** A line over throws, with a band or a threshold, drawn at the available width so that its text stays legible. */

import { useEffect, useRef, useState } from "preact/hooks";
import { ticks } from "../../components/ticks";

export interface ChartPoint {
  x: number;
  y: number;
}

interface ChartProps {
  /** A description in one sentence, for screen readers. */
  label: string;
  xName: string;
  lineName: string;
  bandName?: string;
  line: readonly ChartPoint[];
  band?: readonly { x: number; low: number; high: number }[];
  /** Horizontal lines; an alarm threshold is labelled on the line, others in the key below, because the curve runs
   * along them. */
  levels?: readonly { y: number; name: string; tone: "calm" | "alarm" }[];
  showX: (x: number) => string;
  showY: (y: number) => string;
}

const HEIGHT = 260;
const TOP = 14;
const BOTTOM = 40;
const RIGHT = 14;

export function Chart(props: ChartProps) {
  const { ref, width } = useWidth();
  const ends = [
    ...props.line.map(point => point.y),
    ...(props.band ?? []).flatMap(point => [point.low, point.high]),
    ...(props.levels ?? []).map(level => level.y),
  ];
  const [low, high] = padded(Math.min(...ends), Math.max(...ends));
  const first = Math.min(0, props.line[0]?.x ?? 0);
  const last = Math.max(first + 1, props.line.at(-1)?.x ?? 1);
  const yTicks = ticks(low, high, 6);
  const left = 14 + 7.2 * Math.max(...yTicks.map(tick => props.showY(tick).length));
  const inner = Math.max(80, width - left - RIGHT);
  const x = (value: number): number => left + ((value - first) / (last - first)) * inner;
  const y = (value: number): number => TOP + ((high - value) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const path = (points: readonly ChartPoint[]): string =>
    points
      .map((point, index) => `${index === 0 ? "M" : "L"}${x(point.x).toFixed(1)} ${y(point.y).toFixed(1)}`)
      .join("");
  const band = props.band ?? [];
  const around = [
    ...band.map(point => ({ x: point.x, y: point.high })),
    ...[...band].reverse().map(point => ({ x: point.x, y: point.low })),
  ];
  const end = props.line.at(-1);
  const calm = props.levels?.find(level => level.tone === "calm");
  return (
    <div class="chart" ref={ref}>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} width={width} height={HEIGHT} role="img" aria-label={props.label}>
        {yTicks.map(tick => (
          <g key={tick} class="chart-tick">
            <line x1={left} x2={left + inner} y1={y(tick)} y2={y(tick)} />
            <text x={left - 8} y={y(tick)} text-anchor="end" dominant-baseline="central">
              {props.showY(tick)}
            </text>
          </g>
        ))}
        {ticks(first, last, Math.max(2, Math.floor(inner / 90)))
          .filter(tick => Number.isInteger(tick) && tick >= first && tick <= last)
          .map(tick => (
            <text key={tick} class="chart-x" x={x(tick)} y={HEIGHT - BOTTOM + 16} text-anchor="middle">
              {props.showX(tick)}
            </text>
          ))}
        <text class="chart-name" x={left + inner} y={HEIGHT - 6} text-anchor="end">
          {props.xName}
        </text>
        {around.length > 2 && <path class="chart-band" d={`${path(around)}Z`} />}
        {(props.levels ?? []).map(level => (
          <g key={level.name} class={`chart-level chart-${level.tone}`}>
            <line x1={left} x2={left + inner} y1={y(level.y)} y2={y(level.y)} />
            {level.tone === "alarm" && (
              <text x={left + inner} y={y(level.y) - 6} text-anchor="end">
                {level.name}
              </text>
            )}
          </g>
        ))}
        <path class="chart-line" d={path(props.line)} />
        {end !== undefined && <circle class="chart-end" cx={x(end.x)} cy={y(end.y)} r="4.5" />}
      </svg>
      <p class="chart-key">
        <span class="key key-line">{props.lineName}</span>
        {band.length > 0 && <span class="key key-band">{props.bandName}</span>}
        {calm && <span class="key key-calm">{calm.name}</span>}
      </p>
    </div>
  );
}

function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(640);
  useEffect(() => {
    const box = ref.current;
    if (box === null) return;
    const measure = (): void => setWidth(Math.max(260, Math.floor(box.clientWidth)));
    measure();
    const watching = new ResizeObserver(measure);
    watching.observe(box);
    return () => watching.disconnect();
  }, []);
  return { ref, width };
}

function padded(low: number, high: number): [number, number] {
  const room = (high - low || 1) * 0.06;
  return [low - room, high + room];
}
