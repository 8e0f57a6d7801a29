/** The floor: tables opened, looked after and closed; approvals, people and alarms stand beside them. */

import { LinkButton } from "../components/button";
import { Waiting } from "../components/problem-note";
import { words } from "../i18n";
import { floorWords } from "../i18n/words/floor";
import { address, type PageProps } from "../shell/router";
import { me, oversees, worksHere } from "../shell/session";
import { DiceRegister } from "./floor/dice-register";
import { FloorWays, type News, useNews } from "./floor/navigation";
import { OpenTable } from "./floor/open";
import { Overview } from "./floor/overview";
import { TableDesk } from "./floor/table";
import NotFound from "./not-found";
import { Alarms } from "./office/alarms";
import { Approvals } from "./office/approvals";
import { People } from "./office/people";

export default function FloorPage({ parameters, place }: PageProps) {
  const rest = parameters.rest ?? "";
  if (me.value === undefined) return <Waiting />;
  if (me.value === null || !(worksHere.value || oversees.value)) return <NotStaff path={place.path} />;
  return <Part rest={rest} query={place.query} />;
}

function Part({ rest, query }: { rest: string; query: URLSearchParams }) {
  const news = useNews();
  const [part = "", ...more] = rest.split("/");
  const found = partOf(part, more, query, news);
  if (found === null) return <NotFound />;
  return (
    <section class="page floor">
      <FloorWays part={part} news={news} />
      {found}
    </section>
  );
}

function partOf(part: string, more: readonly string[], query: URLSearchParams, news: News) {
  const below = more.join("/");
  switch (part) {
    case "":
      return <Overview alarms={news.alarms} />;
    case "open":
      return <OpenTable again={query.get("table")} />;
    case "tables":
      return more[0] === undefined ? null : <TableDesk key={more[0]} table={more[0]} tab={more[1] ?? "now"} />;
    case "dice":
      return more.length === 0 ? <DiceRegister /> : null;
    case "approvals":
      return <Approvals rest={below} />;
    case "people":
      return <People rest={below} />;
    case "alarms":
      return <Alarms rest={below} />;
    default:
      return null;
  }
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
