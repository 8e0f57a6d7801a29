/** Misread dice: one member of staff enters the true ones, a supervisor approves. */

import { useState } from "preact/hooks";
import type { components } from "../../api/schema";
import { Amount } from "../../components/amount";
import { Button } from "../../components/button";
import { Dice } from "../../components/dice";
import { Field } from "../../components/field";
import { useSubmission } from "../../components/form-submission";
import { Timestamp } from "../../components/timestamps";
import { officeWords } from "../../i18n/words/office";
import { sendCommand } from "../../live/commands";
import { personName } from "../../live/names";
import { address } from "../../shell/router";
import { me } from "../../shell/session";
import { type Desk, RoundChoice } from "./disputes";
import { ActForm, Card } from "./parts";
import { actingRole, supervises } from "./roles";

type Correction = components["schemas"]["Correction"];

/** Proposes true dice, or answers a pending proposal. Only at tables where one throw decides every bet. */
export function Correcting({ desk, proposal }: { desk: Desk; proposal: Correction | undefined }) {
  const t = officeWords().disputes;
  if (desk.book === null || desk.book.identity.dice !== 3 || desk.staff === null) return null;
  if (desk.staff.proposal !== null && proposal !== undefined) return <Proposed desk={desk} proposal={proposal} />;
  const role = actingRole(desk.table, desk.book, { manager: false });
  if (role === undefined || desk.rounds.length === 0) return null;
  return (
    <Card title={t.correct} lead={t.correctLead}>
      <Propose desk={desk} role={role} />
    </Card>
  );
}

function Propose({ desk, role }: { desk: Desk; role: string }) {
  const t = officeWords().disputes;
  const [round, setRound] = useState("");
  const [dice, setDice] = useState("");
  const [text, setText] = useState("");
  const submission = useSubmission();
  const chosen = desk.rounds.find(one => String(one.number) === round) ?? desk.rounds[0];
  const faces = (dice.match(/[1-6]/g) ?? []).map(Number);
  const complete = faces.length === desk.book?.identity.dice && /^[1-6\s,-]*$/.test(dice);
  const propose = async (): Promise<void> => {
    if (chosen === undefined) return;
    const command = { type: "ProposeResettlement" as const, round: chosen.number, dice: faces, words: text };
    if (await submission.submit(() => sendCommand(desk.table, command, { role }), t.proposedDone)) desk.reload();
  };
  return (
    <ActForm sending={submission} onSend={() => void propose()} class="raising">
      {chosen && <RoundChoice desk={desk} chosen={chosen.number} onChoose={setRound} />}
      <Field
        label={t.trueDice}
        hint={t.trueDiceHint}
        value={dice}
        onValue={setDice}
        inputMode="numeric"
        maxLength={9}
      />
      <Field label={t.how} value={text} onValue={setText} maxLength={400} />
      <Button type="submit" busy={submission.busy} disabled={!complete || text.trim() === ""}>
        {t.propose}
      </Button>
    </ActForm>
  );
}

function Proposed({ desk, proposal }: { desk: Desk; proposal: Correction }) {
  const t = officeWords().disputes;
  const submission = useSubmission();
  const role = actingRole(desk.table, desk.book, { manager: true });
  const mine = proposal.by === me.value?.name;
  const approve = async (): Promise<void> => {
    const command = { type: "ApproveResettlement" as const, round: proposal.round };
    const response = (): Promise<unknown> => sendCommand(desk.table, command, role === undefined ? {} : { role });
    if (await submission.submit(response, t.resettledDone(proposal.round))) desk.reload();
  };
  return (
    <Card title={t.proposed} wanted>
      <p>
        <a href={address`/tables/${desk.table}/rounds/${proposal.round}`}>{t.round(proposal.round)}</a>
        {" → "}
        <Dice faces={proposal.dice} size={30} />
      </p>
      <blockquote>{proposal.words}</blockquote>
      <p class="office-meta">
        {t.proposedBy(personName(proposal.by))} · <Timestamp at={proposal.at} />
      </p>
      <p>{t.resettleWords}</p>
      {mine ? (
        <p class="note">{t.ownProposal}</p>
      ) : (
        supervises(desk.table, desk.book) && (
          <ActForm sending={submission} onSend={() => void approve()}>
            <Button type="submit" tone="main" busy={submission.busy}>
              {t.approve}
            </Button>
          </ActForm>
        )
      )}
    </Card>
  );
}

export function Corrections(props: { desk: Desk; corrections: readonly Correction[]; owed: number }) {
  const t = officeWords().disputes;
  const done = props.corrections.filter(one => one.done_at !== null);
  if (done.length === 0 && props.owed === 0) return null;
  return (
    <Card title={t.corrected}>
      {props.owed > 0 && (
        <p class="note">
          {t.owed} <Amount minor={props.owed} money={props.desk.money} />
        </p>
      )}
      <ul class="office-list">
        {done.map(one => (
          <li key={one.sequence} class="dispute">
            <p>
              <a href={address`/tables/${props.desk.table}/rounds/${one.round}`}>{t.round(one.round)}</a>
              {" → "}
              <Dice faces={one.dice} size={24} />
            </p>
            <blockquote>{one.words}</blockquote>
            <p class="office-meta">
              {t.correctedBy(personName(one.by), personName(one.done_by ?? ""))} ·{" "}
              {one.done_at && <Timestamp at={one.done_at} />}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
