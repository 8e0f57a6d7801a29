/** Why a set of dice is taken out of the shaker. */

import { useState } from "preact/hooks";
import { Button } from "../components/button";
import { Field } from "../components/field";
import { Form } from "../components/form";
import { words } from "../i18n";

interface TakeOutFormProps {
  busy: boolean;
  onReason: (reason: string) => void;
  onCancel: () => void;
}

export function TakeOutForm({ busy, onReason, onCancel }: TakeOutFormProps) {
  const say = words().desk;
  const [reason, setReason] = useState("");
  return (
    <Form class="stack" onSend={() => onReason(reason.trim())}>
      <Field label={say.takeOutWhy} value={reason} onValue={setReason} maxLength={300} autocomplete="off" />
      <div class="buttons">
        <Button type="submit" tone="main" busy={busy} disabled={reason.trim() === ""}>
          {say.takeOutGo}
        </Button>
        <Button tone="quiet" onClick={onCancel}>
          {words().dialog.cancel}
        </Button>
      </div>
    </Form>
  );
}
