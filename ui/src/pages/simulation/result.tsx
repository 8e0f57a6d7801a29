/** What a run came to: the house, the players, their plots, how bets ended, chance beside exact. */

import type { BookPage, RunResult } from "../../api/types";
import { Fact } from "../../components/facts";
import { type Column, Figures } from "../../components/figures";
import { Section } from "../../components/section";
import { amountText, decimalsOf, withMinus } from "../../money/amounts";
import { percentage, rounded } from "../../money/figures";
import { locale, named, words } from "../../words";
import { BarsPlot, CurvePlot, FanPlot } from "./plots";

interface ResultProps {
  result: RunResult;
  book: BookPage | null;
}

type Money = (minor: number, signed?: boolean) => string;

export function Result({ result, book }: ResultProps) {
  const money: Money = (minor, signed = true) =>
    amountText(Math.round(minor), result.currency, locale.value, { signed, short: true });
  const nameOf = (id: string): string => {
    const wager = book?.wagers.find(one => one.wager === id);
    return wager ? named(wager.name) : id;
  };
  return (
    <>
      <HouseSection result={result} money={money} />
      <PlayersSection result={result} money={money} />
      <Checked result={result} nameOf={nameOf} />
      <Ends result={result} book={book} nameOf={nameOf} />
    </>
  );
}

function spread(
  low: number | undefined,
  high: number | undefined,
  middle: number | undefined,
  name: (v: number) => string,
) {
  return words().nights.between(name(low ?? 0), name(high ?? 0), name(middle ?? 0));
}

function HouseSection({ result, money }: { result: RunResult; money: Money }) {
  const say = words().nights;
  const { house } = result;
  const plots = result.plots.house;
  const share = (value: number): string => `${rounded(value * 100, 0)}%`;
  const whole = (value: number): string => compact(value, result.currency);
  const last = (percent: string): number | undefined => plots.over_time.bands[percent]?.at(-1);
  return (
    <Section id="house" title={say.house}>
      <dl class="house-figures">
        <Fact name={say.winNight}>
          <strong>{money(house.mean)}</strong>
          {house.mean_error !== null && <span class="soft">{say.winError(money(house.mean_error, false))}</span>}
        </Fact>
        <Fact name={say.hold}>
          <strong>{percentage(house.hold)}</strong>
          <span class="soft">{say.holdHint}</span>
        </Fact>
        <Fact name={say.ofStakes}>
          <strong>{percentage(house.share)}</strong>
          <span class="soft">
            {say.handle} {money(house.handle, false)}
          </span>
        </Fact>
        <Fact name={say.worstHour}>
          <strong>{money(house.worst_mean)}</strong>
          <span class="soft">
            {say.worstEver} {money(house.worst_ever)}
          </span>
        </Fact>
        <Fact name={say.largest}>
          <strong>{money(house.largest, false)}</strong>
        </Fact>
        {house.envy > 0 && (
          <Fact name={say.envy}>
            <strong>{money(house.envy, false)}</strong>
          </Fact>
        )}
      </dl>
      <div class="plots">
        <FanPlot
          title={say.overTime}
          spoken={spread(last("5"), last("95"), last("50"), money)}
          fan={plots.over_time}
          name={whole}
          tone="house"
        />
        <BarsPlot
          title={say.winNights}
          spoken={spread(house.percentiles["5"], house.percentiles["95"], house.percentiles["50"], money)}
          bars={plots.nights}
          axis={result.currency}
          name={whole}
          tone="house"
        />
        <BarsPlot
          title={say.holds}
          spoken={spread(house.holds["5"], house.holds["95"], house.holds["50"], percentage)}
          bars={plots.holds}
          axis={say.holdHint}
          name={share}
          tone="house"
        />
        <BarsPlot
          title={say.worstHours}
          spoken={spread(house.worst["5"], house.worst["95"], house.worst["50"], money)}
          bars={plots.worst_hours}
          axis={result.currency}
          name={whole}
          tone="house"
        />
      </div>
    </Section>
  );
}

type Group = RunResult["groups"][number];
const PERCENTS = ["5", "25", "50", "75", "95"];

