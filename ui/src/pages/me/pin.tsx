/** The PIN with which staff confirm at another person's console that they are the witness. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import { latestData, useRequest } from "../../api/use-request";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { Form } from "../../components/form";
import { useSubmission } from "../../components/form-submission";
import { PasswordField } from "../../components/password-field";
import { ProblemNote } from "../../components/problem-note";
import { accountWords } from "../../i18n/words/account";
import { Card } from "./parts";

export function Pin() {
  const t = accountWords().pin;
  const request = useRequest(() => unwrap(api.GET("/api/v1/me/pin")), []);
  const submission = useSubmission();
  const [password, setPassword] = useState("");
  const [pin, setPin] = useState("");
  const has = latestData(request.response)?.set ?? false;
  const save = (next: string | null): void => {
    const send = async (): Promise<void> => {
      await unwrap(api.PUT("/api/v1/me/pin", { body: { password, pin: next } }));
      setPassword("");
      setPin("");
      request.reload();
    };
    void submission.submit(send, next === null ? t.removed : t.saved);
  };
  return (
    <Card title={t.title} lead={has ? t.leadSet : t.lead}>
      <Form class="own-form" onSend={() => save(pin)}>
        <PasswordField label={accountWords().oldPassword} value={password} onValue={setPassword} />
        <Field
          label={t.field}
          hint={t.hint}
          type="password"
          inputMode="numeric"
          autocomplete="off"
          maxLength={12}
          value={pin}
          onValue={setPin}
        />
        {submission.problem && <ProblemNote problem={submission.problem} />}
        <div class="buttons">
          <Button type="submit" tone="main" busy={submission.busy} disabled={pin === "" || password === ""}>
            {has ? t.change : t.set}
          </Button>
          {has && (
            <Button busy={submission.busy} disabled={password === ""} onClick={() => save(null)}>
              {t.remove}
            </Button>
          )}
        </div>
      </Form>
    </Card>
  );
}
