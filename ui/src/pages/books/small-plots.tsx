/** Small plots beside figures: a distribution, a line over rounds, narrowing bands. The server computes all numbers. */

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { Downloads, PLOT } from "../../components/downloads";
import type { Sheet } from "../../components/table-text";
import { percentage } from "../../money/figures";

const WIDTH = 320;
const HEIGHT = 120;

interface Bin {
  low: number;
  high: number;
  probability: number;
}

interface PlotProps {
  title: string;
  note: string;
  file: string;
  table: Omit<Sheet, "name">;
  children: ComponentChildren;
}

function Plot({ title, note, file, table, children }: PlotProps) {
  const drawing = useRef<SVGSVGElement>(null);
  return (
    <figure class="small-plot">
      <figcaption>
        {title} <span class="soft">{note}</span>
      </figcaption>
      <svg ref={drawing} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${title}: ${note}`}>
        {children}
      </svg>
      <Downloads
        file={file}
        about={title}
        forms={PLOT}
        content={() => ({ sheets: [{ name: title, ...table }], drawing: drawing.current })}
      />
    </figure>
  );
}

/** Bars from the lowest to the highest result, with losses marked. */
export function Area({ title, file, bins }: { title: string; file: string; bins: readonly Bin[] }) {
  const most = Math.max(...bins.map(bin => bin.probability), 1e-12);
  const width = WIDTH / Math.max(bins.length, 1);
  return (
    <Plot
      title={title}
      note={percentage(most)}
      file={file}
      table={{ columns: ["low", "high", "probability"], rows: bins.map(bin => [bin.low, bin.high, bin.probability]) }}
    >
      {bins.map((bin, place) => {
        const height = (bin.probability / most) * (HEIGHT - 2);
        return (
          <rect
            key={bin.low}
            class={bin.high < 0 ? "bar bar-player" : "bar"}
            x={place * width + 0.3}
            width={Math.max(width - 0.6, 0.6)}
            y={HEIGHT - height}
            height={height}
          />
        );
      })}
    </Plot>
  );
}

/** A share that grows with each round. */
export function Line({ title, file, values }: { title: string; file: string; values: readonly number[] }) {
  const most = Math.max(...values, 1e-12);
  const step = WIDTH / Math.max(values.length - 1, 1);
  const points = values.map(
    (value, place) => `${(place * step).toFixed(1)},${(HEIGHT - 2 - (value / most) * (HEIGHT - 6)).toFixed(1)}`,
  );
  return (
    <Plot
      title={title}
      note={percentage(values.at(-1) ?? 0)}
      file={file}
      table={{ columns: ["round", "probability"], rows: values.map((value, place) => [place + 1, value]) }}
    >
      <polyline class="small-line" points={points.join(" ")} />
    </Plot>
  );
}

interface Band {
  rounds: number;
  confidence: number;
  low: number;
  high: number;
}

interface BandsProps {
  title: string;
  file: string;
  bands: readonly Band[];
  edge: number;
}

/** The bands of the hold by number of decisions, on one scale: the fewest decisions have the widest band. */
export function Bands({ title, file, bands, edge }: BandsProps) {
  const rounds = [...new Set(bands.map(band => band.rounds))];
  const [low, high] = [Math.min(...bands.map(band => band.low)), Math.max(...bands.map(band => band.high))];
  const at = (value: number): number => ((value - low) / (high - low || 1)) * WIDTH;
  const height = HEIGHT / rounds.length;
  return (
    <Plot
      title={title}
      note={percentage(edge)}
      file={file}
      table={{
        columns: ["decisions", "confidence", "low", "high"],
        rows: bands.map(band => [band.rounds, band.confidence, band.low, band.high]),
      }}
    >
      {[...bands]
        .sort((a, b) => b.confidence - a.confidence)
        .map(band => (
          <rect
            key={`${band.rounds} ${band.confidence}`}
            class="small-band"
            x={at(band.low)}
            width={Math.max(at(band.high) - at(band.low), 0.6)}
            y={rounds.indexOf(band.rounds) * height + 3}
            height={height - 6}
          />
        ))}
      <line class="small-line" x1={at(edge)} x2={at(edge)} y1="0" y2={HEIGHT} />
    </Plot>
  );
}
