/** Why a set of dice is taken out of the shaker, and what happens to it. */

import { useState } from "preact/hooks";
import { Button } from "../components/button";
import { Choice, Field } from "../components/field";
import { Form } from "../components/form";
import { words } from "../i18n";
import { consoleWords } from "../i18n/words/console";

const FATES = ["kept", "cancelled", "destroyed"] as const;

export interface TakenOut {
  reason: string;
  fate: (typeof FATES)[number];
}

interface TakeOutFormProps {
  busy: boolean;
  /** Whether the set may be cancelled or destroyed, which dealers may not do. */
  above: boolean;
  onTakeOut: (taken: TakenOut) => void;
  onCancel: () => void;
}

export function TakeOutForm({ busy, above, onTakeOut, onCancel }: TakeOutFormProps) {
  const t = consoleWords().desk;
  const [reason, setReason] = useState("");
  const [fate, setFate] = useState<TakenOut["fate"]>("kept");
  return (
    <Form class="stack" onSend={() => onTakeOut({ reason: reason.trim(), fate })}>
      <Field label={t.takeOutWhy} value={reason} onValue={setReason} maxLength={300} autocomplete="off" />
      {above && (
        <Choice
          label={t.takeOutFate}
          value={fate}
          options={FATES.map(value => ({ value, name: t.fates[value] }))}
          onValue={setFate}
        />
      )}
      <div class="buttons">
        <Button type="submit" tone={fate === "kept" ? "main" : "danger"} busy={busy} disabled={reason.trim() === ""}>
          {t.takeOut}
        </Button>
        <Button tone="quiet" onClick={onCancel}>
          {words().dialog.cancel}
        </Button>
      </div>
    </Form>
  );
}
