/** Setting up a second factor: an authenticator app by QR code, or a passkey; then the recovery codes, shown once. */

import { useState } from "preact/hooks";
import { api, setCsrfToken, unwrap } from "../api/client";
import type { components } from "../api/schema";
import type { Me } from "../api/types";
import { Button } from "../components/button";
import { copied } from "../components/clipboard";
import { Field } from "../components/field";
import { Form } from "../components/form";
import { type Submission, useSubmission } from "../components/form-submission";
import { factorsWords } from "../i18n/words/factors";
import { createPasskey, passkeysSupported } from "./passkeys";
import { PasskeyProblem } from "./second-factor";

type Totp = components["schemas"]["TotpEnrolment"];
type Enrolled = components["schemas"]["Enrolled"];

interface EnrolProps {
  onDone: (who: Me) => void;
}

export function EnrolFactor({ onDone }: EnrolProps) {
  const t = factorsWords().enrol;
  const submission = useSubmission();
  const [totp, setTotp] = useState<Totp | null>(null);
  const [naming, setNaming] = useState(false);
  const [made, setMade] = useState<Enrolled | null>(null);
  const finish = (enrolled: Enrolled): void => {
    setCsrfToken(enrolled.me.csrf ?? null); // the session already has a new cookie
    if (enrolled.recovery_codes.length > 0) setMade(enrolled);
    else onDone(enrolled.me);
  };
  if (made !== null) return <RecoveryCodes codes={made.recovery_codes} onDone={() => onDone(made.me)} />;
  if (totp !== null) return <App totp={totp} sending={submission} onMade={finish} onBack={() => setTotp(null)} />;
  if (naming) return <Passkey sending={submission} onMade={finish} onBack={() => setNaming(false)} />;
  const begin = async (): Promise<void> => setTotp(await unwrap(api.POST("/api/v1/me/factors/totp")));
  return (
    <div class="act-form">
      {submission.problem && <PasskeyProblem problem={submission.problem} />}
      <Button tone="main" busy={submission.busy} onClick={() => void submission.submit(begin)}>
        {t.app}
      </Button>
      {passkeysSupported() && <Button onClick={() => setNaming(true)}>{t.passkey}</Button>}
    </div>
  );
}

interface StepProps {
  sending: Submission;
  onMade: (enrolled: Enrolled) => void;
  onBack: () => void;
}

function App({ totp, sending: submission, onMade, onBack }: StepProps & { totp: Totp }) {
  const t = factorsWords().enrol;
  const [code, setCode] = useState("");
  const [name, setName] = useState(t.namePhone);
  const confirm = async (): Promise<void> => {
    onMade(await unwrap(api.POST("/api/v1/me/factors/totp/confirmation", { body: { code, name: name.trim() } })));
  };
  return (
    <Form onSend={() => void submission.submit(confirm)}>
      <p>{t.scan}</p>
      <svg class="qr" role="img" aria-label={t.qr} viewBox={`0 0 ${totp.qr.size} ${totp.qr.size}`}>
        <rect class="qr-light" width="100%" height="100%" />
        <path class="qr-dark" d={totp.qr.path} />
      </svg>
      <details>
        <summary>{t.secret}</summary>
        <code class="totp-secret">{totp.secret.replace(/(.{4})(?=.)/g, "$1 ")}</code>
      </details>
      <Field
        label={factorsWords().confirm.code}
        value={code}
        onValue={setCode}
        required
        autocomplete="one-time-code"
        inputMode="numeric"
        maxLength={20}
      />
      <Field label={t.name} value={name} onValue={setName} required maxLength={60} />
      {submission.problem && <PasskeyProblem problem={submission.problem} />}
      <div class="buttons">
        <Button type="submit" tone="main" busy={submission.busy}>
          {t.go}
        </Button>
        <Button onClick={onBack}>{t.back}</Button>
      </div>
    </Form>
  );
}

function Passkey({ sending: submission, onMade, onBack }: StepProps) {
  const t = factorsWords().enrol;
  const [name, setName] = useState(t.nameKey);
  const create = async (): Promise<void> => {
    const { options } = await unwrap(api.POST("/api/v1/me/factors/passkey"));
    const credential = await createPasskey(options ?? {});
    const body = { credential, name: name.trim() };
    onMade(await unwrap(api.POST("/api/v1/me/factors/passkey/confirmation", { body })));
  };
  return (
    <Form onSend={() => void submission.submit(create)}>
      <Field label={t.name} value={name} onValue={setName} required maxLength={60} />
      {submission.problem && <PasskeyProblem problem={submission.problem} />}
      <div class="buttons">
        <Button type="submit" tone="main" busy={submission.busy}>
          {t.go}
        </Button>
        <Button onClick={onBack}>{t.back}</Button>
      </div>
    </Form>
  );
}

export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const t = factorsWords().codes;
  const [done, setDone] = useState(false);
  return (
    <div class="act-form">
      <h2>{t.title}</h2>
      <p>{t.lead}</p>
      <ul class="recovery-codes">
        {codes.map(code => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="buttons">
        <Button onClick={() => void copied(codes.join("\n")).then(setDone)}>{done ? t.copied : t.copy}</Button>
        <Button tone="main" onClick={onDone}>
          {t.saved}
        </Button>
      </div>
    </div>
  );
}
