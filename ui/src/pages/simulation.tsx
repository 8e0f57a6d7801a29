/** Simulated nights: compose or upload a scenario, run it beside the tables, and view the results. */

import { LinkButton } from "../components/button";
import { PageHead } from "../components/page-head";
import { Waiting } from "../components/problem-note";
import { words } from "../i18n";
import { simulationWords } from "../i18n/words/simulation";
import type { PageProps } from "../shell/router";
import { me, oversees } from "../shell/session";
import { Composer } from "./simulation/composer";
import { RecentRuns } from "./simulation/recent";
import { RunPage } from "./simulation/run-page";
import { useRuns } from "./simulation/runs";

export default function Simulation({ place }: PageProps) {
  const t = simulationWords();
  if (me.value === undefined) return <Waiting />;
  if (!oversees.value) return <Closed />;
  const run = place.query.get("run") || null;
  return (
    <section class="page nights">
      <PageHead title={t.title} lead={t.lead}>
        {run !== null && <LinkButton href="/simulation">{t.another}</LinkButton>}
      </PageHead>
      {run !== null ? <RunPage key={run} run={run} /> : <Compose query={place.query} />}
    </section>
  );
}

function Compose({ query }: { query: URLSearchParams }) {
  const runs = useRuns();
  return (
    <>
      <Composer key={query.toString()} query={query} runs={runs.known} />
      <RecentRuns runs={runs} />
    </>
  );
}

function Closed() {
  const t = simulationWords();
  return (
    <section class="page page-narrow">
      <h1>{t.title}</h1>
      <p class="note">{t.closed}</p>
      {me.value === null ? (
        <LinkButton href="/sign-in?to=/simulation" tone="main">
          {t.signIn}
        </LinkButton>
      ) : (
        <LinkButton href="/">{words().shell.toTables}</LinkButton>
      )}
    </section>
  );
}
