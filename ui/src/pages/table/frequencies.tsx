/** The frequency of each face and total, for those who ask; it does not affect the next throw. */

import { DieMark } from "../../components/dice";
import { playWords } from "../../i18n/words/play";
import { faceCounts, type TotalCount, totalCounts } from "./roads";

interface FrequenciesProps {
  thrown: readonly (readonly number[])[];
  dice: number;
}

/** With fewer throws there is no most or least frequent total. */
const ENOUGH = 10;
const TOTALS_MAX = 3;

export function Frequencies({ thrown, dice }: FrequenciesProps) {
  const totals = totalCounts(thrown, dice);
  return (
    <>
      <Bars
        name={playWords().play.faces(thrown.length)}
        bars={faceCounts(thrown).map((count, index) => ({ total: index + 1, count }))}
        step={36}
        faces
      />
      <Bars name={playWords().seat.totals(thrown.length)} bars={totals} step={dice > 2 ? 22 : 28} />
      <HotAndCold thrown={thrown} dice={dice} />
    </>
  );
}

const HEIGHT = 132;
const FLOOR = 96;
const BAR_HEIGHT_MAX = 78;

function Bars(props: { name: string; bars: readonly TotalCount[]; step: number; faces?: boolean }) {
  const { name, bars, step, faces = false } = props;
  const most = Math.max(1, ...bars.map(bar => bar.count));
  const width = bars.length * step;
  const description = bars.map(bar => `${bar.total}: ${bar.count}`).join(", ");
  return (
    <figure class="road">
      <figcaption>{name}</figcaption>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={`${name}: ${description}`}
      >
        {bars.map(({ total, count }, index) => {
          const high = (count / most) * BAR_HEIGHT_MAX;
          const middle = (index + 0.5) * step;
          return (
            <g key={total}>
              <rect
                class="face-bar"
                x={middle - step * 0.29}
                y={FLOOR - high}
                width={step * 0.58}
                height={high}
                rx="2"
              />
              {count > 0 && (
                <text class="face-count" x={middle} y={FLOOR - 8 - high}>
                  {count}
                </text>
              )}
              {faces ? (
                <DieMark face={total} x={middle - 12} y={104} size={24} />
              ) : (
                <text class="total-name" x={middle} y={112}>
                  {total}
                </text>
              )}
            </g>
          );
        })}
      </svg>
    </figure>
  );
}

/** The most and least frequent totals; none if there were too few throws. */
export function hotAndCold(thrown: readonly (readonly number[])[], dice: number): Record<"hot" | "cold", TotalCount[]> {
  if (thrown.length < ENOUGH) return { hot: [], cold: [] };
  const sorted = totalCounts(thrown, dice).sort((one, other) => other.count - one.count || one.total - other.total);
  return { hot: sorted.slice(0, TOTALS_MAX), cold: sorted.slice(-TOTALS_MAX) };
}

function HotAndCold({ thrown, dice }: FrequenciesProps) {
  const t = playWords().seat;
  const { hot, cold } = hotAndCold(thrown, dice);
  if (hot.length === 0) return null;
  return (
    <div class="hot-cold">
      <Few name={t.hot} totals={hot} tone="hot" />
      <Few name={t.cold} totals={cold} tone="cold" />
      <p class="soft">{t.memory}</p>
    </div>
  );
}

function Few({ name, totals, tone }: { name: string; totals: readonly TotalCount[]; tone: "hot" | "cold" }) {
  const t = playWords().seat;
  return (
    <p class={`few few-${tone}`}>
      <span class="soft">{name}</span>
      {totals.map(({ total, count }) => (
        <span key={total} class="few-one">
          <b>{total}</b> <span class="soft">{t.times(count)}</span>
        </span>
      ))}
    </p>
  );
}
