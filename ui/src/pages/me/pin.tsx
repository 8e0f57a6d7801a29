/** The PIN with which staff confirm at another person's console that they are the witness. */

import { useState } from "preact/hooks";
import { api, told } from "../../api/client";
import { known, useAsked } from "../../api/use-request";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { Form } from "../../components/form";
import { useSending } from "../../components/form-submission";
import { PasswordField } from "../../components/password-field";
import { ProblemNote } from "../../components/problem-note";
import { accountWords } from "../../i18n/words/account";
import { Card } from "./parts";

export function Pin() {
  const say = accountWords().pin;
  const asking = useAsked(() => told(api.GET("/api/v1/me/pin")), []);
  const sending = useSending();
  const [password, setPassword] = useState("");
  const [pin, setPin] = useState("");
  const has = known(asking.asked)?.set ?? false;
  const save = (next: string | null): void => {
    const send = async (): Promise<void> => {
      await told(api.PUT("/api/v1/me/pin", { body: { password, pin: next } }));
      setPassword("");
      setPin("");
      asking.again();
    };
    void sending.send(send, next === null ? say.removed : say.saved);
  };
  return (
    <Card title={say.title} lead={has ? say.leadSet : say.lead}>
      <Form class="own-form" onSend={() => save(pin)}>
        <PasswordField label={accountWords().oldPassword} value={password} onValue={setPassword} />
        <Field
          label={say.field}
          hint={say.hint}
          type="password"
          inputMode="numeric"
          autocomplete="off"
          maxLength={12}
          value={pin}
          onValue={setPin}
        />
        {sending.problem && <ProblemNote problem={sending.problem} />}
        <div class="buttons">
          <Button type="submit" tone="main" busy={sending.busy} disabled={pin === "" || password === ""}>
            {has ? say.change : say.set}
          </Button>
          {has && (
            <Button busy={sending.busy} disabled={password === ""} onClick={() => save(null)}>
              {say.remove}
            </Button>
          )}
        </div>
      </Form>
    </Card>
  );
}
