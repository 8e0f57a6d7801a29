/** One entry of a record: its sentence, who and when, the money it moved; its hashes and bytes on request. */

import type { JournalEntry } from "../../api/types";
import { actorName, roleName } from "../../i18n/names";
import { auditWords } from "../../i18n/words/audit";
import { personName } from "../../live/names";
import { address } from "../../shell/router";
import { Person } from "../../staff/person";
import { journalAddress } from "./entry-filters";
import { Says } from "./entry-text";
import { count, kindName, moment } from "./formatting";
import { Movements } from "./money";

interface EntryProps {
  table: string;
  entry: JournalEntry;
  money: string;
}

export function EntryItem({ table, entry, money }: EntryProps) {
  const say = auditWords().journal;
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
          <span class="tag">{kindName(entry.kind, table)}</span>
          <a href={journalAddress(table, { person: entry.actor })}>
            <Person name={entry.actor} />
          </a>
          {personName(entry.actor) !== entry.actor && actorName(entry.actor) === null && (
            <span class="soft">{entry.actor}</span>
          )}
          <span class="soft">{say.in(roleName(entry.role))}</span>
          {entry.round !== null && (
            <a class="audit-round" href={address`/audit/rounds/${table}/${entry.round}?entry=${entry.sequence}`}>
              {say.roundLink(entry.round)}
            </a>
          )}
        </p>
        <Says entry={entry} />
        {entry.transfers.length > 0 && <Movements transfers={entry.transfers} money={money} />}
        <Details table={table} entry={entry} />
      </div>
    </li>
  );
}

function Details({ table, entry }: { table: string; entry: JournalEntry }) {
  const say = auditWords().journal;
  return (
    <details class="audit-details">
      <summary>{say.details}</summary>
      <dl>
        <Hash name={say.hash} value={entry.hash} />
        <Hash name={say.before} value={entry.before} />
        <Hash name={say.book} value={entry.book} />
        {entry.key !== null && <Hash name={say.key} value={entry.key} />}
      </dl>
      <h3>{say.raw}</h3>
      <Raw value={entry.event} label={say.raw} />
      {entry.answer !== null && (
        <>
          <h3>{say.answer}</h3>
          <Raw value={entry.answer} label={say.answer} />
        </>
      )}
      <p>
        <a href={journalAddress(table, {}, { after: entry.sequence - 1 })}>{say.link}</a>
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
