/** The navigation: pages of the house for everyone, and those of the back office for staff. */

import { type Words, words } from "../i18n";
import { useOfficeNews } from "./office-news";
import { address } from "./router";
import { oversees, terminal, workingRoles, worksHere } from "./session";

interface Way {
  href: string;
  name: (say: Words) => string;
  shown: () => boolean;
  /** Also current for these paths. */
  also?: readonly string[];
}

const always = (): boolean => true;
const staff = (): boolean => worksHere.value || oversees.value;
const overseers = (): boolean => oversees.value;

const TABLES: Way = { href: "/", name: say => say.shell.tables, shown: always, also: ["/tables"] };
const BOOKS: Way = { href: "/books", name: say => say.shell.books, shown: always };
const AUDIT: Way = { href: "/audit", name: say => say.shell.audit, shown: overseers };

const HOUSE_WAYS: readonly Way[] = [
  TABLES,
  BOOKS,
  { href: "/analysis", name: say => say.shell.analysis, shown: always },
  { href: "/simulation", name: say => say.shell.simulation, shown: overseers },
  { href: "/verify", name: say => say.shell.verify, shown: always },
  { href: "/floor", name: say => say.shell.floor, shown: staff },
  AUDIT,
];

const APPROVALS = "/floor/approvals";
const ALARMS = "/floor/alarms";
const OFFICE_WAYS: readonly Way[] = [
  { href: "/floor", name: say => say.shell.floor, shown: staff, also: ["/floor/tables", "/floor/open"] },
  { href: APPROVALS, name: say => say.shell.approvals, shown: staff },
  { href: "/floor/dice", name: say => say.shell.dice, shown: staff },
  { href: "/floor/people", name: say => say.shell.people, shown: overseers },
  { href: ALARMS, name: say => say.shell.alarms, shown: overseers },
  { href: "/floor/webhooks", name: say => say.shell.webhooks, shown: overseers },
  AUDIT,
  TABLES,
  BOOKS,
];

/** Whether these are pages of the back office. */
export function isBackOffice(path: string): boolean {
  return staff() && isBelow("/floor", path) !== isBelow("/audit", path);
}

function isBelow(href: string, path: string): boolean {
  return path === href || path.startsWith(`${href}/`);
}

function isHere(way: Way, path: string): boolean {
  const exact = way.href === "/" || way.href === "/floor";
  return (exact ? path === way.href : isBelow(way.href, path)) || (way.also ?? []).some(one => isBelow(one, path));
}

export function HouseWays({ path }: { path: string }) {
  return <Ways ways={HOUSE_WAYS.filter(way => way.shown())} path={path} />;
}

/** With the number of pending matters. */
export function OfficeWays({ path }: { path: string }) {
  const say = words().shell;
  const news = useOfficeNews();
  const counts = {
    [APPROVALS]: { count: news.yours, says: say.waiting(news.yours) },
    [ALARMS]: { count: news.alarms.length, says: say.alarmCount(news.alarms.length) },
  };
  return <Ways ways={OFFICE_WAYS.filter(way => way.shown())} path={path} counts={counts} />;
}

interface WaysProps {
  ways: readonly Way[];
  path: string;
  counts?: Readonly<Record<string, { count: number; says: string }>>;
}

function Ways({ ways, path, counts = {} }: WaysProps) {
  const say = words();
  const table = terminal.value;
  const desk = table !== null && workingRoles(table).length > 0 ? address`/tables/${table}/dealer` : null;
  return (
    <ul>
      {ways.map(way => {
        const waits = counts[way.href];
        return (
          <li key={way.href}>
            <a href={way.href} aria-current={isHere(way, path) && path !== desk ? "page" : undefined}>
              {way.name(say)}
              {waits !== undefined && waits.count > 0 && (
                <span class="count">
                  <span aria-hidden="true">{waits.count}</span>
                  <span class="unseen">{waits.says}</span>
                </span>
              )}
            </a>
          </li>
        );
      })}
      {desk !== null && (
        <li>
          <a href={desk} aria-current={path === desk ? "page" : undefined}>
            {say.shell.console}
          </a>
        </li>
      )}
    </ul>
  );
}
