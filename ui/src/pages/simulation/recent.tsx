/** Recent runs, newest first. */

import type { RunInfo } from "../../api/types";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { Section } from "../../components/section";
import { When } from "../../components/timestamps";
import { named } from "../../i18n";
import { simulationWords } from "../../i18n/words/simulation";
import { personName } from "../../live/names";
import { address } from "../../shell/router";
import type { KnownRuns } from "./runs";

export function RecentRuns({ runs }: { runs: KnownRuns }) {
  const say = simulationWords();
  const { asked, again, known } = runs;
  return (
    <Section id="runs" title={say.recent} {...(known ? { lead: say.kept(known.kept) } : {})}>
      {asked.state === "waiting" && <Waiting />}
      {asked.state === "failed" && <ProblemNote problem={asked.problem} again={again} />}
      {known?.runs.length === 0 && <p class="soft">{say.noRuns}</p>}
      {known !== null && known.runs.length > 0 && (
        <ul class="recent-runs">
          {known.runs.map(run => (
            <li key={run.run}>
              <a href={address`/simulation?run=${run.run}`}>
                <strong>{named(run.scenario.title)}</strong>
                <span class={`tag run-${run.state}`}>{say.state[run.state]}</span>
              </a>
              <span>{sizeOf(run)}</span>
              <span class="soft">
                <When at={run.started} /> · {say.by} {personName(run.by)}
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
