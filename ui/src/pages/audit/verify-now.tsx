/** Verifying the journal: progress, and the result with its findings. */

import { useState } from "preact/hooks";
import type { AuditReport, AuditState } from "../../api/types";
import { Because, capital } from "../../components/book-sentence";
import { Button, LinkButton } from "../../components/button";
import { ProblemNote } from "../../components/problem-note";
import { Section } from "../../components/section";
import { labelled, language, locale } from "../../i18n";
import { auditWords } from "../../i18n/words/audit";
import { personName, tableLabel } from "../../live/names";
import { address } from "../../shell/router";
import type { Auditing } from "./auditing";
import { HeldAgainst, KeptFiles, Narrowed } from "./checkpoint-comparison";
import { journalAddress, LIMIT } from "./entry-filters";
import { CHECKPOINT, count, moment, recordName } from "./formatting";

export function VerifyNow({ auditing }: { auditing: Auditing }) {
  const say = auditWords().verify;
  const [checkpoints, setCheckpoints] = useState<readonly string[]>([]);
  const [keys, setKeys] = useState<readonly string[]>([]);
  const { state, problem } = auditing;
  const running = state?.state === "running";
  return (
    <Section id="verify" title={say.title} lead={say.lead}>
      <div class="audit-verify">
        <KeptFiles
          id="held-against"
          label={say.against}
          hint={say.againstHint}
          accept=".checkpoint,.json,application/json"
          multiple
          disabled={running}
          onTexts={setCheckpoints}
        />
        <KeptFiles
          id="held-key"
          label={say.publicKey}
          hint={checkpoints.length === 0 && keys.length > 0 ? say.keyAlone : say.publicKeyHint}
          accept=".pub,.pem,application/x-pem-file"
          disabled={running}
          onTexts={setKeys}
        />
        {running ? (
          <Button tone="danger" onClick={auditing.cancel}>
            {say.cancel}
          </Button>
        ) : (
          <Button tone="main" disabled={state === null} onClick={() => auditing.start(checkpoints, keys[0] ?? null)}>
            {state?.report ? say.again : say.go}
          </Button>
        )}
      </div>
      {problem !== null && <ProblemNote problem={problem} />}
      <div aria-live="polite">{state !== null && <Standing state={state} />}</div>
    </Section>
  );
}

function Standing({ state }: { state: AuditState }) {
  const say = auditWords().verify;
  switch (state.state) {
    case "idle":
      return <p class="soft">{say.idle}</p>;
    case "running":
      return <Running state={state} />;
    case "cancelled":
      return <p class="note">{say.cancelled}</p>;
    case "failed":
      return (
        <p class="note note-bad">
          <Because says={say.failed} why={state.says ?? ""} />
        </p>
      );
    default:
      return state.report ? <Report state={state} report={state.report} /> : null;
  }
}

function Running({ state }: { state: AuditState }) {
  const say = auditWords().verify;
  const { events = 0, total = 0 } = state;
  if (total === 0) return <p class="note">{say.elsewhere}</p>;
  return (
    <div class="audit-progress">
      <progress max={total} value={Math.min(events, total)} aria-label={say.title} />
      <span>
        {say.running(count(events), count(total))}
        {state.table && <span class="soft"> · {say.where(recordName(state.table))}</span>}
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
  const say = auditWords().verify;
  // Only the signature of a checkpoint is wrong: the record itself is consistent.
  const ungenuine = report.findings.every(one => one.kind === CHECKPOINT);
  const seconds = new Intl.NumberFormat(locale.value, { maximumFractionDigits: 2 }).format(report.seconds);
  return (
    <div class={`audit-report ${report.good ? "audit-report-good" : "audit-report-bad"}`}>
      <p class="audit-verdict">
        <span aria-hidden="true">{report.good ? "✓" : "✗"}</span>{" "}
        {report.good ? say.good : ungenuine ? say.ungenuine : say.bad(report.finding_count)}
      </p>
      <p>{report.good ? say.goodMore(report.events) : ungenuine ? say.ungenuineMore : say.badMore}</p>
      <p class="soft">
        {say.by(personName(state.by ?? ""), `${moment(state.ended ?? "")} ${auditWords().utc}`)} ·{" "}
        {say.seconds(seconds)}
      </p>
      {!report.good && <Findings report={report} />}
      <dl class="audit-counts" aria-label={say.proved}>
        {COUNTS.filter(one => report[one] > 0).map(one => (
          <div key={one}>
            <dt>{say.counts[one]}</dt>
            <dd>{count(report[one])}</dd>
          </div>
        ))}
      </dl>
      {report.lost_seeds > 0 && <p>{say.lostSeeds(report.lost_seeds)}</p>}
      {report.void_count > 0 && (
        <p>
          {labelled(say.voids(report.void_count))}
          {report.voids.slice(0, 12).map((one, index) => (
            <span key={`${one.table} ${one.round}`}>
              {index > 0 && "; "}
              <a href={address`/audit/rounds/${one.table}/${one.round}`}>
                {say.voidLine(tableLabel(one.table), one.round)}
              </a>
            </span>
          ))}
          {report.void_count > 12 && "…"}
        </p>
      )}
      <HeldAgainst report={report} />
    </div>
  );
}

/** A journal is shown newest first: this many entries after the wrong one are above it. */
const AFTER = 3;

function Findings({ report }: { report: AuditReport }) {
  const say = auditWords().verify;
  return (
    <ul class="audit-findings">
      {report.findings.map((one, index) => (
        <li key={index}>
          <div>
            <strong>
              {one.kind === CHECKPOINT ? say.checkpoint : one.table === "" ? say.whole : recordName(one.table)}
              {one.sequence !== null && ` · ${say.entry(one.sequence)}`}
              {one.round != null && ` · ${auditWords().journal.roundLink(one.round)}`}
            </strong>
            {one.rewritten ? (
              <Narrowed rewritten={one.rewritten} />
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
                {say.show}
              </LinkButton>
              {one.round != null && (
                <LinkButton href={address`/audit/rounds/${one.table}/${one.round}?entry=${one.sequence}`}>
                  {say.showRound}
                </LinkButton>
              )}
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
