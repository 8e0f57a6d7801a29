/** Past rounds: disputed, or resettled with the true dice and a second person's approval. */

import { useState } from "preact/hooks";
import { Button } from "../components/button";
import { Choice, Field } from "../components/field";
import { consoleWords } from "../i18n/words/console";
import { personName } from "../live/names";
import type { Staff } from "../live/view";
import { me } from "../shell/session";
import { DiceKeys } from "../staff/keypad";
import { useDiceKeys } from "../staff/keys";
import { isSupervisor, roleNames, supervisors } from "../staff/roles";
import { type Desk, hasAct } from "./console";
import { Go, type PanelProps } from "./fields";
import { ActForm } from "./panel";

type Past = Staff["past"][number];

function pastName(one: Past): string {
  const say = consoleWords().desk;
  return one.dice.length === 0 ? say.pastVoid(one.round) : say.pastRound(one.round, one.dice.join("-"));
}

export function PastRounds({ desk, onDone }: PanelProps) {
  const say = consoleWords().desk;
  const { past } = desk.staff;
  const [chosen, setChosen] = useState(String(past[0]?.round ?? ""));
  const [way, setWay] = useState<"dispute" | "misread">("dispute");
  const [faces, setFaces] = useState<readonly number[]>([]);
  const [text, setText] = useState("");
  const count = desk.book.identity.dice;
  useDiceKeys(faces, way === "misread" ? count : 0, setFaces);
  const round = Number(chosen);
  // A roll of craps advances every area: only the last one can be resettled, while nothing was rolled since.
  const again = !hasAct(desk.book, "roll") || desk.staff.can_resettle === round;
  if (past.length === 0) return <p class="soft">{say.noPast}</p>;
  const go = async (): Promise<void> => {
    const done =
      way === "dispute"
        ? await desk.act({ type: "Dispute", round, words: text })
        : await desk.act({ type: "ProposeResettlement", round, dice: [...faces], words: text });
    if (done) onDone();
  };
  const ready = text.trim() !== "" && (way === "dispute" || faces.length === count);
  return (
    <ActForm onGo={() => void go()}>
      <Choice
        label={say.round}
        value={chosen}
        options={past.map(one => ({ value: String(one.round), name: pastName(one) }))}
        onValue={setChosen}
      />
      {again && (
        <div class="quick">
          <button type="button" aria-pressed={way === "dispute"} onClick={() => setWay("dispute")}>
            {say.dispute}
          </button>
          <button type="button" aria-pressed={way === "misread"} onClick={() => setWay("misread")}>
            {say.misread}
          </button>
        </div>
      )}
      <p class="soft">{way === "dispute" ? say.disputeHint : say.misreadHint}</p>
      {way === "misread" && <DiceKeys faces={faces} count={count} onFaces={setFaces} />}
      <Field label={say.reason} value={text} onValue={setText} maxLength={200} hint={say.reasonNeeded} />
      <Go desk={desk} ready={ready} name={way === "dispute" ? say.disputeGo : say.misreadGo} onDone={onDone} />
    </ActForm>
  );
}

/** Cases for someone senior to the dealers: disputes, and resettlements proposed by others. */
export function OpenQuestions({ desk }: { desk: Desk }) {
  const say = consoleWords().desk;
  const { disputed, proposal } = desk.staff;
  if (disputed.length === 0 && proposal === null) return null;
  const above = supervisors(desk.book);
  const may = isSupervisor(desk.live.id, desk.book);
  return (
    <section class="card card-wanted">
      {proposal !== null && (
        <div class="question">
          <h2>{say.proposed(proposal.round, proposal.dice.join("-"))}</h2>
          <p class="soft">
            {proposal.words ? say.proposedBy(personName(proposal.by), proposal.words) : personName(proposal.by)}
          </p>
          {may && proposal.by !== me.value?.name ? (
            <Button
              tone="main"
              disabled={desk.busy}
              onClick={() => void desk.act({ type: "ApproveResettlement", round: proposal.round }, above)}
            >
              {say.approveProposal}
            </Button>
          ) : (
            <p>{say.approveOther}</p>
          )}
        </div>
      )}
      {disputed.map(round => (
        <Disputed key={round} desk={desk} round={round} />
      ))}
    </section>
  );
}

function Disputed({ desk, round }: { desk: Desk; round: number }) {
  const say = consoleWords().desk;
  const [text, setText] = useState("");
  const above = supervisors(desk.book);
  const settle = (upheld: boolean): void => void desk.act({ type: "SettleDispute", round, words: text, upheld }, above);
  const ready = !desk.busy && text.trim() !== "";
  return (
    <div class="question">
      <h2>{say.disputed(round)}</h2>
      {isSupervisor(desk.live.id, desk.book) ? (
        <ActForm onGo={() => settle(true)}>
          <Field label={say.reason} value={text} onValue={setText} maxLength={200} />
          <div class="buttons">
            <Button type="submit" disabled={!ready}>
              {say.settleDispute}
            </Button>
            <Button tone="danger" disabled={!ready} onClick={() => settle(false)}>
              {say.refuseClaim}
            </Button>
          </div>
        </ActForm>
      ) : (
        <p>{say.supervisorOnly(roleNames(desk.book, above))}</p>
      )}
    </div>
  );
}
