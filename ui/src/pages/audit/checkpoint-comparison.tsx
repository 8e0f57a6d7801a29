/** The checkpoints of an audit: files to choose, the verdict on each, and what they narrow down. */

import { api, unwrap } from "../../api/client";
import type { AuditReport } from "../../api/types";
import { useRequest } from "../../api/use-request";
import { labelled } from "../../i18n";
import { auditWords } from "../../i18n/words/audit";
import { count, moment } from "./formatting";

type Held = AuditReport["checkpoints"][number];
type Rewritten = NonNullable<AuditReport["findings"][number]["rewritten"]>;

/** Every checkpoint compared, and whether its signature is that of the key. */
export function ComparedCheckpoints({ report }: { report: AuditReport }) {
  const t = auditWords().verify;
  const { response } = useRequest(() => unwrap(api.GET("/api/v1/checkpoints/key")).catch(() => null), []);
  const own = response.state === "loaded" ? (response.data?.id ?? null) : null;
  if (report.checkpoints.length === 0) {
    return (
      <p class="soft">
        {labelled(t.checkpoint)}
        {t.noCheckpoint}
      </p>
    );
  }
  return (
    <div class="audit-held">
      <h3>{t.heldAgainst}</h3>
      <ul>
        {report.checkpoints.map(one => (
          <li key={`${one.at} ${one.signer}`}>
            <span>
              {moment(one.at)} {auditWords().utc} · {t.covers(one.entries)}
            </span>
            <Verdict held={one} report={report} />
          </li>
        ))}
      </ul>
      {report.key !== null && (
        <p class="soft">
          {t.checkedWith} <code>{report.key}</code>. {report.key === own && t.ownKey}
        </p>
      )}
    </div>
  );
}

function Verdict({ held, report }: { held: Held; report: AuditReport }) {
  const t = auditWords().verify;
  switch (held.signature) {
    case "right":
      return <span class="verdict-good">✓ {t.signatureRight}</span>;
    case "by another key":
      return <strong class="verdict-bad">✗ {t.anotherKey(held.signer, report.key ?? "")}</strong>;
    case "wrong":
      return <strong class="verdict-bad">✗ {t.signatureWrong(held.signer)}</strong>;
    default:
      return <span class="soft">{t.notChecked}</span>;
  }
}

/** The two checkpoints between which a record was changed. */
export function RewrittenRange({ rewritten }: { rewritten: Rewritten }) {
  const t = auditWords().verify;
  const at = (time: string): string => `${moment(time)} ${auditWords().utc}`;
  const { first, last, held, broken } = rewritten;
  return (
    <p>
      <strong>{first === last ? t.rewrittenOne(count(first)) : t.rewritten(count(first), count(last))}</strong>{" "}
      {held === null ? t.rewrittenAnywhere(at(broken)) : t.rewrittenBetween(at(held), at(broken))}
    </p>
  );
}
