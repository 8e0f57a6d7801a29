/** Changing the password, which ends all other sessions. */

import { useState } from "preact/hooks";
import { api, told } from "../../api/client";
import { Button } from "../../components/button";
import { Form } from "../../components/form";
import { useSending } from "../../components/form-submission";
import { PasswordField } from "../../components/password-field";
import { ProblemNote } from "../../components/problem-note";
import { accountWords } from "../../i18n/words/account";
import { enter } from "../../shell/session";
import { Card } from "./parts";

/** `onChanged`: the other sessions have ended. */
export function Password({ name, onChanged }: { name: string; onChanged: () => void }) {
  const say = accountWords();
  const sending = useSending();
  const [old, setOld] = useState("");
  const [next, setNext] = useState("");
  const [again, setAgain] = useState("");
  const differ = again !== "" && again !== next;
  const change = async (): Promise<void> => {
    enter(await told(api.POST("/api/v1/me/password", { body: { old, new: next } })));
    setOld("");
    setNext("");
    setAgain("");
    onChanged();
  };
  return (
    <Card title={say.password} lead={say.passwordLead}>
      <Form
        class="own-form"
        onSend={() => {
          if (!differ) void sending.send(change, say.passwordChanged);
        }}
      >
        {/* A keeper of passwords sees whose this is. */}
        <input class="unseen" type="text" autocomplete="username" value={name} readOnly tabIndex={-1} aria-hidden />
        <PasswordField label={say.oldPassword} value={old} onValue={setOld} />
        <PasswordField label={say.newPassword} value={next} onValue={setNext} chosen />
        <PasswordField
          label={say.samePassword}
          value={again}
          onValue={setAgain}
          again
          error={differ ? say.passwordsDiffer : null}
        />
        {sending.problem && <ProblemNote problem={sending.problem} />}
        <Button type="submit" tone="main" busy={sending.busy} disabled={differ}>
          {say.changePassword}
        </Button>
      </Form>
    </Card>
  );
}
