/** Setting up a second factor: an authenticator app by QR code, or a passkey; then the recovery codes, shown once. */

import { useState } from "preact/hooks";
import { api, carry, told } from "../api/client";
import type { components } from "../api/schema";
import type { Me } from "../api/types";
import { Button } from "../components/button";
import { copied } from "../components/clipboard";
import { Field } from "../components/field";
import { Form } from "../components/form";
import { type Sending, useSending } from "../components/form-submission";
import { factorsWords } from "../i18n/words/factors";
import { createPasskey, passkeysThere } from "./passkeys";
import { PasskeyProblem } from "./second-factor";

type Totp = components["schemas"]["TotpEnrolment"];
type Enrolled = components["schemas"]["Enrolled"];

interface EnrolProps {
  onDone: (who: Me) => void;
}

export function EnrolFactor({ onDone }: EnrolProps) {
  const say = factorsWords().enrol;
  const sending = useSending();
  const [totp, setTotp] = useState<Totp | null>(null);
  const [naming, setNaming] = useState(false);
  const [made, setMade] = useState<Enrolled | null>(null);
  const finish = (enrolled: Enrolled): void => {
    carry(enrolled.me.csrf ?? null); // the session already has a new cookie
    if (enrolled.recovery_codes.length > 0) setMade(enrolled);
    else onDone(enrolled.me);
  };
  if (made !== null) return <RecoveryCodes codes={made.recovery_codes} onDone={() => onDone(made.me)} />;
  if (totp !== null) return <App totp={totp} sending={sending} onMade={finish} onBack={() => setTotp(null)} />;
  if (naming) return <Passkey sending={sending} onMade={finish} onBack={() => setNaming(false)} />;
  const begin = async (): Promise<void> => setTotp(await told(api.POST("/api/v1/me/factors/totp")));
  return (
    <div class="act-form">
      {sending.problem && <PasskeyProblem problem={sending.problem} />}
      <Button tone="main" busy={sending.busy} onClick={() => void sending.send(begin)}>
        {say.app}
      </Button>
      {passkeysThere() && <Button onClick={() => setNaming(true)}>{say.passkey}</Button>}
    </div>
  );
}

interface StepProps {
  sending: Sending;
  onMade: (enrolled: Enrolled) => void;
  onBack: () => void;
}

function App({ totp, sending, onMade, onBack }: StepProps & { totp: Totp }) {
  const say = factorsWords().enrol;
  const [code, setCode] = useState("");
  const [name, setName] = useState(say.namePhone);
  const confirm = async (): Promise<void> => {
    onMade(await told(api.POST("/api/v1/me/factors/totp/confirmation", { body: { code, name: name.trim() } })));
  };
  return (
    <Form onSend={() => void sending.send(confirm)}>
      <p>{say.scan}</p>
      <svg class="qr" role="img" aria-label={say.qr} viewBox={`0 0 ${totp.qr.size} ${totp.qr.size}`}>
        <rect class="qr-light" width="100%" height="100%" />
        <path class="qr-dark" d={totp.qr.path} />
      </svg>
      <details>
        <summary>{say.secret}</summary>
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
      <Field label={say.name} value={name} onValue={setName} required maxLength={60} />
      {sending.problem && <PasskeyProblem problem={sending.problem} />}
      <div class="buttons">
        <Button type="submit" tone="main" busy={sending.busy}>
          {say.go}
        </Button>
        <Button onClick={onBack}>{say.back}</Button>
      </div>
    </Form>
  );
}

function Passkey({ sending, onMade, onBack }: StepProps) {
  const say = factorsWords().enrol;
  const [name, setName] = useState(say.nameKey);
  const create = async (): Promise<void> => {
    const { options } = await told(api.POST("/api/v1/me/factors/passkey"));
    const credential = await createPasskey(options ?? {});
    const body = { credential, name: name.trim() };
    onMade(await told(api.POST("/api/v1/me/factors/passkey/confirmation", { body })));
  };
  return (
    <Form onSend={() => void sending.send(create)}>
      <Field label={say.name} value={name} onValue={setName} required maxLength={60} />
      {sending.problem && <PasskeyProblem problem={sending.problem} />}
      <div class="buttons">
        <Button type="submit" tone="main" busy={sending.busy}>
          {say.go}
        </Button>
        <Button onClick={onBack}>{say.back}</Button>
      </div>
    </Form>
  );
}

export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const say = factorsWords().codes;
  const [done, setDone] = useState(false);
  return (
    <div class="act-form">
      <h2>{say.title}</h2>
      <p>{say.lead}</p>
      <ul class="recovery-codes">
        {codes.map(code => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="buttons">
        <Button onClick={() => void copied(codes.join("\n")).then(setDone)}>{done ? say.copied : say.copy}</Button>
        <Button tone="main" onClick={onDone}>
          {say.saved}
        </Button>
      </div>
    </div>
  );
}
