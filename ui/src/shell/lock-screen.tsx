/** A locked screen: the page behind it keeps its state and stays live; the person unlocks it. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../api/client";
import { asProblem } from "../api/problems";
import { latestData, useRequest } from "../api/use-request";
import { Button } from "../components/button";
import { Choice, Field } from "../components/field";
import { Form } from "../components/form";
import { useSubmission } from "../components/form-submission";
import { PasswordField } from "../components/password-field";
import { toastProblem } from "../components/toasts";
import { factorsWords } from "../i18n/words/factors";
import { passkeysSupported } from "./passkeys";
import { PasskeyProblem, signedChallenge } from "./second-factor";
import { me, setSession, signOut } from "./session";

type Way = "password" | "pin" | "factor";

export default function LockScreen() {
  const t = factorsWords().lock;
  const submission = useSubmission();
  const pin = useRequest(() => unwrap(api.GET("/api/v1/me/pin")), []);
  const [chosen, setChosen] = useState<Way | null>(null);
  const [text, setText] = useState("");
  const accepted: readonly Way[] = me.value?.lock?.unlock_with ?? ["password"];
  const has = accepted.filter(one => one !== "pin" || latestData(pin.response)?.set);
  const ways: readonly Way[] = has.length > 0 ? has : ["password"];
  const way = chosen !== null && ways.includes(chosen) ? chosen : (ways[0] ?? "password");
  const unlock = (body: () => Promise<Record<string, unknown>>): void => {
    void submission.submit(async () => {
      try {
        setSession(await unwrap(api.POST("/api/v1/me/unlock", { body: await body() })));
      } finally {
        setText("");
      }
    });
  };
  const leave = async (): Promise<void> => {
    try {
      await signOut();
    } catch (thrown) {
      toastProblem(asProblem(thrown));
    }
  };
  return (
    <>
      <h1>{t.title}</h1>
      <p class="lead">{t.lead(me.value?.shown ?? "")}</p>
      <Form onSend={() => unlock(async () => ({ [way === "factor" ? "code" : way]: text }))}>
        {ways.length > 1 && (
          <Choice
            label={t.with}
            value={way}
            options={ways.map(one => ({ value: one, name: t[one] }))}
            onValue={setChosen}
          />
        )}
        {way === "password" && <PasswordField label={t.password} value={text} onValue={setText} />}
        {way !== "password" && (
          <Field
            label={t[way]}
            type={way === "pin" ? "password" : "text"}
            value={text}
            onValue={setText}
            required
            inputMode="numeric"
            autocomplete={way === "pin" ? "off" : "one-time-code"}
            maxLength={way === "pin" ? 12 : 20}
          />
        )}
        {submission.problem && <PasskeyProblem problem={submission.problem} />}
        <Button type="submit" tone="main" busy={submission.busy}>
          {t.go}
        </Button>
        {way === "factor" && passkeysSupported() && (
          <Button busy={submission.busy} onClick={() => unlock(async () => ({ passkey: await signedChallenge() }))}>
            {factorsWords().confirm.passkey}
          </Button>
        )}
      </Form>
      <p class="sign-ways">
        <Button tone="quiet" onClick={() => void leave()}>
          {factorsWords().confirm.signOut}
        </Button>
      </p>
    </>
  );
}
