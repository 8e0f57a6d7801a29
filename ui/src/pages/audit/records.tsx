/** Every record of the journal, with its length, its head and its verification. */

import type { AuditState, JournalHeads } from "../../api/types";
import { TextWithReason } from "../../components/book-sentence";
import { bracketed } from "../../i18n";
import { auditWords } from "../../i18n/words/audit";
import { byTable } from "../../live/names";
import { address } from "../../shell/router";
import { CHECKPOINT, count, HOUSE, moment, recordName, shortHash } from "./formatting";

interface RecordsProps {
  heads: JournalHeads;
  /** The games of the tables, by name. */
  titles: ReadonlyMap<string, string>;
  audit: AuditState | null;
}

export function Records({ heads, titles, audit }: RecordsProps) {
  const t = auditWords();
  const records = [...heads.records].sort(
    (a, b) => Number(b.table === HOUSE) - Number(a.table === HOUSE) || byTable(a.table, b.table),
  );
  return (
    <>
      {heads.trouble !== null && (
        <p class="note note-bad" role="alert">
          <TextWithReason says={t.trouble} why={heads.trouble} />
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div class="audit-scroll" tabIndex={0} role="region" aria-label={t.records}>
        <table class="audit-table stacks">
          <thead>
            <tr>
              <th scope="col">{t.record}</th>
              <th scope="col" class="figure">
                {t.entries}
              </th>
              <th scope="col">{t.state}</th>
              <th scope="col">{t.signedUpTo}</th>
              <th scope="col">{t.lastWritten + bracketed(t.utc)}</th>
              <th scope="col">{t.lastHash}</th>
            </tr>
          </thead>
          <tbody>
            {records.map(one => (
              <tr key={one.table}>
                <th scope="row">
                  <a href={address`/audit/journal/${one.table}`}>{titles.get(one.table) ?? recordName(one.table)}</a>
                </th>
                <td class="figure" data-name={t.entries}>
                  {count(one.entries)}
                </td>
                <td data-name={t.state}>
                  <Proved table={one.table} audit={audit} />
                </td>
                <td data-name={t.signedUpTo}>
                  <Signed entries={one.entries} signed={heads.signed?.entries[one.table]} />
                </td>
                <td class="audit-time" data-name={t.lastWritten + bracketed(t.utc)}>
                  {moment(one.at)}
                </td>
                <td data-name={t.lastHash}>
                  <code title={one.hash}>{shortHash(one.hash)}</code>
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{auditWords().money.sum}</th>
              <td class="figure">{count(heads.entries)}</td>
              <td colSpan={4} />
            </tr>
          </tfoot>
        </table>
      </div>
    </>
  );
}

/** The result of the last audit for a record. */
function Proved({ table, audit }: { table: string; audit: AuditState | null }) {
  const t = auditWords();
  const report = audit?.report;
  if (!report) return <span class="soft">{t.unproved}</span>;
  const finding = report.findings.find(one => (one.table === table || one.table === "") && one.kind !== CHECKPOINT);
  if (finding === undefined) return <span class="verdict-good">✓ {t.proved}</span>;
  const where = finding.table !== "" && finding.sequence !== null ? t.wrongAt(finding.sequence) : t.wrong;
  return <strong class="verdict-bad">✗ {where}</strong>;
}

function Signed({ entries, signed }: { entries: number; signed: number | undefined }) {
  const t = auditWords();
  if (signed === undefined) return <span class="soft">{t.notSigned}</span>;
  return <>{signed >= entries ? t.sealed : `${count(signed)} · ${t.newer(entries - signed)}`}</>;
}
