/** Closing a table: what must be done first, and whether it would be refused now. */

import { useState } from "preact/hooks";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { gap, labelled, words } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import { tableLabel } from "../../live/names";
import { isIdle } from "../../staff/at-table";
import type { FloorDesk } from "./table-actions";
import { useTrial } from "./trial";
import { TrialNote } from "./trial-note";

export function Closing({ desk }: { desk: FloorDesk }) {
  const t = floorWords();
  const [confirming, setConfirming] = useState(false);
  const may = desk.may("CloseTable");
  const idle = isIdle(desk);
  const points = [
    { says: t.closeIdle, met: idle },
    { says: t.closeNoBets(desk.staff.bets.length), met: desk.staff.bets.length === 0 },
  ];
  const ready = points.every(point => point.met);
  const close = async (): Promise<void> => {
    await desk.act({ type: "CloseTable" });
    setConfirming(false);
  };
  return (
    <section class="card">
      <h2>{t.close}</h2>
      <p class="soft">{t.closeLead}</p>
      <ul class="points-met">
        {points.map(point => (
          <li key={point.says} class={point.met ? "met" : "unmet"}>
            <span class="unseen">{labelled(point.met ? t.yes : t.no)}</span>
            {point.says}
          </li>
        ))}
        <li class="advice">
          <span>
            {t.closeCounted}
            {gap()}
            <span class="soft">{t.closeCountedMore}</span>
          </span>
        </li>
      </ul>
      {may ? (
        <Button tone="danger" disabled={desk.busy || !ready} onClick={() => setConfirming(true)}>
          {t.closeGo}…
        </Button>
      ) : (
        <p class="soft">{t.onlyFor(t.managers)}</p>
      )}
      <Dialog open={confirming} title={t.closeSure} onClose={() => setConfirming(false)}>
        <Sure desk={desk} onGo={close} onNo={() => setConfirming(false)} />
      </Dialog>
    </section>
  );
}

function Sure({ desk, onGo, onNo }: { desk: FloorDesk; onGo: () => void; onNo: () => void }) {
  const t = floorWords();
  const trial = useTrial(desk.live.id, { type: "CloseTable" }, desk.staff.may.CloseTable);
  return (
    <>
      <p>{t.closeSureMore(tableLabel(desk.live.id))}</p>
      <TrialNote trial={trial} quiet />
      <div class="buttons">
        <Button tone="danger" busy={desk.busy} onClick={onGo}>
          {t.closeGo}
        </Button>
        <Button onClick={onNo}>{words().dialog.cancel}</Button>
      </div>
    </>
  );
}
