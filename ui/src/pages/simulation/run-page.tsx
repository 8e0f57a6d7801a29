/** One run: its progress, or its result. */

import { useEffect, useRef, useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import { asProblem } from "../../api/problems";
import type { BookPage, RunInfo } from "../../api/types";
import { latestData, useRequest } from "../../api/use-request";
import { announce } from "../../components/announcements";
import { TextWithReason } from "../../components/book-sentence";
import { Button, LinkButton } from "../../components/button";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { Timestamp } from "../../components/timestamps";
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
  const t = simulationWords();
  const { response, reload } = useRun(run);
  const watched = useRef(false);
  const data = latestData(response);
  const state = data?.state;
  useEffect(() => {
    // Screen readers announce the end of a run that was watched, not that of an old one.
    if (state === "running") watched.current = true;
    else if (state !== undefined && watched.current) announce(simulationWords().ended(simulationWords().state[state]));
  }, [state]);
  if (response.state === "loading") return <Waiting />;
  if (response.state === "failed" && data === null) return <ProblemNote problem={response.problem} retry={reload} />;
  if (data === null) return null;
  return (
    <div class="run">
      <header class="run-head">
        <h2>
          {named(data.scenario.title)} <span class={`tag run-${data.state}`}>{t.state[data.state]}</span>
        </h2>
        <p>{sizeOf(data)}</p>
        <p class="soft">
          {t.started} <Timestamp at={data.started} /> · {t.by} {personName(data.by)} ·{" "}
          {t.seedWas(String(data.scenario.seed))}
        </p>
      </header>
      {response.state === "failed" && <ProblemNote problem={response.problem} retry={reload} />}
      {data.state === "running" && <Progress run={data} />}
      {data.says && (
        <p class="note note-bad" role="alert">
          <TextWithReason says={t.failed} why={data.says} />
        </p>
      )}
      {data.state === "cancelled" && <p class="note">{t.nothing}</p>}
      {data.state === "stopped" && <p class="note">{t.partly(rounded(data.done ?? 0), data.nights ?? 0)}</p>}
      {data.state !== "running" && <Downloads run={data} />}
      {(data.state === "done" || data.state === "stopped") && <Found run={data} />}
    </div>
  );
}

function Progress({ run }: { run: RunInfo }) {
  const t = simulationWords();
  const [stopping, setStopping] = useState(false);
  const [done, all] = [run.done ?? 0, run.nights ?? 1];
  const left = run.seconds_left ?? null;
  const how = [t.done(rounded(done), all)];
  if (run.rate) how.push(t.rate(rounded(run.rate, run.rate < 10 ? 1 : 0)));
  if (done === 0) how.push(t.starting);
  else if (done >= all) how.push(t.finishing);
  else if (left !== null) how.push(t.left(duration(left)));
  const stop = async (): Promise<void> => {
    setStopping(true);
    try {
      await unwrap(api.DELETE("/api/v1/simulations/{run}", { params: { path: { run: run.run } } }));
    } catch (thrown) {
      setStopping(false);
      toastProblem(asProblem(thrown));
    }
  };
  return (
    <div class="run-progress">
      <progress max={all} value={done} aria-label={t.progress} aria-valuetext={how.join(", ")} />
      <p class="run-how">{how.join(" · ")}</p>
      <div>
        <Button tone="danger" busy={stopping} onClick={() => void stop()} title={t.stopHint}>
          {stopping ? t.stopping : t.stop}
        </Button>{" "}
        <span class="soft">{t.stopHint}</span>
      </div>
    </div>
  );
}

function duration(seconds: number): string {
  const t = simulationWords();
  return seconds < 90 ? t.seconds(Math.max(1, Math.round(seconds))) : t.minutes(Math.round(seconds / 60));
}

function Downloads({ run }: { run: RunInfo }) {
  const t = simulationWords();
  return (
    <p class="reports">
      <span class="soft">{t.downloads}</span>
      {(run.files ?? []).map(name => (
        <a key={name} class="button button-plain" href={address`/api/v1/simulations/${run.run}/files/${name}`} download>
          {t.files[name] ?? name}
        </a>
      ))}
      <LinkButton href={address`/simulation?again=${run.run}`}>{t.again}</LinkButton>
    </p>
  );
}

function Found({ run }: { run: RunInfo }) {
  const lang = apiLanguage.value;
  const result = useRequest(
    () => unwrap(api.GET("/api/v1/simulations/{run}/result", { params: { path: { run: run.run } } })),
    [run.run],
  );
  const book = useRequest(
    (): Promise<BookPage> =>
      unwrap(api.GET("/api/v1/books/{book_id}", { params: { path: { book_id: run.scenario.book }, query: { lang } } })),
    [run.scenario.book, lang],
  );
  if (result.response.state === "failed")
    return <ProblemNote problem={result.response.problem} retry={result.reload} />;
  if (result.response.state === "loading" || book.response.state === "loading") return <Waiting />;
  return <Result result={result.response.data} book={book.response.state === "loaded" ? book.response.data : null} />;
}
