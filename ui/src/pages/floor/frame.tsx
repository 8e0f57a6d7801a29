/** Access to the floor; everyone else is sent elsewhere. */

import type { ComponentChildren } from "preact";
import { LinkButton } from "../../components/button";
import { Waiting } from "../../components/problem-note";
import { words } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import { address, type Place } from "../../shell/router";
import { me, oversees, worksHere } from "../../shell/session";
import NotFound from "../not-found";

/** A part of the floor; null if there is no such part. */
export function FloorFrame({ place, children }: { place: Place; children: () => ComponentChildren }) {
  if (me.value === undefined) return <Waiting />;
  if (me.value === null || !(worksHere.value || oversees.value)) return <NotStaff path={place.path} />;
  const found = children();
  return found === null ? <NotFound /> : <section class="page floor">{found}</section>;
}

/** The way back from where there is nothing to do. */
export function BackToFloor() {
  return (
    <p>
      <LinkButton href="/floor" tone="main">
        {floorWords().toFloor}
      </LinkButton>
    </p>
  );
}

function NotStaff({ path }: { path: string }) {
  const t = words();
  return (
    <section class="page page-narrow">
      <h1>{floorWords().title}</h1>
      <p>{floorWords().notStaff}</p>
      {me.value ? (
        <LinkButton href="/">{t.shell.toTables}</LinkButton>
      ) : (
        <LinkButton href={address`/sign-in?to=${path}`} tone="main">
          {t.shell.signIn}
        </LinkButton>
      )}
    </section>
  );
}
