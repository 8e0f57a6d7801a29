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
import { PanelButtons, type PanelProps } from "./fields";
import { ActForm } from "./panel";

type Past = Staff["past"][number];

function pastName(one: Past): string {
  const t = consoleWords().desk;
  return one.dice.length === 0 ? t.pastVoid(one.round) : t.pastRound(one.round, one.dice.join("-"));
}

export function PastRounds({ desk, onDone }: PanelProps) {
  const t = consoleWords().desk;
  const { past } = desk.staff;
  const [chosen, setChosen] = useState(String(past[0]?.round ?? ""));
  const [way, setWay] = useState<"dispute" | "misread">("dispute");
  const [faces, setFaces] = useState<readonly number[]>([]);
  const [text, setText] = useState("");
  const count = desk.book.identity.dice;
  useDiceKeys(faces, way === "misread" ? count : 0, setFaces);
  const round = Number(chosen);
  // A roll of craps advances every area: only the last one can be resettled, while nothing was rolled since.
  const reload = !hasAct(desk.book, "roll") || desk.staff.can_resettle === round;
  if (past.length === 0) return <p class="soft">{t.noPast}</p>;
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
        label={t.round}
        value={chosen}
        options={past.map(one => ({ value: String(one.round), name: pastName(one) }))}
        onValue={setChosen}
      />
      {reload && (
        <div class="quick">
          <button type="button" aria-pressed={way === "dispute"} onClick={() => setWay("dispute")}>
            {t.dispute}
          </button>
          <button type="button" aria-pressed={way === "misread"} onClick={() => setWay("misread")}>
            {t.misread}
          </button>
        </div>
      )}
      <p class="soft">{way === "dispute" ? t.disputeHint : t.misreadHint}</p>
      {way === "misread" && <DiceKeys faces={faces} count={count} onFaces={setFaces} />}
      <Field label={t.reason} value={text} onValue={setText} maxLength={200} hint={t.reasonNeeded} />
      <PanelButtons desk={desk} ready={ready} name={way === "dispute" ? t.disputeGo : t.misreadGo} onDone={onDone} />
    </ActForm>
  );
}

/** Cases for someone senior to the dealers: disputes, and resettlements proposed by others. */
export function OpenQuestions({ desk }: { desk: Desk }) {
  const t = consoleWords().desk;
  const { disputed, proposal } = desk.staff;
  if (disputed.length === 0 && proposal === null) return null;
  const above = supervisors(desk.book);
  const may = isSupervisor(desk.live.id, desk.book);
  return (
    <section class="card card-wanted">
      {proposal !== null && (
        <div class="question">
          <h2>{t.proposed(proposal.round, proposal.dice.join("-"))}</h2>
          <p class="soft">
            {proposal.words ? t.proposedBy(personName(proposal.by), proposal.words) : personName(proposal.by)}
          </p>
          {may && proposal.by !== me.value?.name ? (
            <Button
              tone="main"
              disabled={desk.busy}
              onClick={() => void desk.act({ type: "ApproveResettlement", round: proposal.round }, above)}
            >
              {t.approveProposal}
            </Button>
          ) : (
            <p>{t.approveOther}</p>
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
  const t = consoleWords().desk;
  const [text, setText] = useState("");
  const above = supervisors(desk.book);
  const settle = (upheld: boolean): void => void desk.act({ type: "SettleDispute", round, words: text, upheld }, above);
  const ready = !desk.busy && text.trim() !== "";
  return (
    <div class="question">
      <h2>{t.disputed(round)}</h2>
      {isSupervisor(desk.live.id, desk.book) ? (
        <ActForm onGo={() => settle(true)}>
          <Field label={t.reason} value={text} onValue={setText} maxLength={200} />
          <div class="buttons">
            <Button type="submit" disabled={!ready}>
              {t.settleDispute}
            </Button>
            <Button tone="danger" disabled={!ready} onClick={() => settle(false)}>
              {t.refuseClaim}
            </Button>
          </div>
        </ActForm>
      ) : (
        <p>{t.supervisorOnly(roleNames(desk.book, above))}</p>
      )}
    </div>
  );
}
