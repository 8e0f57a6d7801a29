/** The form for name and password: on the sign-in page, and again when a session has ended on another page. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../api/client";
import { asProblem, type Problem } from "../api/problems";
import type { Me } from "../api/types";
import { Button } from "../components/button";
import { Field } from "../components/field";
import { Form } from "../components/form";
import { PasswordField } from "../components/password-field";
import { ProblemNote } from "../components/problem-note";
import { words } from "../i18n";

export interface Entering {
  onEntered: (who: Me) => void;
}

/** One attempt at a time, with the error of the last one. */
export function useAttempt(onEntered: (who: Me) => void) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const attempt = async (ask: () => Promise<Me>): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      onEntered(await ask());
    } catch (thrown) {
      setProblem(asProblem(thrown));
    } finally {
      setBusy(false); // people who leave the second step may try again
    }
  };
  return { busy, problem, attempt };
}

/** Signs in by name and password; people who were here before need not type their name again. */
export function PasswordSignIn({ onEntered, known = "" }: Entering & { known?: string }) {
  const t = words().sign;
  const [name, setName] = useState(known);
  const [password, setPassword] = useState("");
  const { busy, problem, attempt } = useAttempt(onEntered);
  return (
    <Form
      onSend={() => void attempt(() => unwrap(api.POST("/api/v1/sign-in", { body: { name: name.trim(), password } })))}
    >
      <Field label={t.name} value={name} onValue={setName} required autocomplete="username" autocapitalize="none" />
      <PasswordField label={t.password} value={password} onValue={setPassword} />
      {problem && <ProblemNote problem={problem} />}
      <Button type="submit" tone="main" busy={busy}>
        {busy ? t.going : t.go}
      </Button>
    </Form>
  );
}
