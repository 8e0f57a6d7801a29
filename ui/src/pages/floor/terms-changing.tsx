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
  const t = floorWords();
  const { book } = desk;
  const setup = setupIn(desk);
  const [draft, setDraft] = useState<Draft>(() => draftOf(setup));
  const change = (more: Partial<Draft>): void => setDraft(old => ({ ...old, ...more }));
  const entered = setupOf(draft, book);
  const wanted: Setup = { ...entered.setup, digest: setup.digest, currency: setup.currency };
  const good = Object.keys(entered.wrongs).length === 0;
  const command: Command = { type: "ChangeSetup", setup: wanted };
  const trial = useTrial(desk.live.id, good ? command : null, desk.staff.may.ChangeSetup);
  const figures = useEdges(book, draft.options);
  const go = async (): Promise<void> => {
    if (!(await desk.act(command))) return;
    toastDone(t.changed);
    onDone();
  };
  const form = { book, draft, wrongs: entered.wrongs, figures, onDraft: change };
  return (
    <Form
      class="open-form"
      onSend={() => {
        if (good) void go();
      }}
    >
      <Part title={t.changeTerms} lead={t.changeLead}>
        <div class="form-row">
          <NumberField draft={draft} wrongs={entered.wrongs} onDraft={change} />
          <Field
            label={t.facility}
            value={draft.facility}
            onValue={facility => change({ facility })}
            error={entered.wrongs.facility}
            maxLength={120}
          />
        </div>
        {draft.automatic && <ClockForm draft={draft} wrongs={entered.wrongs} onDraft={change} />}
        {draft.automatic && draft.real && <ApprovalField draft={draft} wrongs={entered.wrongs} onDraft={change} />}
        <p class="soft">
          <strong>{labelled(t.fixed)}</strong>
          {t.fixedWhy}
        </p>
      </Part>
      <TermsForm {...form} />
      <section class="card form-part open-go" aria-label={t.changeGo}>
        {good ? <TrialNote trial={trial} /> : <p class="unmet">{t.mend}</p>}
        <div class="buttons">
          <Button type="submit" tone="main" busy={desk.busy} disabled={!good}>
            {t.changeGo}
          </Button>
          <Button onClick={onDone}>{t.cancel}</Button>
        </div>
      </section>
    </Form>
  );
}
