/** The navigation: pages of the back office for staff, then those of the house for everyone. */

import { type Words, words } from "../i18n";
import { useOfficeNews } from "./office-news";
import { address } from "./router";
import { oversees, terminal, workingRoles, worksHere } from "./session";

interface NavLink {
  href: string;
  name: (say: Words) => string;
  isVisible: () => boolean;
  /** Also current for these paths. */
  also?: readonly string[];
}

const always = (): boolean => true;
const staff = (): boolean => worksHere.value || oversees.value;
const overseers = (): boolean => oversees.value;

const APPROVALS = "/floor/approvals";
const ALARMS = "/floor/alarms";

/** One order on every page; people see what they may open. */
const LINKS: readonly NavLink[] = [
  { href: "/floor", name: t => t.shell.floor, isVisible: staff, also: ["/floor/tables", "/floor/open"] },
  { href: APPROVALS, name: t => t.shell.approvals, isVisible: staff },
  { href: "/floor/dice", name: t => t.shell.dice, isVisible: staff },
  { href: "/floor/people", name: t => t.shell.people, isVisible: overseers },
  { href: ALARMS, name: t => t.shell.alarms, isVisible: overseers },
  { href: "/floor/webhooks", name: t => t.shell.webhooks, isVisible: overseers },
  { href: "/audit", name: t => t.shell.audit, isVisible: overseers },
  { href: "/", name: t => t.shell.tables, isVisible: always, also: ["/tables"] },
  { href: "/books", name: t => t.shell.books, isVisible: always },
  { href: "/analysis", name: t => t.shell.analysis, isVisible: always },
  { href: "/simulation", name: t => t.shell.simulation, isVisible: overseers },
  { href: "/verify", name: t => t.shell.verify, isVisible: always },
];

/** Whether these are pages of the back office. */
function isBackOffice(path: string): boolean {
  return staff() && isBelow("/floor", path) !== isBelow("/audit", path);
}

function isBelow(href: string, path: string): boolean {
  return path === href || path.startsWith(`${href}/`);
}

function isCurrent(link: NavLink, path: string): boolean {
  const exact = link.href === "/" || link.href === "/floor";
  return (exact ? path === link.href : isBelow(link.href, path)) || (link.also ?? []).some(one => isBelow(one, path));
}

/** Pages of the back office also show how many matters are pending. */
export function Navigation({ path }: { path: string }) {
  return isBackOffice(path) ? <CountedLinks path={path} /> : <NavLinks path={path} />;
}

function CountedLinks({ path }: { path: string }) {
  const t = words().shell;
  const news = useOfficeNews();
  const counts = {
    [APPROVALS]: { count: news.yours, says: t.waiting(news.yours) },
    [ALARMS]: { count: news.alarms.length, says: t.alarmCount(news.alarms.length) },
  };
  return <NavLinks path={path} counts={counts} />;
}

interface NavLinksProps {
  path: string;
  counts?: Readonly<Record<string, { count: number; says: string }>>;
}

function NavLinks({ path, counts = {} }: NavLinksProps) {
  const t = words();
  const table = terminal.value;
  const desk = table !== null && workingRoles(table).length > 0 ? address`/tables/${table}/dealer` : null;
  return (
    <ul>
      {LINKS.filter(link => link.isVisible()).map(link => {
        const waits = counts[link.href];
        return (
          <li key={link.href}>
            <a href={link.href} aria-current={isCurrent(link, path) && path !== desk ? "page" : undefined}>
              {link.name(t)}
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
            {t.shell.console}
          </a>
        </li>
      )}
    </ul>
  );
}
