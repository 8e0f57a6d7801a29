/** The runs that are kept, the newest first. */

import type { RunTold } from "../../api/types";
import { When } from "../../components/moments";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { Section } from "../../components/section";
import { address } from "../../shell/router";
import { words } from "../../words";
import { bookWords } from "../../words/sentences";
import type { KnownRuns } from "./runs";

export function RecentRuns({ runs }: { runs: KnownRuns }) {
  const say = words().simulation;
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
                <strong>{bookWords(run.scenario.title)}</strong>
                <span class={`tag run-${run.state}`}>{say.state[run.state]}</span>
              </a>
              <span>{sizeOf(run)}</span>
              <span class="soft">
                <When at={run.started} /> · {say.by} {run.by}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

export function sizeOf(run: RunTold): string {
  const { players, nights, hours, tables } = run.scenario;
  return words().simulation.size(players, nights, hours, tables);
}
