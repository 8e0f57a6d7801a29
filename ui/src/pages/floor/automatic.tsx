/** An automatic table: pause and resume, repair the tumbler, void a round with two people. */

import { useState } from "preact/hooks";
import { TextWithReason } from "../../components/book-sentence";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { Form } from "../../components/form";
import { floorWords } from "../../i18n/words/floor";
import { personName } from "../../live/names";
import { me } from "../../shell/session";
import type { FloorDesk } from "./table-actions";

const TUMBLER = "electronic-tumbler";

export function AutomaticRun({ desk }: { desk: FloorDesk }) {
  const run = desk.view.automatic;
  if (run === undefined) return null;
  return (
    <>
      <Held desk={desk} paused={run.paused} failed={run.failed} />
      <VoidRound desk={desk} />
    </>
  );
}

function Held({ desk, paused, failed }: { desk: FloorDesk; paused: string | null; failed: string | null }) {
  const t = floorWords();
  const [why, setWhy] = useState("");
  const may = desk.may("Pause");
  const hold = async (): Promise<void> => {
    if (await desk.act({ type: "Pause", words: why })) setWhy("");
  };
  return (
    <section class={paused !== null || failed !== null ? "card card-wanted" : "card"}>
      <h2>{t.hold}</h2>
      {failed !== null && (
        <div class="note note-bad">
          <p>
            <TextWithReason says={t.stopped.tumbler} why={failed} />
          </p>
          {desk.may("Repair") && (
            <Button busy={desk.busy} onClick={() => void desk.act({ type: "Repair", equipment: TUMBLER })}>
              {t.repaired}
            </Button>
          )}
        </div>
      )}
      {paused !== null ? (
        <div class="note">
          <p>
            <strong>{t.heldNow(paused)}</strong>
          </p>
          {may && (
            <Button tone="main" busy={desk.busy} onClick={() => void desk.act({ type: "Unpause" })}>
              {t.goOn}
            </Button>
          )}
        </div>
      ) : (
        <Form class="stack" onSend={() => void hold()}>
          <p class="soft">{t.holdLead}</p>
          {may ? (
            <>
              <Field label={t.holdWords} value={why} onValue={setWhy} maxLength={200} />
              <Button type="submit" busy={desk.busy}>
                {t.holdGo}
              </Button>
            </>
          ) : (
            <p class="soft">{t.onlyFor(t.supervisors)}</p>
          )}
        </Form>
      )}
    </section>
  );
}

function VoidRound({ desk }: { desk: FloorDesk }) {
  const t = floorWords();
  const [why, setWhy] = useState("");
  const proposed = desk.staff.void_by;
  const propose = async (): Promise<void> => {
    if (await desk.act({ type: "ProposeVoid", words: why })) setWhy("");
  };
  return (
    <section class={proposed === null ? "card" : "card card-wanted"}>
      <h2>{t.voidTitle}</h2>
      {proposed !== null ? (
        <>
          <p>
            <strong>{t.voidBy(personName(proposed))}</strong>
          </p>
          {proposed === me.value?.name || !desk.may("ApproveVoid") ? (
            <p class="soft">{t.voidOwn}</p>
          ) : (
            <Button
              tone="danger"
              busy={desk.busy}
              onClick={() => void desk.act({ type: "ApproveVoid", round: desk.view.round })}
            >
              {t.voidApprove}
            </Button>
          )}
        </>
      ) : (
        <Form class="stack" onSend={() => void propose()}>
          <p class="soft">{t.voidLead}</p>
          {desk.may("ProposeVoid") ? (
            <>
              <Field label={t.voidWords} value={why} onValue={setWhy} maxLength={200} />
              <Button type="submit" busy={desk.busy} disabled={why.trim() === ""}>
                {t.voidGo}
              </Button>
            </>
          ) : (
            <p class="soft">{t.onlyFor(t.supervisors)}</p>
          )}
        </Form>
      )}
    </section>
  );
}
