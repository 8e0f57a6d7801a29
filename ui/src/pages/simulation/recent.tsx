/** Recent runs, newest first. */

import type { RunInfo } from "../../api/types";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { Section } from "../../components/section";
import { Timestamp } from "../../components/timestamps";
import { named } from "../../i18n";
import { simulationWords } from "../../i18n/words/simulation";
import { personName } from "../../live/names";
import { address } from "../../shell/router";
import type { KnownRuns } from "./runs";

export function RecentRuns({ runs }: { runs: KnownRuns }) {
  const t = simulationWords();
  const { response, reload, known } = runs;
  return (
    <Section id="runs" title={t.recent} {...(known ? { lead: t.kept(known.kept) } : {})}>
      {response.state === "loading" && <Waiting />}
      {response.state === "failed" && <ProblemNote problem={response.problem} retry={reload} />}
      {known?.runs.length === 0 && <p class="soft">{t.noRuns}</p>}
      {known !== null && known.runs.length > 0 && (
        <ul class="recent-runs">
          {known.runs.map(run => (
            <li key={run.run}>
              <a href={address`/simulation?run=${run.run}`}>
                <strong>{named(run.scenario.title)}</strong>
                <span class={`tag run-${run.state}`}>{t.state[run.state]}</span>
              </a>
              <span>{sizeOf(run)}</span>
              <span class="soft">
                <Timestamp at={run.started} /> · {t.by} {personName(run.by)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

export function sizeOf(run: RunInfo): string {
  const { players, nights, hours, tables } = run.scenario;
  return simulationWords().size(players, nights, hours, tables);
}
