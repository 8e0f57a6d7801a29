/** Corrections and voids that wait at the tables for a second person. */

import { useEffect } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import { usePolling } from "../../api/polling";
import type { components } from "../../api/schema";
import type { Command } from "../../api/types";
import { latestData } from "../../api/use-request";
import { Button } from "../../components/button";
import { Dice } from "../../components/dice";
import { useSubmission } from "../../components/form-submission";
import { ProblemNote } from "../../components/problem-note";
import { officeWords } from "../../i18n/words/office";
import { sendCommand } from "../../live/commands";
import { personName, rememberNames, tableLabel } from "../../live/names";
import { address } from "../../shell/router";
import { me } from "../../shell/session";
import { Card } from "./parts";

type Proposal = components["schemas"]["ProposalInfo"];

const POLL_INTERVAL = 3_000;

/** Those of all tables where the person works; nothing if there are none. */
export function Proposals({ onCount }: { onCount: (count: number) => void }) {
  const { response, reload } = usePolling(
    () => unwrap(api.GET("/api/v1/proposals")).then(all => all.map(rememberNames)),
    POLL_INTERVAL,
  );
  const waiting = latestData(response) ?? [];
  useEffect(() => onCount(waiting.length), [waiting.length, onCount]);
  if (response.state === "failed" && waiting.length === 0)
    return <ProblemNote problem={response.problem} retry={reload} />;
  if (waiting.length === 0) return null;
  return (
    <ul class="office-list">
      {waiting.map(one => (
        <li key={`${one.table} ${one.kind}`}>
          <OneProposal proposal={one} onDone={reload} />
        </li>
      ))}
    </ul>
  );
}

function OneProposal({ proposal, onDone }: { proposal: Proposal; onDone: () => void }) {
  const t = officeWords().approvals;
  const submission = useSubmission();
  const approve = async (role: string): Promise<void> => {
    await submission.submit(() => sendCommand(proposal.table, commandOf(proposal), { role }), t.approved);
    onDone();
  };
  return (
    <Card title={t.proposals[proposal.kind]} wanted>
      <p class="act-words">{t.proposalWords[proposal.kind](proposal.round, tableLabel(proposal.table))}</p>
      {proposal.dice.length > 0 && (
        <p>
          <Dice faces={proposal.dice} size={28} />
        </p>
      )}
      {proposal.words && <blockquote>{proposal.words}</blockquote>}
      <p class="office-meta">
        {t.askedOnly(personName(proposal.by))}
        {" · "}
        <a href={address`/tables/${proposal.table}/rounds/${proposal.round}`}>{t.theRound(proposal.round)}</a>
      </p>
      <Answer proposal={proposal} busy={submission.busy} onApprove={approve} />
      {submission.problem && <ProblemNote problem={submission.problem} />}
    </Card>
  );
}

interface AnswerProps {
  proposal: Proposal;
  busy: boolean;
  onApprove: (role: string) => Promise<void>;
}

function Answer({ proposal, busy, onApprove }: AnswerProps) {
  const t = officeWords().approvals;
  const { role } = proposal;
  if (proposal.by === me.value?.name) return <p class="note">{t.own}</p>;
  if (role === null) return <p class="note">{t.notYours}</p>;
  return (
    <div class="buttons">
      <Button tone="main" busy={busy} onClick={() => void onApprove(role)}>
        {t.approve}
      </Button>
    </div>
  );
}

function commandOf(proposal: Proposal): Command {
  const { round } = proposal;
  return proposal.kind === "void" ? { type: "ApproveVoid", round } : { type: "ApproveResettlement", round };
}
