/** The form of a set-up, for a table that is opened or whose terms change. */

import type { ComponentChildren } from "preact";
import type { BookPage, WagerFigures } from "../../api/types";
import { Choice, Field } from "../../components/field";
import { floorWords } from "../../i18n/words/floor";
import { OptionsForm, PayTablesForm, ReadingsForm } from "./choices-form";
import { type Draft, type FieldErrors, shakersOf } from "./draft";
import { LimitsForm } from "./limits-form";

export interface SetupFormProps {
  book: BookPage;
  draft: Draft;
  wrongs: FieldErrors;
  figures: readonly WagerFigures[] | null;
  onDraft: (change: Partial<Draft>) => void;
}

/** Limits, pay tables, options and readings: what may change on an open table. */
export function TermsForm(props: SetupFormProps) {
  const t = floorWords();
  const { book } = props;
  return (
    <>
      <Part title={t.steps.limits} lead={t.limitsLead}>
        <LimitsForm {...props} />
      </Part>
      {Object.values(book.groups).some(group => group.paytables.length > 1) && (
        <Part title={t.steps.pays} lead={t.paysLead}>
          <PayTablesForm {...props} />
        </Part>
      )}
      {Object.keys(book.options).length > 0 && (
        <Part title={t.steps.options} lead={t.optionsLead}>
          <OptionsForm {...props} />
        </Part>
      )}
      {Object.keys(book.readings).length > 0 && (
        <Part title={t.steps.readings} lead={t.readingsLead}>
          <ReadingsForm {...props} />
        </Part>
      )}
    </>
  );
}

export function Part({ title, lead, children }: { title: string; lead?: string; children: ComponentChildren }) {
  return (
    <section class="card form-part">
      <h2>{title}</h2>
      {lead && <p class="soft">{lead}</p>}
      {children}
    </section>
  );
}

/** Dealers or the electronic tumbler, and the shaker. */
export function RunForm({ book, draft, wrongs, onDraft, realAllowed }: SetupFormProps & { realAllowed: boolean }) {
  const t = floorWords();
  const shakers = shakersOf(book);
  return (
    <div class="stack">
      <fieldset class="doubt">
        <legend>{t.runs}</legend>
        {[false, true].map(automatic => (
          <div
            key={String(automatic)}
            class={draft.automatic === automatic ? "doubt-choice doubt-choice-on" : "doubt-choice"}
          >
            <label>
              <input
                type="radio"
                name="run"
                checked={draft.automatic === automatic}
                onChange={() => onDraft({ automatic })}
              />
              {automatic ? t.runTumbler : t.runPeople}
            </label>
            <p class="doubt-effect soft">{automatic ? t.runTumblerMore : t.runPeopleMore}</p>
          </div>
        ))}
      </fieldset>
      {!draft.automatic && shakers.length > 0 && (
        <div class="form-row">
          <Choice
            label={t.shakerWhich}
            value={draft.shaker}
            options={shakers.map(one => ({ value: one, name: t.shakers[one] ?? one }))}
            onValue={shaker => onDraft({ shaker })}
          />
        </div>
      )}
      {draft.automatic && <ClockForm draft={draft} wrongs={wrongs} onDraft={onDraft} />}
      {draft.automatic && (
        <label class="tick">
          <input
            type="checkbox"
            checked={draft.real}
            disabled={!realAllowed}
            onChange={event => onDraft({ real: event.currentTarget.checked })}
          />
          <span>
            {t.real} {!realAllowed && <span class="soft">{t.realNo}</span>}
          </span>
        </label>
      )}
      {draft.automatic && draft.real && <ApprovalField draft={draft} wrongs={wrongs} onDraft={onDraft} />}
    </div>
  );
}

/** The number that people know the table by; it can change while the table is open. */
export function NumberField({ draft, wrongs, onDraft }: Pick<SetupFormProps, "draft" | "wrongs" | "onDraft">) {
  const t = floorWords();
  return (
    <Field
      label={t.number}
      value={draft.number}
      onValue={number => onDraft({ number })}
      inputMode="numeric"
      hint={t.numberHint}
      error={wrongs.number}
      maxLength={4}
      autocomplete="off"
    />
  );
}

/** Real money at an automatic table needs the regulator's approval. */
export function ApprovalField({ draft, wrongs, onDraft }: Pick<SetupFormProps, "draft" | "wrongs" | "onDraft">) {
  const t = floorWords();
  return (
    <Field
      label={t.approval}
      value={draft.approval}
      onValue={approval => onDraft({ approval })}
      hint={t.approvalHint}
      error={wrongs.approval}
      maxLength={120}
      autocomplete="off"
    />
  );
}

/** The betting time and pause of an automatic table; this can change while it is open. */
export function ClockForm({ draft, wrongs, onDraft }: Pick<SetupFormProps, "draft" | "wrongs" | "onDraft">) {
  const t = floorWords();
  return (
    <div class="form-row">
      <Field
        label={t.betting}
        value={draft.betting}
        onValue={betting => onDraft({ betting })}
        inputMode="numeric"
        hint={t.bettingHint}
        error={wrongs.betting}
      />
      <Field
        label={t.rest}
        value={draft.rest}
        onValue={rest => onDraft({ rest })}
        inputMode="numeric"
        hint={t.restHint}
        error={wrongs.rest}
      />
      <Field
        label={t.stack}
        value={draft.stack}
        onValue={stack => onDraft({ stack })}
        inputMode="decimal"
        hint={t.stackHint}
        error={wrongs.stack}
      />
    </div>
  );
}
