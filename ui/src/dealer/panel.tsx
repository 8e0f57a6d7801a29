/** A dialog of the console; a refusal is shown inside it, because nothing beside it can be read. */

import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Dialog } from "../components/dialog";
import { Form } from "../components/form";
import { ProblemNote } from "../components/problem-note";
import { consoleWords } from "../i18n/words/console";
import type { Desk } from "./console";

interface PanelProps {
  desk: Desk;
  open: boolean;
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

export function Panel({ desk, open, title, onClose, children }: PanelProps) {
  useEffect(() => desk.forgive(), [open]);
  return (
    <Dialog open={open} title={title} onClose={onClose}>
      {desk.stale && (
        <p class="note note-bad" role="alert">
          {consoleWords().dealer.stale}
        </p>
      )}
      {desk.refused !== null && <ProblemNote problem={desk.refused} />}
      {children}
    </Dialog>
  );
}

/** A form that is not submitted automatically. */
export function ActForm(props: { onGo: () => void; children: ComponentChildren }) {
  return (
    <Form class="act-form" onSend={() => props.onGo()}>
      {props.children}
    </Form>
  );
}