function PlayersSection({ result, money }: { result: RunResult; money: Money }) {
  const say = words().nights;
  const hours = (value: number): string => say.hour(rounded(value, 1));
  const amount = (id: string, name: string, of: (group: Group) => number): Column<Group> => ({
    id,
    name,
    kind: "figure",
    value: group => of(group) / 10 ** decimalsOf(result.currency),
    show: group => money(of(group)),
  });
  const columns: Column<Group>[] = [
    { id: "name", name: say.players, value: group => group.name, show: group => <strong>{group.name}</strong> },
    { id: "number", name: say.number, kind: "figure", value: group => group.players },
    amount("mean", say.mean, group => group.mean),
    ...PERCENTS.map(percent =>
      amount(`p${percent}`, say.percentile(percent), group => group.percentiles[percent] ?? 0),
    ),
    amount("worst", say.worst, group => group.worst),
    amount("best", say.best, group => group.best),
    {
      id: "ahead",
      name: say.ahead,
      kind: "figure",
      value: group => group.ahead,
      show: group => percentage(group.ahead),
    },
    {
      id: "ruined",
      name: say.ruined,
      kind: "figure",
      value: group => group.ruined,
      show: group => percentage(group.ruined),
    },
    {
      id: "ruin-hours",
      name: say.ruinHours,
      kind: "figure",
      value: group => group.ruin_hours,
      show: group => (group.ruin_hours === null ? "–" : hours(group.ruin_hours)),
    },
  ];
  const whole = (value: number): string => compact(value, result.currency);
  return (
    <Section id="players" title={say.players}>
      <Figures
        caption={say.percentiles}
        columns={columns}
        rows={result.groups}
        rowKey={group => group.name}
        file="players"
      />
      {result.groups.map((group, index) => {
        const plots = result.plots.groups[index];
        if (plots === undefined) return null;
        const { percentiles } = group;
        const last = (percent: string): number | undefined => plots.bankrolls.bands[percent]?.at(-1);
        return (
          <div key={group.name} class="plots plots-group">
            <BarsPlot
              title={say.results(group.name)}
              spoken={spread(percentiles["5"], percentiles["95"], percentiles["50"], money)}
              bars={plots.results}
              axis={result.currency}
              name={whole}
            />
            <FanPlot
              title={say.bankrolls(group.name)}
              spoken={spread(last("5"), last("95"), last("50"), value => money(value, false))}
              fan={plots.bankrolls}
              name={whole}
            />
            {group.ruined > 0 && (
              <CurvePlot title={say.ruin(group.name)} spoken={say.atEnd(percentage(group.ruined))} curve={plots.ruin} />
            )}
          </div>
        );
      })}
    </Section>
  );
}

/** An amount for an axis: 1.5K. */
function compact(minor: number, currency: string): string {
  const unit = 10 ** decimalsOf(currency);
  const format = new Intl.NumberFormat(locale.value, { notation: "compact", maximumFractionDigits: 1 });
  return withMinus(format.format(minor / unit));
}

function Checked({ result, nameOf }: { result: RunResult; nameOf: (wager: string) => string }) {
  const say = words().nights;
  const hands = result.wagers[0]?.hands;
  if (hands === undefined) return null;
  type One = RunResult["wagers"][number];
  const share = (value: number): string => percentage(value);
  const columns: Column<One>[] = [
    { id: "wager", name: say.wager, value: one => nameOf(one.wager) },
    { id: "edge", name: say.edge, kind: "figure", value: one => one.edge, show: one => share(one.edge) },
    {
      id: "interval",
      name: say.interval,
      kind: "figure",
      value: one => one.low,
      show: one => `${share(one.low)} … ${share(one.high)}`,
    },
    {
      id: "exact",
      name: say.exact,
      kind: "figure",
      value: one => one.exact,
      show: one => <strong>{share(one.exact)}</strong>,
      hint: one => one.fraction,
    },
    {
      id: "z",
      name: say.z,
      kind: "figure",
      value: one => one.z,
      show: one => (one.z === null ? "–" : withMinus(new Intl.NumberFormat(locale.value, ZED).format(one.z))),
    },
  ];
  return (
    <Section id="exact" title={say.wagers} lead={say.wagersLead(new Intl.NumberFormat(locale.value).format(hands))}>
      <Figures caption={say.wagers} columns={columns} rows={result.wagers} rowKey={one => one.wager} file="wagers" />
    </Section>
  );
}

const ZED = { minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: "exceptZero" } as const;

function Ends({ result, book, nameOf }: ResultProps & { nameOf: (wager: string) => string }) {
  const say = words().nights;
  const counted = new Intl.NumberFormat(locale.value);
  type One = RunResult["ends"][number];
  const endOf = (one: One): string => book?.wagers.find(wager => wager.wager === one.wager)?.wins[one.row] ?? one.row;
  const columns: Column<One>[] = [
    { id: "wager", name: say.wager, value: one => nameOf(one.wager) },
    { id: "end", name: say.end, value: endOf },
    {
      id: "count",
      name: say.endCount,
      kind: "figure",
      value: one => one.count,
      show: one => counted.format(one.count),
    },
    { id: "share", name: say.endShare, kind: "figure", value: one => one.share, show: one => percentage(one.share) },
  ];
  return (
    <Section id="ends" title={say.ends} lead={say.total(counted.format(result.bets), counted.format(result.rolls))}>
      <Figures
        caption={say.ends}
        columns={columns}
        rows={result.ends.filter(one => one.count > 0)}
        rowKey={one => `${one.wager} ${one.row}`}
        file="ends"
      />
    </Section>
  );
}
