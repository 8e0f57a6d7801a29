/** A player disputes a past round: its record is frozen until someone senior to the dealers has decided. */

import { useState } from "preact/hooks";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { Form } from "../../components/form";
import { useSubmission } from "../../components/form-submission";
import { ProblemNote } from "../../components/problem-note";
import { playWords } from "../../i18n/words/play";
import { sendCommand } from "../../live/commands";

interface DisputeProps {
  table: string;
  round: number;
  /** Whether it is already disputed. */
  disputed: boolean;
}

export function Dispute({ table, round, disputed }: DisputeProps) {
  const t = playWords().seat;
  const [text, setText] = useState("");
  const submission = useSubmission();
  if (disputed) return <p class="note">{t.disputed(String(round))}</p>;
  const send = () => sendCommand(table, { type: "Dispute", round, words: text.trim() }, { role: "player" });
  return (
    <details class="dispute">
      <summary>{t.dispute}</summary>
      <Form onSend={() => void submission.submit(send, t.disputeSent)}>
        <Field label={t.disputeWords} hint={t.disputeHint} value={text} onValue={setText} maxLength={200} />
        {submission.problem && <ProblemNote problem={submission.problem} />}
        <Button type="submit" busy={submission.busy} disabled={text.trim() === ""}>
          {t.disputeGo}
        </Button>
      </Form>
    </details>
  );
}
