/** The errors of a scenario, or the button that starts its run. */

import { api, told } from "../../api/client";
import { Button } from "../../components/button";
import { useSending } from "../../components/form-submission";
import { ProblemNote } from "../../components/problem-note";
import { simulationWords } from "../../i18n/words/simulation";
import { address, go } from "../../shell/router";
import type { Checking } from "./checking";
import type { Runs } from "./runs";

export function Start({ checking, runs }: { checking: Checking; runs: Runs | null }) {
  const say = simulationWords();
  const sending = useSending();
  const { checked, fresh } = checking;
  const problems = checked?.problems ?? [];
  const running = runs?.running ?? null;
  const start = async (): Promise<void> => {
    if (checked === null) return;
    await sending.send(async () => {
      const run = await told(api.POST("/api/v1/simulations", { body: { toml: checked.toml } }));
      go(address`/simulation?run=${run.run}`);
    });
  };
  return (
    <div class="start">
      <div class="start-verdict" role="status">
        {!fresh && checking.problem === null && <p class="soft">{say.checking}</p>}
        {fresh && checked?.size && <p class="start-good">✓ {say.good(checked.size.players, checked.size.nights)}</p>}
        {fresh && problems.length > 0 && (
          <div class="note note-bad">
            <p>
              <strong>{say.wrong(problems.length)}</strong>
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
      {sending.problem !== null && <ProblemNote problem={sending.problem} />}
      {running !== null && (
        <p class="note">
          {running === "elsewhere" ? say.elsewhere : say.underWay}
          {running !== "elsewhere" && <a href={address`/simulation?run=${running}`}>{say.lookAt}</a>}
        </p>
      )}
      <Button tone="main" busy={sending.busy} disabled={!fresh || checked?.size == null} onClick={() => void start()}>
        {say.start}
      </Button>
      {runs && <p class="soft">{say.bounded(Math.round(runs.seconds_max / 60))}</p>}
    </div>
  );
}
