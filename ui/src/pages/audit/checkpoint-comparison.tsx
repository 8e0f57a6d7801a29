/** The checkpoints of an audit: files to choose, the verdict on each, and what they narrow down. */

import { api, told } from "../../api/client";
import type { AuditReport } from "../../api/types";
import { useAsked } from "../../api/use-request";
import { labelled } from "../../i18n";
import { auditWords } from "../../i18n/words/audit";
import { count, moment } from "./formatting";

type Held = AuditReport["checkpoints"][number];
type Rewritten = NonNullable<AuditReport["findings"][number]["rewritten"]>;

interface FilesProps {
  id: string;
  label: string;
  hint: string;
  accept: string;
  multiple?: boolean;
  disabled?: boolean;
  onTexts: (texts: readonly string[]) => void;
}

/** Reads files that were kept elsewhere. */
export function KeptFiles({ id, label, hint, accept, multiple = false, disabled = false, onTexts }: FilesProps) {
  const read = async (files: FileList | null): Promise<void> => {
    onTexts(await Promise.all([...(files ?? [])].map(file => file.text())));
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept={accept}
        multiple={multiple}
        disabled={disabled}
        aria-describedby={`${id}-hint`}
        onChange={event => void read(event.currentTarget.files)}
      />
      <p id={`${id}-hint`} class="hint">
        {hint}
      </p>
    </div>
  );
}

/** Every checkpoint compared, and whether its signature is that of the key. */
export function HeldAgainst({ report }: { report: AuditReport }) {
  const say = auditWords().verify;
  const { asked } = useAsked(() => told(api.GET("/api/v1/checkpoints/key")).catch(() => null), []);
  const own = asked.state === "here" ? (asked.told?.id ?? null) : null;
  if (report.checkpoints.length === 0) {
    return (
      <p class="soft">
        {labelled(say.checkpoint)}
        {say.noCheckpoint}
      </p>
    );
  }
  return (
    <div class="audit-held">
      <h3>{say.heldAgainst}</h3>
      <ul>
        {report.checkpoints.map(one => (
          <li key={`${one.at} ${one.signer}`}>
            <span>
              {moment(one.at)} {auditWords().utc} · {say.covers(one.entries)}
            </span>
            <Verdict held={one} report={report} />
          </li>
        ))}
      </ul>
      {report.key !== null && (
        <p class="soft">
          {say.checkedWith} <code>{report.key}</code>. {report.key === own && say.ownKey}
        </p>
      )}
    </div>
  );
}

function Verdict({ held, report }: { held: Held; report: AuditReport }) {
  const say = auditWords().verify;
  switch (held.signature) {
    case "right":
      return <span class="verdict-good">✓ {say.signatureRight}</span>;
    case "by another key":
      return <strong class="verdict-bad">✗ {say.anotherKey(held.signer, report.key ?? "")}</strong>;
    case "wrong":
      return <strong class="verdict-bad">✗ {say.signatureWrong(held.signer)}</strong>;
    default:
      return <span class="soft">{say.notChecked}</span>;
  }
}

/** The two checkpoints between which a record was changed. */
export function Narrowed({ rewritten }: { rewritten: Rewritten }) {
  const say = auditWords().verify;
  const at = (time: string): string => `${moment(time)} ${auditWords().utc}`;
  const { first, last, held, broken } = rewritten;
  return (
    <p>
      <strong>{first === last ? say.rewrittenOne(count(first)) : say.rewritten(count(first), count(last))}</strong>{" "}
      {held === null ? say.rewrittenAnywhere(at(broken)) : say.rewrittenBetween(at(held), at(broken))}
    </p>
  );
}
