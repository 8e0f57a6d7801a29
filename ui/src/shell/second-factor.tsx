/** Confirming with a second factor: a code, a passkey or a recovery code. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../api/client";
import { Problem } from "../api/problems";
import type { Me } from "../api/types";
import { Button } from "../components/button";
import { Field } from "../components/field";
import { Form } from "../components/form";
import { useSubmission } from "../components/form-submission";
import { ProblemNote } from "../components/problem-note";
import { factorsWords } from "../i18n/words/factors";
import { passkeysSupported, usePasskey } from "./passkeys";

/** The browser's own failure with a passkey as a message; any other problem unchanged. */
export function PasskeyProblem({ problem }: { problem: Problem }) {
  if (problem.kind !== "passkey-failed") return <ProblemNote problem={problem} />;
  return (
    <p class="note note-bad" role="alert">
      {factorsWords().confirm.failed}
    </p>
  );
}

/** The passkey's signature for the server, if the person has a passkey. */
export async function signedChallenge(): Promise<Record<string, unknown>> {
  const { options } = await unwrap(api.POST("/api/v1/me/second-factor/challenge"));
  if (!options) throw new Problem({ kind: "passkey-failed", status: 0 });
  return usePasskey(options);
}

export function ConfirmFactor({ onConfirmed }: { onConfirmed: (who: Me) => void }) {
  const t = factorsWords().confirm;
  const submission = useSubmission();
  const [recovering, setRecovering] = useState(false);
  const [code, setCode] = useState("");
  const send = (body: () => Promise<Record<string, unknown>>): void => {
    void submission.submit(async () => {
      onConfirmed(await unwrap(api.POST("/api/v1/me/second-factor", { body: await body() })));
    });
  };
  return (
    <Form onSend={() => send(async () => (recovering ? { recovery_code: code } : { code }))}>
      {recovering ? (
        <Field
          label={t.recoveryCode}
          hint={t.recoveryHint}
          value={code}
          onValue={setCode}
          required
          autocomplete="off"
          autocapitalize="none"
          maxLength={60}
        />
      ) : (
        <Field
          label={t.code}
          hint={t.lead}
          value={code}
          onValue={setCode}
          required
          autocomplete="one-time-code"
          inputMode="numeric"
          maxLength={20}
        />
      )}
      {submission.problem && <PasskeyProblem problem={submission.problem} />}
      <Button type="submit" tone="main" busy={submission.busy}>
        {t.go}
      </Button>
      <div class="buttons">
        {passkeysSupported() && (
          <Button busy={submission.busy} onClick={() => send(async () => ({ passkey: await signedChallenge() }))}>
            {t.passkey}
          </Button>
        )}
        <Button
          tone="quiet"
          onClick={() => {
            setCode("");
            setRecovering(!recovering);
          }}
        >
          {recovering ? t.useCode : t.recovery}
        </Button>
      </div>
    </Form>
  );
}
