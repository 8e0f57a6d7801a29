/** Verifying the journal: progress, and the result with its findings. */

import { useState } from "preact/hooks";
import type { AuditReport, AuditState } from "../../api/types";
import { capital, TextWithReason } from "../../components/book-sentence";
import { Button, LinkButton } from "../../components/button";
import { FileField } from "../../components/file-field";
import { ProblemNote } from "../../components/problem-note";
import { Section } from "../../components/section";
import { labelled, language, locale } from "../../i18n";
import { auditWords } from "../../i18n/words/audit";
import { personName, tableLabel } from "../../live/names";
import { address } from "../../shell/router";
import type { Auditing } from "./auditing";
import { ComparedCheckpoints, RewrittenRange } from "./checkpoint-comparison";
import { journalAddress, LIMIT } from "./entry-filters";
import { CHECKPOINT, count, moment, recordName } from "./formatting";

export function VerifyNow({ auditing }: { auditing: Auditing }) {
  const t = auditWords().verify;
  const [checkpoints, setCheckpoints] = useState<readonly string[]>([]);
  const [keys, setKeys] = useState<readonly string[]>([]);
  const { state, problem } = auditing;
  const running = state?.state === "running";
  return (
    <Section id="verify" title={t.title} lead={t.lead}>
      <div class="audit-verify">
        <FileField
          label={t.against}
          hint={t.againstHint}
          accept=".checkpoint,.json,application/json"
          multiple
          disabled={running}
          onTexts={setCheckpoints}
        />
        <FileField
          label={t.publicKey}
          hint={checkpoints.length === 0 && keys.length > 0 ? t.keyAlone : t.publicKeyHint}
          accept=".pub,.pem,application/x-pem-file"
          disabled={running}
          onTexts={setKeys}
        />
        {running ? (
          <Button tone="danger" onClick={auditing.cancel}>
            {t.cancel}
          </Button>
        ) : (
          <Button tone="main" disabled={state === null} onClick={() => auditing.start(checkpoints, keys[0] ?? null)}>
            {state?.report ? t.again : t.go}
          </Button>
        )}
      </div>
      {problem !== null && <ProblemNote problem={problem} />}
      <div aria-live="polite">{state !== null && <Standing state={state} />}</div>
    </Section>
  );
}

function Standing({ state }: { state: AuditState }) {
  const t = auditWords().verify;
  switch (state.state) {
    case "idle":
      return <p class="soft">{t.idle}</p>;
    case "running":
      return <Running state={state} />;
    case "cancelled":
      return <p class="note">{t.cancelled}</p>;
    case "failed":
      return (
        <p class="note note-bad">
          <TextWithReason says={t.failed} why={state.says ?? ""} />
        </p>
      );
    default:
      return state.report ? <Report state={state} report={state.report} /> : null;
  }
}

function Running({ state }: { state: AuditState }) {
  const t = auditWords().verify;
  const { events = 0, total = 0 } = state;
  if (total === 0) return <p class="note">{t.elsewhere}</p>;
  return (
    <div class="audit-progress">
      <progress max={total} value={Math.min(events, total)} aria-label={t.title} />
      <span>
        {t.running(count(events), count(total))}
        {state.table && <span class="soft"> · {t.where(recordName(state.table))}</span>}
      </span>
    </div>
  );
}

const COUNTS = [
  "events",
  "refusals",
  "bets",
  "throws",
  "lines",
  "steps",
  "calls",
  "inspections",
  "second_persons",
  "draws",
  "transfers",
  "postings",
  "accounts",
  "people",
  "snapshots",
] as const;

function Report({ state, report }: { state: AuditState; report: AuditReport }) {
  const t = auditWords().verify;
  // Only the signature of a checkpoint is wrong: the record itself is consistent.
  const ungenuine = report.findings.every(one => one.kind === CHECKPOINT);
  const seconds = new Intl.NumberFormat(locale.value, { maximumFractionDigits: 2 }).format(report.seconds);
  return (
    <div class={`audit-report ${report.good ? "audit-report-good" : "audit-report-bad"}`}>
      <p class="audit-verdict">
        <span aria-hidden="true">{report.good ? "✓" : "✗"}</span>{" "}
        {report.good ? t.good : ungenuine ? t.ungenuine : t.bad(report.finding_count)}
      </p>
      <p>{report.good ? t.goodMore(report.events) : ungenuine ? t.ungenuineMore : t.badMore}</p>
      <p class="soft">
        {t.by(personName(state.by ?? ""), `${moment(state.ended ?? "")} ${auditWords().utc}`)} · {t.seconds(seconds)}
      </p>
      {!report.good && <Findings report={report} />}
      <dl class="audit-counts" aria-label={t.proved}>
        {COUNTS.filter(one => report[one] > 0).map(one => (
          <div key={one}>
            <dt>{t.counts[one]}</dt>
            <dd>{count(report[one])}</dd>
          </div>
        ))}
      </dl>
      {report.lost_seeds > 0 && <p>{t.lostSeeds(report.lost_seeds)}</p>}
      {report.void_count > 0 && (
        <p>
          {labelled(t.voids(report.void_count))}
          {report.voids.slice(0, 12).map((one, index) => (
            <span key={`${one.table} ${one.round}`}>
              {index > 0 && "; "}
              <a href={address`/audit/rounds/${one.table}/${one.round}`}>
                {t.voidLine(tableLabel(one.table), one.round)}
              </a>
            </span>
          ))}
          {report.void_count > 12 && "…"}
        </p>
      )}
      <ComparedCheckpoints report={report} />
    </div>
  );
}

/** A journal is shown newest first: this many entries after the wrong one are above it. */
const AFTER = 3;

function Findings({ report }: { report: AuditReport }) {
  const t = auditWords().verify;
  return (
    <ul class="audit-findings">
      {report.findings.map((one, index) => (
        <li key={index}>
          <div>
            <strong>
              {one.kind === CHECKPOINT ? t.checkpoint : one.table === "" ? t.whole : recordName(one.table)}
              {one.sequence !== null && ` · ${t.entry(one.sequence)}`}
              {one.round != null && ` · ${auditWords().journal.roundLink(one.round)}`}
            </strong>
            {one.rewritten ? (
              <RewrittenRange rewritten={one.rewritten} />
            ) : (
              <p>
                {one.message?.text}
                {language.value === "en" && " "}
                {capital(one.detail.text)}
              </p>
            )}
          </div>
          {one.table !== "" && one.sequence !== null && (
            <div class="buttons">
              <LinkButton href={journalAddress(one.table, {}, { after: Math.max(0, one.sequence - LIMIT + AFTER) })}>
                {t.show}
              </LinkButton>
              {one.round != null && (
                <LinkButton href={address`/audit/rounds/${one.table}/${one.round}?entry=${one.sequence}`}>
                  {t.showRound}
                </LinkButton>
              )}
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
