/** Misread dice: one member of staff enters the true ones, a supervisor approves. */

import { useState } from "preact/hooks";
import type { components } from "../../api/schema";
import { Amount } from "../../components/amount";
import { Button } from "../../components/button";
import { Dice } from "../../components/dice";
import { Field } from "../../components/field";
import { useSending } from "../../components/form-submission";
import { When } from "../../components/timestamps";
import { officeWords } from "../../i18n/words/office";
import { ask } from "../../live/commands";
import { personName } from "../../live/names";
import { address } from "../../shell/router";
import { me } from "../../shell/session";
import { type Desk, RoundChoice } from "./disputes";
import { ActForm, Card } from "./parts";
import { actingRole, supervises } from "./roles";

type Correction = components["schemas"]["Correction"];

/** Proposes true dice, or answers a pending proposal. Only at tables where one throw decides every bet. */
export function Correcting({ desk, proposal }: { desk: Desk; proposal: Correction | undefined }) {
  const say = officeWords().disputes;
  if (desk.book === null || desk.book.identity.dice !== 3 || desk.staff === null) return null;
  if (desk.staff.proposal !== null && proposal !== undefined) return <Proposed desk={desk} proposal={proposal} />;
  const role = actingRole(desk.table, desk.book, { manager: false });
  if (role === undefined || desk.rounds.length === 0) return null;
  return (
    <Card title={say.correct} lead={say.correctLead}>
      <Propose desk={desk} role={role} />
    </Card>
  );
}

function Propose({ desk, role }: { desk: Desk; role: string }) {
  const say = officeWords().disputes;
  const [round, setRound] = useState("");
  const [dice, setDice] = useState("");
  const [text, setText] = useState("");
  const sending = useSending();
  const chosen = desk.rounds.find(one => String(one.number) === round) ?? desk.rounds[0];
  const faces = (dice.match(/[1-6]/g) ?? []).map(Number);
  const complete = faces.length === desk.book?.identity.dice && /^[1-6\s,-]*$/.test(dice);
  const propose = async (): Promise<void> => {
    if (chosen === undefined) return;
    const command = { type: "ProposeResettlement" as const, round: chosen.number, dice: faces, words: text };
    if (await sending.send(() => ask(desk.table, command, { role }), say.proposedDone)) desk.again();
  };
  return (
    <ActForm sending={sending} onSend={() => void propose()} class="raising">
      {chosen && <RoundChoice desk={desk} chosen={chosen.number} onChoose={setRound} />}
      <Field
        label={say.trueDice}
        hint={say.trueDiceHint}
        value={dice}
        onValue={setDice}
        inputMode="numeric"
        maxLength={9}
      />
      <Field label={say.how} value={text} onValue={setText} maxLength={400} />
      <Button type="submit" busy={sending.busy} disabled={!complete || text.trim() === ""}>
        {say.propose}
      </Button>
    </ActForm>
  );
}

function Proposed({ desk, proposal }: { desk: Desk; proposal: Correction }) {
  const say = officeWords().disputes;
  const sending = useSending();
  const role = actingRole(desk.table, desk.book, { manager: true });
  const mine = proposal.by === me.value?.name;
  const approve = async (): Promise<void> => {
    const command = { type: "ApproveResettlement" as const, round: proposal.round };
    const asked = (): Promise<unknown> => ask(desk.table, command, role === undefined ? {} : { role });
    if (await sending.send(asked, say.resettledDone(proposal.round))) desk.again();
  };
  return (
    <Card title={say.proposed} wanted>
      <p>
        <a href={address`/tables/${desk.table}/rounds/${proposal.round}`}>{say.round(proposal.round)}</a>
        {" → "}
        <Dice faces={proposal.dice} size={30} />
      </p>
      <blockquote>{proposal.words}</blockquote>
      <p class="office-meta">
        {say.proposedBy(personName(proposal.by))} · <When at={proposal.at} />
      </p>
      <p>{say.resettleWords}</p>
      {mine ? (
        <p class="note">{say.ownProposal}</p>
      ) : (
        supervises(desk.table, desk.book) && (
          <ActForm sending={sending} onSend={() => void approve()}>
            <Button type="submit" tone="main" busy={sending.busy}>
              {say.approve}
            </Button>
          </ActForm>
        )
      )}
    </Card>
  );
}

export function Corrections(props: { desk: Desk; corrections: readonly Correction[]; owed: number }) {
  const say = officeWords().disputes;
  const done = props.corrections.filter(one => one.done_at !== null);
  if (done.length === 0 && props.owed === 0) return null;
  return (
    <Card title={say.corrected}>
      {props.owed > 0 && (
        <p class="note">
          {say.owed} <Amount minor={props.owed} money={props.desk.money} />
        </p>
      )}
      <ul class="office-list">
        {done.map(one => (
          <li key={one.sequence} class="dispute">
            <p>
              <a href={address`/tables/${props.desk.table}/rounds/${one.round}`}>{say.round(one.round)}</a>
              {" → "}
              <Dice faces={one.dice} size={24} />
            </p>
            <blockquote>{one.words}</blockquote>
            <p class="office-meta">
              {say.correctedBy(personName(one.by), personName(one.done_by ?? ""))} ·{" "}
              {one.done_at && <When at={one.done_at} />}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
