/** The shell around every page: header, page, footer, announcements and toasts. */

import { useEffect, useRef, useState } from "preact/hooks";
import { asProblem, type Problem } from "./api/problems";
import { Announcer } from "./components/announcements";
import { ProblemNote, Waiting } from "./components/problem-note";
import { Toasts } from "./components/toasts";
import { words, wordsLoaded } from "./i18n";
import NotFound from "./pages/not-found";
import { ROUTES, type Route } from "./routes";
import { Foot, Head } from "./shell/frame";
import { Gate } from "./shell/gate";
import { match, type Page, type Parameters, type Place, place } from "./shell/router";
import { SessionEnded } from "./shell/session-ended";
import { pageMood } from "./shell/theme";

interface Found {
  route: Route | null;
  parameters: Parameters;
}

function find(path: string): Found {
  for (const route of ROUTES) {
    const parameters = match(route.pattern, path);
    if (parameters !== null) return { route, parameters };
  }
  return { route: null, parameters: {} };
}

export function App() {
  const at = place.value;
  const { route, parameters } = find(at.path);
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  const t = words();
  const title = route?.title(t) ?? t.shell.notFound;

  useEffect(() => {
    pageMood.value = route?.mood ?? "floor";
  }, [route]);
  useEffect(() => {
    document.title = `${title} · ${t.shell.name}`;
  }, [title, t]);
  useEffect(() => {
    // After navigation, keyboard and screen reader users start at the top of the page.
    if (first.current) first.current = false;
    else main.current?.focus();
  }, [at.path]);

  return (
    <>
      <a class="skip" href="#main">
        {t.shell.skip}
      </a>
      {!route?.bare && <Head path={at.path} />}
      {!route?.bare && <SessionEnded path={at.path} />}
      <main id="main" ref={main} tabIndex={-1}>
        {route === null ? (
          <NotFound />
        ) : (
          <RoutedPage key={route.pattern} route={route} parameters={parameters} at={at} />
        )}
      </main>
      {!route?.bare && <Foot />}
      <Gate />
      <Toasts />
      <Announcer />
    </>
  );
}

const known = new Map<Route, Page>();

function RoutedPage({ route, parameters, at }: { route: Route; parameters: Parameters; at: Place }) {
  const [failed, setFailed] = useState<Problem | null>(null);
  const [, loaded] = useState(0);
  const Here = known.get(route);
  useEffect(() => {
    if (Here) return;
    (async () => {
      const { default: page } = await route.load();
      await wordsLoaded(); // of the areas that the page imports
      known.set(route, page);
      loaded(count => count + 1);
    })().catch(thrown => setFailed(asProblem(thrown)));
  }, [route, Here]);
  if (Here) return <Here parameters={parameters} place={at} />;
  return failed ? <ProblemNote problem={failed} retry={() => location.reload()} /> : <Waiting />;
}
