/** One entry of a record: its sentence, who and when, the money it moved; its hashes and bytes on request. */

import type { JournalEntry } from "../../api/types";
import { actorName, roleName } from "../../i18n/names";
import { auditWords } from "../../i18n/words/audit";
import { personName } from "../../live/names";
import { address } from "../../shell/router";
import { Person } from "../../staff/person";
import { journalAddress } from "./entry-filters";
import { EntryText } from "./entry-text";
import { count, entryName, moment } from "./formatting";
import { Movements } from "./money";

interface EntryProps {
  table: string;
  entry: JournalEntry;
  money: string;
}

export function EntryItem({ table, entry, money }: EntryProps) {
  const t = auditWords().journal;
  const refused = entry.kind.startsWith("refus");
  return (
    <li class={`audit-entry ${refused ? "audit-entry-refused" : ""}`} data-sequence={entry.sequence}>
      <div class="audit-entry-side">
        <strong class="audit-number">{count(entry.sequence)}</strong>
        <time dateTime={entry.at} title={entry.at}>
          {moment(entry.at)}
        </time>
      </div>
      <div class="audit-entry-main">
        <p class="audit-entry-head">
          <span class="tag">{entryName(entry, table)}</span>
          <a href={journalAddress(table, { person: entry.actor })}>
            <Person name={entry.actor} />
          </a>
          {personName(entry.actor) !== entry.actor && actorName(entry.actor) === null && (
            <span class="soft">{entry.actor}</span>
          )}
          <span class="soft">{t.in(roleName(entry.role))}</span>
          {entry.round !== null && (
            <a class="audit-round" href={address`/audit/rounds/${table}/${entry.round}?entry=${entry.sequence}`}>
              {t.roundLink(entry.round)}
            </a>
          )}
        </p>
        <EntryText entry={entry} />
        {entry.transfers.length > 0 && <Movements transfers={entry.transfers} money={money} />}
        <Details table={table} entry={entry} />
      </div>
    </li>
  );
}

function Details({ table, entry }: { table: string; entry: JournalEntry }) {
  const t = auditWords().journal;
  return (
    <details class="audit-details">
      <summary>{t.details}</summary>
      <dl>
        <Hash name={t.hash} value={entry.hash} />
        <Hash name={t.before} value={entry.before} />
        <Hash name={t.book} value={entry.book} />
        {entry.key !== null && <Hash name={t.key} value={entry.key} />}
      </dl>
      <h3>{t.raw}</h3>
      <Raw value={entry.event} label={t.raw} />
      {entry.answer !== null && (
        <>
          <h3>{t.answer}</h3>
          <Raw value={entry.answer} label={t.answer} />
        </>
      )}
      <p>
        <a href={journalAddress(table, {}, { after: entry.sequence - 1 })}>{t.link}</a>
      </p>
    </details>
  );
}

function Hash({ name, value }: { name: string; value: string }) {
  if (value === "") return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{value}</code>
      </dd>
    </div>
  );
}

function Raw({ value, label }: { value: unknown; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <pre tabIndex={0} role="region" aria-label={label}>
      {JSON.stringify(value, null, 2)}
    </pre>
  );
}
