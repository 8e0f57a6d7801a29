/** At an automatic table: the player's own entry to the draw, and the reason for it. */

import { useState } from "preact/hooks";
import { asProblem } from "../../api/problems";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { Form } from "../../components/form";
import { toastProblem } from "../../components/toasts";
import { playWords } from "../../i18n/words/play";
import { sendCommand } from "../../live/commands";
import type { LiveTable } from "../../live/table";
import type { View } from "../../live/view";

const LONGEST = 64;

export function DrawShare({ live, view }: { live: LiveTable; view: View }) {
  const t = playWords().seat;
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const given = live.mine.value?.nonce ?? null;
  const sealed = view.automatic?.commitment ?? null;
  const give = async (): Promise<void> => {
    setBusy(true);
    try {
      await sendCommand(live.id, { type: "GiveNonce", nonce: text }, { role: "player" });
      setText("");
    } catch (thrown) {
      toastProblem(asProblem(thrown));
    } finally {
      setBusy(false);
    }
  };
  return (
    <details class="panel draw-share">
      <summary>{t.draw}</summary>
      <p class="soft">{t.drawWhy}</p>
      <Form onSend={() => void give()}>
        <Field
          label={t.drawField}
          hint={t.drawHint}
          value={text}
          onValue={setText}
          maxLength={LONGEST}
          autocomplete="off"
        />
        <Button type="submit" busy={busy} disabled={text.trim() === "" || !view.betting}>
          {t.drawGo}
        </Button>
      </Form>
      {given !== null && (
        <p class="draw-given" role="status">
          {t.drawn(given)}
        </p>
      )}
      {sealed !== null && (
        <p class="soft draw-sealed">
          {t.drawSealed} <code>{sealed}</code>
        </p>
      )}
      <p>
        <a href="/verify">{t.drawVerify}</a>
      </p>
    </details>
  );
}
