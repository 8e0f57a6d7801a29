/** A record to read, newest first: filtered by the URL, paged in both directions, followed live. */

import { useEffect, useRef, useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import type { JournalEntry, JournalPage } from "../../api/types";
import { useRequest } from "../../api/use-request";
import { Button, LinkButton } from "../../components/button";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { language } from "../../i18n";
import { auditWords } from "../../i18n/words/audit";
import { notedTables, tableName } from "../../live/names";
import { HOUSE_STREAM, useRecordNotifications } from "../../live/record-notifications";
import { address, go, type Place } from "../../shell/router";
import { EntryItem } from "./entry";
import {
  type Cursor,
  cursorOf,
  type Filters,
  filtersOf,
  isFiltered,
  journalAddress,
  newestFirst,
  readPage,
  readPart,
} from "./entry-filters";
import { FilterForm } from "./filters";
import { count, HOUSE, recordName } from "./formatting";

export function Journal({ table, place }: { table: string; place: Place }) {
  const t = auditWords().journal;
  const filters = filtersOf(place.query);
  const cursor = cursorOf(place.query);
  const about = JSON.stringify([filters, cursor]);
  const tables = useRequest(() => unwrap(api.GET("/api/v1/tables")).then(notedTables), []);
  const { response, reload: more } = useRequest(() => readPage(table, filters, cursor), [table, about, language.value]);
  const summary = tables.response.state === "loaded" ? tables.response.data.find(one => one.id === table) : undefined;
  // The URL changes before the response arrives: what is shown belongs to the response.
  return (
    <section class="page audit journal">
      <header class="page-head">
        <div>
          <p class="card-kind">
            <a href="/audit">{t.back}</a>
          </p>
          <h1>{table === HOUSE ? t.house : t.title(summary ? tableName(table, summary) : recordName(table))}</h1>
        </div>
      </header>
      <FilterForm key={JSON.stringify(filters)} table={table} filters={filters} />
      {response.state === "loading" && <Waiting />}
      {response.state === "failed" && <ProblemNote problem={response.problem} retry={more} />}
      {response.state === "loaded" && (
        <Stream
          table={table}
          page={response.data}
          filters={filters}
          cursor={cursor}
          live={place.query.get("live") === "1"}
          money={summary?.money ?? "XXX"}
        />
      )}
    </section>
  );
}

interface StreamProps {
  table: string;
  page: JournalPage;
  filters: Filters;
  cursor: Cursor;
  live: boolean;
  money: string;
}

function Stream({ table, page, filters, cursor, live, money }: StreamProps) {
  const t = auditWords().journal;
  const atEnd = page.next === null && cursor.after === undefined && cursor.before === undefined;
  const { fresh, head } = useTail(table, filters, page, live && atEnd);
  const entries = [...fresh, ...newestFirst(page.entries)];
  const filtered = isFiltered(filters);
  return (
    <>
      <div class="audit-bar">
        <p class="soft" aria-live="polite">
          {entries.length > 0 && counted(entries, head, filtered)}
        </p>
        {atEnd && filters.to === "" && (
          <label class="audit-live">
            <input
              type="checkbox"
              checked={live}
              onChange={event => go(journalAddress(table, filters, {}, event.currentTarget.checked), { replace: true })}
            />
            {t.live}
            {live && <span class="soft">· {t.following}</span>}
          </label>
        )}
      </div>
      <Pager table={table} page={page} filters={filters} newest={!atEnd} />
      {page.broken !== null && (
        <div class="note note-bad" role="alert">
          <strong>{t.broken}</strong>
          <p class="exact" lang="en">
            {page.broken}
          </p>
        </div>
      )}
      {entries.length === 0 ? (
        <Nothing table={table} page={page} filters={filters} />
      ) : (
        <ol class="audit-entries" reversed>
          {entries.map(entry => (
            <EntryItem key={entry.sequence} table={table} entry={entry} money={money} />
          ))}
        </ol>
      )}
      {entries.length > 8 && <Pager table={table} page={page} filters={filters} newest={!atEnd} />}
    </>
  );
}

function counted(entries: readonly JournalEntry[], head: number, filtered: boolean): string {
  const t = auditWords().journal;
  if (filtered) return t.found(count(entries.length), count(head));
  return t.span(count(entries.at(-1)?.sequence ?? 0), count(entries[0]?.sequence ?? 0), count(head));
}

/** The polling interval without events from the live stream, in milliseconds. */
const POLL_INTERVAL = 10_000;
/** The interval if more was written during the last request. */
const PART_DELAY = 100;
const ENTRIES_MAX = 300;

/** Entries written since the page was loaded, newest first; requested as soon as the live stream announces them. */
function useTail(table: string, filters: Filters, page: JournalPage, live: boolean) {
  const [tail, setTail] = useState<{ page: JournalPage; fresh: JournalEntry[]; head: number }>({
    page,
    fresh: [],
    head: page.head,
  });
  const now = tail.page === page ? tail : { page, fresh: [], head: page.head };
  const latest = useRef(now);
  latest.current = now;
  const rung = useRef<() => void>(() => undefined);
  const path = table === HOUSE ? HOUSE_STREAM : address`/api/v1/tables/${table}/stream`;
  useRecordNotifications(live ? path : null, () => rung.current());
  useEffect(() => {
    if (!live) return;
    let wanted = true;
    let looking = false;
    let more = false;
    let timer: ReturnType<typeof setTimeout>;
    const look = async (): Promise<void> => {
      clearTimeout(timer);
      more = looking;
      if (looking) return;
      looking = true;
      const known = latest.current;
      try {
        const found = await readPart(table, filters, { after: known.head });
        if (!wanted) return;
        setTail({
          page,
          fresh: [...newestFirst(found.entries), ...known.fresh].slice(0, ENTRIES_MAX),
          head: found.next ?? found.head,
        });
      } catch {
        // The next request may succeed; what is shown stays.
      }
      looking = false;
      if (wanted) timer = setTimeout(() => void look(), more ? PART_DELAY : POLL_INTERVAL);
    };
    rung.current = () => void look();
    void look();
    return () => {
      wanted = false;
      rung.current = () => undefined;
      clearTimeout(timer);
    };
  }, [table, page, live]);
  return now;
}

function Pager(props: { table: string; page: JournalPage; filters: Filters; newest: boolean }) {
  const { table, page, filters, newest } = props;
  const t = auditWords().journal;
  const to = (cursor: Cursor): string => journalAddress(table, filters, cursor);
  return (
    <nav class="audit-acts audit-pager" aria-label={t.earlier}>
      {newest && filters.round === "" && <LinkButton href={to({})}>{t.newest}</LinkButton>}
      {page.next !== null && <LinkButton href={to({ after: page.next })}>{t.later}</LinkButton>}
      {page.previous !== null && <LinkButton href={to({ before: page.previous })}>{t.earlier}</LinkButton>}
      {page.previous !== null && <LinkButton href={to({ after: 0 })}>{t.oldest}</LinkButton>}
    </nav>
  );
}

/** No matches: in the whole record, or in the part that was searched. */
function Nothing({ table, page, filters }: { table: string; page: JournalPage; filters: Filters }) {
  const t = auditWords().journal;
  const on = page.previous !== null ? { before: page.previous } : page.next !== null ? { after: page.next } : null;
  if (page.broken !== null) return null;
  if (!isFiltered(filters)) return <p class="note">{t.nothing}</p>;
  return (
    <div class="note">
      <strong>{on === null ? t.none : t.goOn}</strong>
      {on === null ? (
        <p>{t.noneMore}</p>
      ) : (
        <Button onClick={() => go(journalAddress(table, filters, on))}>{t.search}</Button>
      )}
    </div>
  );
}
