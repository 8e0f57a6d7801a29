/** Changing the password, which ends all other sessions. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import { Button } from "../../components/button";
import { Form } from "../../components/form";
import { useSubmission } from "../../components/form-submission";
import { PasswordField } from "../../components/password-field";
import { ProblemNote } from "../../components/problem-note";
import { accountWords } from "../../i18n/words/account";
import { setSession } from "../../shell/session";
import { Card } from "./parts";

/** `onChanged`: the other sessions have ended. */
export function Password({ name, onChanged }: { name: string; onChanged: () => void }) {
  const t = accountWords();
  const submission = useSubmission();
  const [old, setOld] = useState("");
  const [next, setNext] = useState("");
  const [reload, setAgain] = useState("");
  const differ = reload !== "" && reload !== next;
  const change = async (): Promise<void> => {
    setSession(await unwrap(api.POST("/api/v1/me/password", { body: { old, new: next } })));
    setOld("");
    setNext("");
    setAgain("");
    onChanged();
  };
  return (
    <Card title={t.password} lead={t.passwordLead}>
      <Form
        class="own-form"
        onSend={() => {
          if (!differ) void submission.submit(change, t.passwordChanged);
        }}
      >
        {/* A keeper of passwords sees whose this is. */}
        <input class="unseen" type="text" autocomplete="username" value={name} readOnly tabIndex={-1} aria-hidden />
        <PasswordField label={t.oldPassword} value={old} onValue={setOld} />
        <PasswordField label={t.newPassword} value={next} onValue={setNext} chosen />
        <PasswordField
          label={t.samePassword}
          value={reload}
          onValue={setAgain}
          repeat
          error={differ ? t.passwordsDiffer : null}
        />
        {submission.problem && <ProblemNote problem={submission.problem} />}
        <Button type="submit" tone="main" busy={submission.busy} disabled={differ}>
          {t.changePassword}
        </Button>
      </Form>
    </Card>
  );
}
