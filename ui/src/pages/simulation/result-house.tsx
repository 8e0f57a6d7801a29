/** The result of a run for the house: win per night, hold, worst hour. */

import type { RunResult } from "../../api/types";
import { Downloads } from "../../components/downloads";
import { Fact } from "../../components/facts";
import { Section } from "../../components/section";
import type { Cell } from "../../components/table-text";
import { simulationWords } from "../../i18n/words/simulation";
import { percentage, rounded } from "../../money/figures";
import { BarsPlot, FanPlot } from "./plots";
import { compact, type Money, spread } from "./result-figures";

export function HouseSection({ result, money }: { result: RunResult; money: Money }) {
  const t = simulationWords();
  const { house } = result;
  const plots = result.plots.house;
  const share = (value: number): string => `${rounded(value * 100, 0)}%`;
  const whole = (value: number): string => compact(value, result.currency);
  const last = (percent: string): number | undefined => plots.over_time.bands[percent]?.at(-1);
  return (
    <Section id="house" title={t.house}>
      <dl class="house-figures">
        <Fact name={t.winNight}>
          <strong>{money(house.mean)}</strong>
          {house.mean_error !== null && <span class="soft">{t.winError(money(house.mean_error, false))}</span>}
        </Fact>
        <Fact name={t.hold}>
          <strong>{percentage(house.hold)}</strong>
          <span class="soft">{t.holdHint}</span>
        </Fact>
        <Fact name={t.ofStakes}>
          <strong>{percentage(house.share)}</strong>
          <span class="soft">
            {t.handle} {money(house.handle, false)}
          </span>
        </Fact>
        <Fact name={t.worstHour}>
          <strong>{money(house.worst_mean)}</strong>
          <span class="soft">
            {t.worstEver} {money(house.worst_ever)}
          </span>
        </Fact>
        <Fact name={t.largest}>
          <strong>{money(house.largest, false)}</strong>
        </Fact>
        {house.envy > 0 && (
          <Fact name={t.envy}>
            <strong>{money(house.envy, false)}</strong>
          </Fact>
        )}
      </dl>
      <Downloads
        file="house"
        about={t.house}
        showAbout
        content={() => ({
          sheets: [{ name: t.house, columns: ["figure", "value"], rows: Object.entries(house).flatMap(figures) }],
          data: result,
        })}
      />
      <div class="plots">
        <FanPlot
          title={t.overTime}
          summary={spread(last("5"), last("95"), last("50"), money)}
          fan={plots.over_time}
          name={whole}
          tone="house"
        />
        <BarsPlot
          title={t.winNights}
          summary={spread(house.percentiles["5"], house.percentiles["95"], house.percentiles["50"], money)}
          bars={plots.nights}
          axis={result.currency}
          name={whole}
          tone="house"
        />
        <BarsPlot
          title={t.holds}
          summary={spread(house.holds["5"], house.holds["95"], house.holds["50"], percentage)}
          bars={plots.holds}
          axis={t.holdHint}
          name={share}
          tone="house"
        />
        <BarsPlot
          title={t.worstHours}
          summary={spread(house.worst["5"], house.worst["95"], house.worst["50"], money)}
          bars={plots.worst_hours}
          axis={result.currency}
          name={whole}
          tone="house"
        />
      </div>
    </Section>
  );
}

/** A figure of the house as rows: amounts in minor units, percentile by percentile. */
function figures([name, value]: [string, unknown]): Cell[][] {
  if (typeof value === "number") return [[name, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([part, one]) => figures([`${name} ${part}%`, one]));
}
