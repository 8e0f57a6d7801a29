/** A new token: its name and scopes; then its text, shown once. */

import { useState } from "preact/hooks";
import { api, told } from "../../api/client";
import { Button } from "../../components/button";
import { Choice, Field, Tick } from "../../components/field";
import { Form } from "../../components/form";
import { useSending } from "../../components/form-submission";
import { ProblemNote } from "../../components/problem-note";
import { ShownOnce } from "../../components/shown-once";
import { words } from "../../i18n";
import { accountWords } from "../../i18n/words/account";
import { Again } from "./factors";

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
  const say = accountWords();
  const sending = useSending();
  const [name, setName] = useState("");
  const [wanted, setWanted] = useState<readonly Scope[]>(["read"]);
  const [days, setDays] = useState<Days>("30");
  const [text, setText] = useState<string | null>(null);
  const make = async (): Promise<void> => {
    const body = { name: name.trim(), scopes: [...wanted], days: Number(days) };
    setText((await told(api.POST("/api/v1/me/tokens", { body }))).token);
    onMade();
  };
  if (text !== null)
    return <ShownOnce lead={say.once} label={say.tokenText} text={text} done={say.haveIt} onDone={onDone} />;
  if (sending.problem?.kind === "recent-factor-required") return <Again onDone={() => void sending.send(make)} />;
  return (
    <Form class="own-form" onSend={() => void sending.send(make)}>
      <Field label={say.tokenName} hint={say.tokenNameHint} value={name} onValue={setName} required maxLength={100} />
      <fieldset class="present">
        <legend>{say.tokenMay}</legend>
        {scopes.map(one => (
          <Tick
            key={one}
            label={say.scopes[one]}
            on={wanted.includes(one)}
            onChange={on => setWanted(before => (on ? [...before, one] : before.filter(other => other !== one)))}
          />
        ))}
      </fieldset>
      <Choice
        label={say.tokenDays}
        value={days}
        options={DAYS.map(one => ({ value: one, name: say.days(Number(one)) }))}
        onValue={setDays}
      />
      {sending.problem && <ProblemNote problem={sending.problem} />}
      <div class="buttons">
        <Button type="submit" tone="main" busy={sending.busy} disabled={wanted.length === 0 || name.trim() === ""}>
          {say.makeToken}
        </Button>
        <Button onClick={onDone}>{words().dialog.cancel}</Button>
      </div>
    </Form>
  );
}
