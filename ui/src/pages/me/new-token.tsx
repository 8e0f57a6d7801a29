/** A new token: its name and scopes; then its text, shown once. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import { Button } from "../../components/button";
import { Choice, Field, Tick } from "../../components/field";
import { Form } from "../../components/form";
import { useSubmission } from "../../components/form-submission";
import { OneTimeSecret } from "../../components/one-time-secret";
import { ProblemNote } from "../../components/problem-note";
import { words } from "../../i18n";
import { accountWords } from "../../i18n/words/account";
import { ConfirmAgain } from "./factors";

export type Scope = "play" | "deal" | "manage" | "read";
const DAYS = ["7", "30", "90", "366"] as const;
type Days = (typeof DAYS)[number];

interface NewTokenProps {
  /** The scopes that the person could grant to a program. */
  scopes: readonly Scope[];
  onMade: () => void;
  onDone: () => void;
}

export function NewToken({ scopes, onMade, onDone }: NewTokenProps) {
  const t = accountWords();
  const submission = useSubmission();
  const [name, setName] = useState("");
  const [wanted, setWanted] = useState<readonly Scope[]>(["read"]);
  const [days, setDays] = useState<Days>("30");
  const [text, setText] = useState<string | null>(null);
  const make = async (): Promise<void> => {
    const body = { name: name.trim(), scopes: [...wanted], days: Number(days) };
    setText((await unwrap(api.POST("/api/v1/me/tokens", { body }))).token);
    onMade();
  };
  if (text !== null)
    return <OneTimeSecret lead={t.once} label={t.tokenText} text={text} done={t.haveIt} onDone={onDone} />;
  if (submission.problem?.kind === "recent-factor-required")
    return <ConfirmAgain onDone={() => void submission.submit(make)} />;
  return (
    <Form class="own-form" onSend={() => void submission.submit(make)}>
      <Field label={t.tokenName} hint={t.tokenNameHint} value={name} onValue={setName} required maxLength={100} />
      <fieldset class="present">
        <legend>{t.tokenMay}</legend>
        {scopes.map(one => (
          <Tick
            key={one}
            label={t.scopes[one]}
            on={wanted.includes(one)}
            onChange={on => setWanted(before => (on ? [...before, one] : before.filter(other => other !== one)))}
          />
        ))}
      </fieldset>
      <Choice
        label={t.tokenDays}
        value={days}
        options={DAYS.map(one => ({ value: one, name: t.days(Number(one)) }))}
        onValue={setDays}
      />
      {submission.problem && <ProblemNote problem={submission.problem} />}
      <div class="buttons">
        <Button type="submit" tone="main" busy={submission.busy} disabled={wanted.length === 0 || name.trim() === ""}>
          {t.makeToken}
        </Button>
        <Button onClick={onDone}>{words().dialog.cancel}</Button>
      </div>
    </Form>
  );
}
