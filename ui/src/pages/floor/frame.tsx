/** What every part of the floor shows: the navigation and the notifications beside it. */

import type { ComponentChildren } from "preact";
import { LinkButton } from "../../components/button";
import { Waiting } from "../../components/problem-note";
import { words } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import { address, type Place } from "../../shell/router";
import { me, oversees, worksHere } from "../../shell/session";
import NotFound from "../not-found";
import { FloorWays, type News, useNews } from "./navigation";

interface FrameProps {
  part: string;
  place: Place;
  /** The part itself; null if there is no such one. */
  children: (news: News) => ComponentChildren;
}

export function FloorFrame({ part, place, children }: FrameProps) {
  if (me.value === undefined) return <Waiting />;
  if (me.value === null || !(worksHere.value || oversees.value)) return <NotStaff path={place.path} />;
  return <Framed part={part}>{children}</Framed>;
}

function Framed({ part, children }: Omit<FrameProps, "place">) {
  const news = useNews();
  const found = children(news);
  if (found === null) return <NotFound />;
  return (
    <section class="page floor">
      <FloorWays part={part} news={news} />
      {found}
    </section>
  );
}

function NotStaff({ path }: { path: string }) {
  const say = words();
  return (
    <section class="page page-narrow">
      <h1>{floorWords().title}</h1>
      <p>{floorWords().notStaff}</p>
      {me.value ? (
        <LinkButton href="/">{say.shell.toTables}</LinkButton>
      ) : (
        <LinkButton href={address`/sign-in?to=${path}`} tone="main">
          {say.shell.signIn}
        </LinkButton>
      )}
    </section>
  );
}
