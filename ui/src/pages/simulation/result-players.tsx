/** The result of a run for the players: each group's results, bankrolls and ruin. */

import type { RunResult } from "../../api/types";
import { type Column, Figures } from "../../components/figures";
import { Section } from "../../components/section";
import { simulationWords } from "../../i18n/words/simulation";
import { decimalsOf } from "../../money/amounts";
import { percentage, rounded } from "../../money/figures";
import { BarsPlot, CurvePlot, FanPlot } from "./plots";
import { compact, type Money, spread } from "./result-figures";

type Group = RunResult["groups"][number];
const PERCENTS = ["5", "25", "50", "75", "95"];

export function PlayersSection({ result, money }: { result: RunResult; money: Money }) {
  const t = simulationWords();
  const hours = (value: number): string => t.hour(rounded(value, 1));
  const amount = (id: string, name: string, of: (group: Group) => number): Column<Group> => ({
    id,
    name,
    kind: "figure",
    value: group => of(group) / 10 ** decimalsOf(result.currency),
    show: group => money(of(group)),
  });
  const columns: Column<Group>[] = [
    { id: "name", name: t.players, value: group => group.name, show: group => <strong>{group.name}</strong> },
    { id: "number", name: t.number, kind: "figure", value: group => group.players },
    amount("mean", t.mean, group => group.mean),
    ...PERCENTS.map(percent =>
      amount(
        `p${percent}`,
        percent === "50" ? t.median : t.percentile(percent),
        group => group.percentiles[percent] ?? 0,
      ),
    ),
    amount("worst", t.worst, group => group.worst),
    amount("best", t.best, group => group.best),
    {
      id: "ahead",
      name: t.ahead,
      kind: "figure",
      value: group => group.ahead,
      show: group => percentage(group.ahead),
    },
    {
      id: "ruined",
      name: t.ruined,
      kind: "figure",
      value: group => group.ruined,
      show: group => percentage(group.ruined),
    },
    {
      id: "ruin-hours",
      name: t.ruinHours,
      kind: "figure",
      value: group => group.ruin_hours,
      show: group => (group.ruin_hours === null ? "–" : hours(group.ruin_hours)),
    },
  ];
  const whole = (value: number): string => compact(value, result.currency);
  return (
    <Section id="players" title={t.players}>
      <Figures
        caption={t.percentiles}
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
              title={t.results(group.name)}
              summary={spread(percentiles["5"], percentiles["95"], percentiles["50"], money)}
              bars={plots.results}
              axis={result.currency}
              name={whole}
            />
            <FanPlot
              title={t.bankrolls(group.name)}
              summary={spread(last("5"), last("95"), last("50"), value => money(value, false))}
              fan={plots.bankrolls}
              name={whole}
            />
            {group.ruined > 0 && (
              <CurvePlot title={t.ruin(group.name)} summary={t.atEnd(percentage(group.ruined))} curve={plots.ruin} />
            )}
          </div>
        );
      })}
    </Section>
  );
}
