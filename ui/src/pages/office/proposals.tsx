/** Corrections and voids that wait at the tables for a second person. */

import { useEffect } from "preact/hooks";
import { api, told } from "../../api/client";
import { usePolled } from "../../api/polling";
import type { components } from "../../api/schema";
import type { Command } from "../../api/types";
import { known } from "../../api/use-request";
import { Button } from "../../components/button";
import { Dice } from "../../components/dice";
import { useSending } from "../../components/form-submission";
import { ProblemNote } from "../../components/problem-note";
import { officeWords } from "../../i18n/words/office";
import { ask } from "../../live/commands";
import { noted, personName, tableLabel } from "../../live/names";
import { address } from "../../shell/router";
import { me } from "../../shell/session";
import { Card } from "./parts";

type Proposal = components["schemas"]["ProposalInfo"];

const EVERY = 3_000;

/** Those of all tables where the person works; nothing if there are none. */
export function Proposals({ onCount }: { onCount: (count: number) => void }) {
  const { asked, again } = usePolled(() => told(api.GET("/api/v1/proposals")).then(all => all.map(noted)), EVERY);
  const waiting = known(asked) ?? [];
  useEffect(() => onCount(waiting.length), [waiting.length, onCount]);
  if (asked.state === "failed" && waiting.length === 0) return <ProblemNote problem={asked.problem} again={again} />;
  if (waiting.length === 0) return null;
  return (
    <ul class="office-list">
      {waiting.map(one => (
        <li key={`${one.table} ${one.kind}`}>
          <OneProposal proposal={one} onDone={again} />
        </li>
      ))}
    </ul>
  );
}

function OneProposal({ proposal, onDone }: { proposal: Proposal; onDone: () => void }) {
  const say = officeWords().approvals;
  const sending = useSending();
  const approve = async (role: string): Promise<void> => {
    await sending.send(() => ask(proposal.table, commandOf(proposal), { role }), say.approved);
    onDone();
  };
  return (
    <Card title={say.proposals[proposal.kind]} wanted>
      <p class="act-words">{say.proposalWords[proposal.kind](proposal.round, tableLabel(proposal.table))}</p>
      {proposal.dice.length > 0 && (
        <p>
          <Dice faces={proposal.dice} size={28} />
        </p>
      )}
      {proposal.words && <blockquote>{proposal.words}</blockquote>}
      <p class="office-meta">
        {say.askedOnly(personName(proposal.by))}
        {" · "}
        <a href={address`/tables/${proposal.table}/rounds/${proposal.round}`}>{say.theRound(proposal.round)}</a>
      </p>
      <Answer proposal={proposal} busy={sending.busy} onApprove={approve} />
      {sending.problem && <ProblemNote problem={sending.problem} />}
    </Card>
  );
}

interface AnswerProps {
  proposal: Proposal;
  busy: boolean;
  onApprove: (role: string) => Promise<void>;
}

function Answer({ proposal, busy, onApprove }: AnswerProps) {
  const say = officeWords().approvals;
  const { role } = proposal;
  if (proposal.by === me.value?.name) return <p class="note">{say.own}</p>;
  if (role === null) return <p class="note">{say.notYours}</p>;
  return (
    <div class="buttons">
      <Button tone="main" busy={busy} onClick={() => void onApprove(role)}>
        {say.approve}
      </Button>
    </div>
  );
}

function commandOf(proposal: Proposal): Command {
  const { round } = proposal;
  return proposal.kind === "void" ? { type: "ApproveVoid", round } : { type: "ApproveResettlement", round };
}
