/** The navigation: pages of the house for everyone, and those of the back office for staff. */

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

const TABLES: NavLink = { href: "/", name: t => t.shell.tables, isVisible: always, also: ["/tables"] };
const BOOKS: NavLink = { href: "/books", name: t => t.shell.books, isVisible: always };
const AUDIT: NavLink = { href: "/audit", name: t => t.shell.audit, isVisible: overseers };

const HOUSE_LINKS: readonly NavLink[] = [
  TABLES,
  BOOKS,
  { href: "/analysis", name: t => t.shell.analysis, isVisible: always },
  { href: "/simulation", name: t => t.shell.simulation, isVisible: overseers },
  { href: "/verify", name: t => t.shell.verify, isVisible: always },
  { href: "/floor", name: t => t.shell.floor, isVisible: staff },
  AUDIT,
];

const APPROVALS = "/floor/approvals";
const ALARMS = "/floor/alarms";
const OFFICE_LINKS: readonly NavLink[] = [
  { href: "/floor", name: t => t.shell.floor, isVisible: staff, also: ["/floor/tables", "/floor/open"] },
  { href: APPROVALS, name: t => t.shell.approvals, isVisible: staff },
  { href: "/floor/dice", name: t => t.shell.dice, isVisible: staff },
  { href: "/floor/people", name: t => t.shell.people, isVisible: overseers },
  { href: ALARMS, name: t => t.shell.alarms, isVisible: overseers },
  { href: "/floor/webhooks", name: t => t.shell.webhooks, isVisible: overseers },
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

function isCurrent(link: NavLink, path: string): boolean {
  const exact = link.href === "/" || link.href === "/floor";
  return (exact ? path === link.href : isBelow(link.href, path)) || (link.also ?? []).some(one => isBelow(one, path));
}

export function HouseNavigation({ path }: { path: string }) {
  return <NavLinks links={HOUSE_LINKS.filter(link => link.isVisible())} path={path} />;
}

/** With the number of pending matters. */
export function OfficeNavigation({ path }: { path: string }) {
  const t = words().shell;
  const news = useOfficeNews();
  const counts = {
    [APPROVALS]: { count: news.yours, says: t.waiting(news.yours) },
    [ALARMS]: { count: news.alarms.length, says: t.alarmCount(news.alarms.length) },
  };
  return <NavLinks links={OFFICE_LINKS.filter(link => link.isVisible())} path={path} counts={counts} />;
}

interface NavLinksProps {
  links: readonly NavLink[];
  path: string;
  counts?: Readonly<Record<string, { count: number; says: string }>>;
}

function NavLinks({ links, path, counts = {} }: NavLinksProps) {
  const t = words();
  const table = terminal.value;
  const desk = table !== null && workingRoles(table).length > 0 ? address`/tables/${table}/dealer` : null;
  return (
    <ul>
      {links.map(link => {
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
