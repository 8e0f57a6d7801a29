/** A secret that the server shows only once: copy it now. */

import { useState } from "preact/hooks";
import { words } from "../i18n";
import { Button } from "./button";
import { copied } from "./clipboard";

interface ShownOnceProps {
  lead: string;
  label: string;
  text: string;
  done: string;
  onDone: () => void;
}

export function ShownOnce({ lead, label, text, done, onDone }: ShownOnceProps) {
  const say = words().figures;
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
          {taken ? say.copied : say.copy}
        </Button>
        <Button onClick={onDone}>{done}</Button>
      </div>
    </>
  );
}
