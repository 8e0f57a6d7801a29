/** A player disputes a past round: its record is frozen until someone senior to the dealers has decided. */

import { useState } from "preact/hooks";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { Form } from "../../components/form";
import { useSending } from "../../components/form-submission";
import { ProblemNote } from "../../components/problem-note";
import { playWords } from "../../i18n/words/play";
import { ask } from "../../live/commands";

interface DisputeProps {
  table: string;
  round: number;
  /** Whether it is already disputed. */
  disputed: boolean;
}

export function Dispute({ table, round, disputed }: DisputeProps) {
  const say = playWords().seat;
  const [text, setText] = useState("");
  const sending = useSending();
  if (disputed) return <p class="note">{say.disputed(String(round))}</p>;
  const send = () => ask(table, { type: "Dispute", round, words: text.trim() }, { role: "player" });
  return (
    <details class="dispute">
      <summary>{say.dispute}</summary>
      <Form onSend={() => void sending.send(send, say.disputeSent)}>
        <Field label={say.disputeWords} hint={say.disputeHint} value={text} onValue={setText} maxLength={200} />
        {sending.problem && <ProblemNote problem={sending.problem} />}
        <Button type="submit" busy={sending.busy} disabled={text.trim() === ""}>
          {say.disputeGo}
        </Button>
      </Form>
    </details>
  );
}
