/** A secret that the server shows only once: copy it now. */

import { useState } from "preact/hooks";
import { words } from "../i18n";
import { Button } from "./button";
import { copied } from "./clipboard";

interface OneTimeSecretProps {
  lead: string;
  label: string;
  text: string;
  done: string;
  onDone: () => void;
}

export function OneTimeSecret({ lead, label, text, done, onDone }: OneTimeSecretProps) {
  const t = words().figures;
  const [taken, setTaken] = useState(false);
  return (
    <>
      <p>
        <strong>{lead}</strong>
      </p>
      <input
        class="shown-once"
        value={text}
        readOnly
        aria-label={label}
        onFocus={event => event.currentTarget.select()}
      />
      <div class="buttons">
        <Button tone="main" onClick={() => void copied(text).then(setTaken)}>
          {taken ? t.copied : t.copy}
        </Button>
        <Button onClick={onDone}>{done}</Button>
      </div>
    </>
  );
}
