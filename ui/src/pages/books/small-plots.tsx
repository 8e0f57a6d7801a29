/** Small drawings beside figures: bars of a distribution, a line over rounds, bands that narrow. All numbers are the server's. */

import type { ComponentChildren } from "preact";
import { percentage } from "../../money/figures";

const WIDTH = 320;
const HEIGHT = 120;

interface Bin {
  low: number;
  high: number;
  probability: number;
}

function Plot({ title, note, children }: { title: string; note: string; children: ComponentChildren }) {
  return (
    <figure class="small-plot">
      <figcaption>
        {title} <span class="soft">{note}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${title}: ${note}`}>
        {children}
      </svg>
    </figure>
  );
}

/** Bars from the lowest to the highest result; losses are marked. */
export function Area({ title, bins }: { title: string; bins: readonly Bin[] }) {
  const most = Math.max(...bins.map(bin => bin.probability), 1e-12);
  const width = WIDTH / Math.max(bins.length, 1);
  return (
    <Plot title={title} note={percentage(most)}>
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

/** A share that grows from round to round. */
export function Line({ title, values }: { title: string; values: readonly number[] }) {
  const most = Math.max(...values, 1e-12);
  const step = WIDTH / Math.max(values.length - 1, 1);
  const points = values.map(
    (value, place) => `${(place * step).toFixed(1)},${(HEIGHT - 2 - (value / most) * (HEIGHT - 6)).toFixed(1)}`,
  );
  return (
    <Plot title={title} note={percentage(values.at(-1) ?? 0)}>
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

/** The bands of the hold after more and more decisions, on one scale: the widest is that of the fewest. */
export function Bands({ title, bands, edge }: { title: string; bands: readonly Band[]; edge: number }) {
  const rounds = [...new Set(bands.map(band => band.rounds))];
  const [low, high] = [Math.min(...bands.map(band => band.low)), Math.max(...bands.map(band => band.high))];
  const at = (value: number): number => ((value - low) / (high - low || 1)) * WIDTH;
  const height = HEIGHT / rounds.length;
  return (
    <Plot title={title} note={percentage(edge)}>
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
