/** Self-exclusion: explained plainly, confirmed twice, and then nobody can undo it. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import type { HeldLimits } from "../../api/types";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Choice, Tick } from "../../components/field";
import { useSubmission } from "../../components/form-submission";
import { PasswordField } from "../../components/password-field";
import { ProblemNote } from "../../components/problem-note";
import { timestampText } from "../../components/timestamps";
import { words } from "../../i18n";
import { accountWords } from "../../i18n/words/account";
import { setLimits } from "../../shell/session";
import { Card } from "./parts";

const LENGTHS = ["day", "week", "month", "half-year", "year", "five-years", "for-ever"] as const;
/** A longer exclusion needs the password; in milliseconds. */
const YEAR = 366 * 24 * 3_600_000;
type Length = (typeof LENGTHS)[number];

/** The end of an exclusion that begins now; null if permanent. */
function end(length: Length): string | null {
  const until = new Date();
  if (length === "day") until.setDate(until.getDate() + 1);
  if (length === "week") until.setDate(until.getDate() + 7);
  if (length === "month") until.setMonth(until.getMonth() + 1);
  if (length === "half-year") until.setMonth(until.getMonth() + 6);
  if (length === "year") until.setFullYear(until.getFullYear() + 1);
  if (length === "five-years") until.setFullYear(until.getFullYear() + 5);
  return length === "for-ever" ? null : until.toISOString();
}

function endText(until: string | null): string {
  const t = accountWords();
  return until === null ? words().time.forEver : t.until(timestampText(until));
}

export function Exclusion({ limits }: { limits: HeldLimits }) {
  const t = accountWords();
  const [length, setLength] = useState<Length>("month");
  const [confirming, setConfirming] = useState<{ until: string | null } | null>(null);
  return (
    <Card title={t.exclusion} lead={t.exclusionLead}>
      {limits.excluded && limits.excluded_until !== null && (
        <p class="note note-bad">
          <strong>{t.excluded(endText(limits.excluded_until))}</strong>
        </p>
      )}
      <Choice
        label={t.howLong}
        value={length}
        options={LENGTHS.map(one => ({ value: one, name: t.lengths[one] }))}
        onValue={setLength}
      />
      <p>
        <Button tone="danger" onClick={() => setConfirming({ until: end(length) })}>
          {t.excludeAsk}
        </Button>
      </p>
      <Dialog open={confirming !== null} title={t.exclusion} onClose={() => setConfirming(null)}>
        {confirming !== null && <Confirming until={confirming.until} onDone={() => setConfirming(null)} />}
      </Dialog>
    </Card>
  );
}

function Confirming({ until, onDone }: { until: string | null; onDone: () => void }) {
  const t = accountWords();
  const submission = useSubmission();
  const [understood, setUnderstood] = useState(false);
  const [sure, setSure] = useState(false);
  const [password, setPassword] = useState("");
  const long = until === null || Date.parse(until) - Date.now() > YEAR;
  const body = long ? { until, password } : { until };
  const exclude = async (): Promise<void> => setLimits(await unwrap(api.POST("/api/v1/me/exclusion", { body })));
  if (!sure) {
    return (
      <>
        <ul class="own-consequences">
          {[t.consequencesFrom(endText(until)), ...t.consequences].map(one => (
            <li key={one}>{one}</li>
          ))}
        </ul>
        <Tick label={<strong>{t.understood}</strong>} on={understood} onChange={setUnderstood} />
        <div class="buttons">
          <Button tone="danger" disabled={!understood} onClick={() => setSure(true)}>
            {t.goOn}
          </Button>
          <Button onClick={onDone}>{words().dialog.cancel}</Button>
        </div>
      </>
    );
  }
  return (
    <>
      <p>
        <strong>{t.lastWord(endText(until))}</strong>
      </p>
      {long && <PasswordField label={t.oldPassword} value={password} onValue={setPassword} />}
      {submission.problem && <ProblemNote problem={submission.problem} />}
      <div class="buttons">
        <Button
          tone="danger"
          busy={submission.busy}
          disabled={long && password === ""}
          onClick={() => void submission.submit(exclude, t.excluded(endText(until))).then(done => done && onDone())}
        >
          {t.exclude}
        </Button>
        <Button onClick={onDone}>{t.notNow}</Button>
      </div>
    </>
  );
}
