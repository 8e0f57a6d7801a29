/** Other terms for an open table, tried before they take effect. */

import { useState } from "preact/hooks";
import type { Command, Setup } from "../../api/types";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { Form } from "../../components/form";
import { toastDone } from "../../components/toasts";
import { labelled } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import { type Draft, draftOf, setupOf } from "./draft";
import { useEdges } from "./edges";
import { ApprovalField, ClockForm, NumberField, Part, TermsForm } from "./setup-form";
import { type FloorDesk, setupIn } from "./table-actions";
import { useTrial } from "./trial";
import { TrialNote } from "./trial-note";

export function Changing({ desk, onDone }: { desk: FloorDesk; onDone: () => void }) {
  const say = floorWords();
  const { book } = desk;
  const setup = setupIn(desk);
  const [draft, setDraft] = useState<Draft>(() => draftOf(setup));
  const change = (more: Partial<Draft>): void => setDraft(old => ({ ...old, ...more }));
  const asked = setupOf(draft, book);
  const wanted: Setup = { ...asked.setup, digest: setup.digest, currency: setup.currency };
  const good = Object.keys(asked.wrongs).length === 0;
  const command: Command = { type: "ChangeSetup", setup: wanted };
  const trial = useTrial(desk.live.id, good ? command : null, desk.staff.may.ChangeSetup);
  const figures = useEdges(book, draft.options);
  const go = async (): Promise<void> => {
    if (!(await desk.act(command))) return;
    toastDone(say.changed);
    onDone();
  };
  const form = { book, draft, wrongs: asked.wrongs, figures, onDraft: change };
  return (
    <Form
      class="open-form"
      onSend={() => {
        if (good) void go();
      }}
    >
      <Part title={say.changeTerms} lead={say.changeLead}>
        <div class="form-row">
          <NumberField draft={draft} wrongs={asked.wrongs} onDraft={change} />
          <Field
            label={say.facility}
            value={draft.facility}
            onValue={facility => change({ facility })}
            error={asked.wrongs.facility}
            maxLength={120}
          />
        </div>
        {draft.automatic && <ClockForm draft={draft} wrongs={asked.wrongs} onDraft={change} />}
        {draft.automatic && draft.real && <ApprovalField draft={draft} wrongs={asked.wrongs} onDraft={change} />}
        <p class="soft">
          <strong>{labelled(say.fixed)}</strong>
          {say.fixedWhy}
        </p>
      </Part>
      <TermsForm {...form} />
      <section class="card form-part open-go" aria-label={say.changeGo}>
        {good ? <TrialNote trial={trial} /> : <p class="unmet">{say.mend}</p>}
        <div class="buttons">
          <Button type="submit" tone="main" busy={desk.busy} disabled={!good}>
            {say.changeGo}
          </Button>
          <Button onClick={onDone}>{say.cancel}</Button>
        </div>
      </section>
    </Form>
  );
}
