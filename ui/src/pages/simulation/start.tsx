/** The errors of a scenario, or the button that starts its run. */

import { api, unwrap } from "../../api/client";
import { Button } from "../../components/button";
import { useSubmission } from "../../components/form-submission";
import { ProblemNote } from "../../components/problem-note";
import { simulationWords } from "../../i18n/words/simulation";
import { address, go } from "../../shell/router";
import type { Checking } from "./checking";
import type { Runs } from "./runs";

export function Start({ checking, runs }: { checking: Checking; runs: Runs | null }) {
  const t = simulationWords();
  const submission = useSubmission();
  const { checked, fresh } = checking;
  const problems = checked?.problems ?? [];
  const running = runs?.running ?? null;
  const start = async (): Promise<void> => {
    if (checked === null) return;
    await submission.submit(async () => {
      const run = await unwrap(api.POST("/api/v1/simulations", { body: { toml: checked.toml } }));
      go(address`/simulation?run=${run.run}`);
    });
  };
  return (
    <div class="start">
      <div class="start-verdict" role="status">
        {!fresh && checking.problem === null && <p class="soft">{t.checking}</p>}
        {fresh && checked?.size && <p class="start-good">✓ {t.good(checked.size.players, checked.size.nights)}</p>}
        {fresh && problems.length > 0 && (
          <div class="note note-bad">
            <p>
              <strong>{t.wrong(problems.length)}</strong>
            </p>
            <ul class="wrongs">
              {problems.map(one => (
                <li key={`${one.place} ${one.says}`}>
                  {one.place && <code>{one.place}</code>} {one.says}
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
      {checking.problem !== null && <ProblemNote problem={checking.problem} />}
      {submission.problem !== null && <ProblemNote problem={submission.problem} />}
      {running !== null && (
        <p class="note">
          {running === "elsewhere" ? t.elsewhere : t.underWay}
          {running !== "elsewhere" && <a href={address`/simulation?run=${running}`}>{t.lookAt}</a>}
        </p>
      )}
      <Button
        tone="main"
        busy={submission.busy}
        disabled={!fresh || checked?.size == null}
        onClick={() => void start()}
      >
        {t.start}
      </Button>
      {runs && <p class="soft">{t.bounded(Math.round(runs.seconds_max / 60))}</p>}
    </div>
  );
}
