/** One run: its progress, or its result. */

import { useEffect, useRef, useState } from "preact/hooks";
import { api, told } from "../../api/client";
import { asProblem } from "../../api/problems";
import type { BookPage, RunInfo } from "../../api/types";
import { known, useAsked } from "../../api/use-request";
import { announce } from "../../components/announcements";
import { Because } from "../../components/book-sentence";
import { Button, LinkButton } from "../../components/button";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { When } from "../../components/timestamps";
import { toastProblem } from "../../components/toasts";
import { apiLanguage, named } from "../../i18n";
import { simulationWords } from "../../i18n/words/simulation";
import { personName } from "../../live/names";
import { rounded } from "../../money/figures";
import { address } from "../../shell/router";
import { sizeOf } from "./recent";
import { Result } from "./result";
import { useRun } from "./runs";

export function RunPage({ run }: { run: string }) {
  const say = simulationWords();
  const { asked, again } = useRun(run);
  const watched = useRef(false);
  const shown = known(asked);
  const state = shown?.state;
  useEffect(() => {
    // Screen readers announce the end of a run that was watched, not that of an old one.
    if (state === "running") watched.current = true;
    else if (state !== undefined && watched.current) announce(simulationWords().ended(simulationWords().state[state]));
  }, [state]);
  if (asked.state === "waiting") return <Waiting />;
  if (asked.state === "failed" && shown === null) return <ProblemNote problem={asked.problem} again={again} />;
  if (shown === null) return null;
  return (
    <div class="run">
      <header class="run-head">
        <h2>
          {named(shown.scenario.title)} <span class={`tag run-${shown.state}`}>{say.state[shown.state]}</span>
        </h2>
        <p>{sizeOf(shown)}</p>
        <p class="soft">
          {say.started} <When at={shown.started} /> · {say.by} {personName(shown.by)} ·{" "}
          {say.seedWas(String(shown.scenario.seed))}
        </p>
      </header>
      {asked.state === "failed" && <ProblemNote problem={asked.problem} again={again} />}
      {shown.state === "running" && <Progress run={shown} />}
      {shown.says && (
        <p class="note note-bad" role="alert">
          <Because says={say.failed} why={shown.says} />
        </p>
      )}
      {shown.state === "cancelled" && <p class="note">{say.nothing}</p>}
      {shown.state === "stopped" && <p class="note">{say.partly(rounded(shown.done ?? 0), shown.nights ?? 0)}</p>}
      {shown.state !== "running" && <Downloads run={shown} />}
      {(shown.state === "done" || shown.state === "stopped") && <Found run={shown} />}
    </div>
  );
}

function Progress({ run }: { run: RunInfo }) {
  const say = simulationWords();
  const [stopping, setStopping] = useState(false);
  const [done, all] = [run.done ?? 0, run.nights ?? 1];
  const left = run.seconds_left ?? null;
  const how = [say.done(rounded(done), all)];
  if (run.rate) how.push(say.rate(rounded(run.rate, run.rate < 10 ? 1 : 0)));
  if (done === 0) how.push(say.starting);
  else if (done >= all) how.push(say.finishing);
  else if (left !== null) how.push(say.left(duration(left)));
  const stop = async (): Promise<void> => {
    setStopping(true);
    try {
      await told(api.DELETE("/api/v1/simulations/{run}", { params: { path: { run: run.run } } }));
    } catch (thrown) {
      setStopping(false);
      toastProblem(asProblem(thrown));
    }
  };
  return (
    <div class="run-progress">
      <progress max={all} value={done} aria-label={say.progress} aria-valuetext={how.join(", ")} />
      <p class="run-how">{how.join(" · ")}</p>
      <div>
        <Button tone="danger" busy={stopping} onClick={() => void stop()} title={say.stopHint}>
          {stopping ? say.stopping : say.stop}
        </Button>{" "}
        <span class="soft">{say.stopHint}</span>
      </div>
    </div>
  );
}

function duration(seconds: number): string {
  const say = simulationWords();
  return seconds < 90 ? say.seconds(Math.max(1, Math.round(seconds))) : say.minutes(Math.round(seconds / 60));
}

function Downloads({ run }: { run: RunInfo }) {
  const say = simulationWords();
  return (
    <p class="reports">
      <span class="soft">{say.downloads}</span>
      {(run.files ?? []).map(name => (
        <a key={name} class="button button-plain" href={address`/api/v1/simulations/${run.run}/files/${name}`} download>
          {say.files[name] ?? name}
        </a>
      ))}
      <LinkButton href={address`/simulation?again=${run.run}`}>{say.again}</LinkButton>
    </p>
  );
}

function Found({ run }: { run: RunInfo }) {
  const lang = apiLanguage.value;
  const result = useAsked(
    () => told(api.GET("/api/v1/simulations/{run}/result", { params: { path: { run: run.run } } })),
    [run.run],
  );
  const book = useAsked(
    (): Promise<BookPage> =>
      told(api.GET("/api/v1/books/{book_id}", { params: { path: { book_id: run.scenario.book }, query: { lang } } })),
    [run.scenario.book, lang],
  );
  if (result.asked.state === "failed") return <ProblemNote problem={result.asked.problem} again={result.again} />;
  if (result.asked.state === "waiting" || book.asked.state === "waiting") return <Waiting />;
  return <Result result={result.asked.told} book={book.asked.state === "here" ? book.asked.told : null} />;
}
