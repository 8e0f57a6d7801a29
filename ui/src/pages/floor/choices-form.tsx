/** Pay tables, house options and readings: each choice with its clause and its effect on the house edge. */

import type { ComponentChildren } from "preact";
import type { BookPage, Label, WagerFigures } from "../../api/types";
import { Exact, ExactLine, Printed } from "../../components/book-sentence";
import { Clauses } from "../../components/clauses";
import { labelled, named, untranslated } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import { percentage } from "../../money/figures";
import type { Draft } from "./draft";
import { type Choices, edgeOf, effectsOf } from "./edges";

interface FormProps {
  book: BookPage;
  draft: Draft;
  figures: readonly WagerFigures[] | null;
  onDraft: (change: Partial<Draft>) => void;
}

export function PayTablesForm({ book, draft, figures, onDraft }: FormProps) {
  const t = floorWords();
  const groups = Object.entries(book.groups).filter(([, group]) => group.paytables.length > 1);
  return (
    <div class="stack">
      {groups.map(([id, group]) => (
        <fieldset key={id} class="doubt">
          <legend>
            {named(group.name)} <Clauses clauses={group.clause} />
          </legend>
          {group.paytables.map((table, place) => (
            <Radio
              key={table}
              name={`paytable-${id}`}
              checked={(draft.paytables[id] ?? group.paytables[0]) === table}
              says={untranslated(table)}
              tags={place === 0 ? [t.byDefault] : []}
              onChosen={() => onDraft({ paytables: chosenIn(draft.paytables, id, table, group.paytables[0] ?? "") })}
            >
              {figures === null ? t.edgesWait : edgesUnder(book, figures, draft, id, table)}
            </Radio>
          ))}
        </fieldset>
      ))}
    </div>
  );
}

/** The edges of a group's bets under one of its pay tables. */
function edgesUnder(
  book: BookPage,
  figures: readonly WagerFigures[],
  draft: Draft,
  group: string,
  table: string,
): string {
  const t = floorWords();
  const chosen: Choices = { ...draft, paytables: { ...draft.paytables, [group]: table } };
  const found = book.wagers
    .filter(wager => wager.group === group)
    .flatMap(wager => {
      const edge = edgeOf(figures, book, wager, chosen);
      return edge === undefined ? [] : [{ name: named(wager.name), edge: edge.value }];
    });
  if (found.length > 4) {
    const edges = found.map(one => one.edge);
    const [least, most] = [percentage(Math.min(...edges)), percentage(Math.max(...edges))];
    return least === most ? t.oneEdge(least) : t.edgeRange(least, most);
  }
  return `${t.edge}: ${found.map(one => t.edgeOf(one.name, percentage(one.edge))).join(" · ")}`;
}

export function OptionsForm({ book, draft, onDraft }: FormProps) {
  const t = floorWords();
  return (
    <div class="stack">
      {Object.entries(book.options).map(([id, option]) => (
        <fieldset key={id} class="doubt">
          <legend>
            <ExactLine text={option.says} /> <Clauses clauses={option.clause} />
          </legend>
          {Object.entries(option.choices).map(([choice, details]) => (
            <Radio
              key={choice}
              name={`option-${id}`}
              checked={(draft.options[id] ?? option.default) === choice}
              says={details.says}
              tags={choice === option.default ? [t.byDefault] : []}
              onChosen={() => onDraft({ options: chosenIn(draft.options, id, choice, option.default) })}
            />
          ))}
        </fieldset>
      ))}
    </div>
  );
}

export function ReadingsForm({ book, draft, figures, onDraft }: FormProps) {
  const t = floorWords();
  const all = Object.entries(book.readings);
  const open = all.filter(([, reading]) => Object.keys(reading.choices).length > 1);
  const settled = all.filter(([, reading]) => Object.keys(reading.choices).length === 1);
  return (
    <div class="stack">
      {open.map(([id, reading]) => (
        <fieldset key={id} class="doubt">
          <legend>
            {labelled(t.printed)}
            <Printed text={reading.printed} /> <Clauses clauses={reading.clause} />
          </legend>
          {Object.entries(reading.choices).map(([choice, option]) => (
            <Radio
              key={choice}
              name={`reading-${id}`}
              checked={(draft.readings[id] ?? reading.default) === choice}
              says={option.says}
              tags={[...(choice === reading.default ? [t.byDefault] : []), ...(option.as_printed ? [t.asPrinted] : [])]}
              onChosen={() => onDraft({ readings: chosenIn(draft.readings, id, choice, reading.default) })}
            >
              <ReadingEffects book={book} draft={draft} figures={figures} reading={id} choice={choice} />
            </Radio>
          ))}
          <p class="soft">
            {labelled(t.why)}
            <Exact text={reading.why} />
          </p>
        </fieldset>
      ))}
      {settled.length > 0 && (
        <details class="settled">
          <summary>{t.oneWay(settled.length)}</summary>
          <ul>
            {settled.map(([id, reading]) => (
              <li key={id}>
                <Printed text={reading.printed} />{" "}
                <Exact text={reading.choices[reading.default]?.says ?? untranslated(reading.default)} />{" "}
                <Clauses clauses={reading.clause} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

interface EffectProps {
  book: BookPage;
  draft: Draft;
  figures: readonly WagerFigures[] | null;
  reading: string;
  choice: string;
}

/** The effect of a choice on the edge compared with the default, from the server's figures. */
function ReadingEffects({ book, draft, figures, reading, choice }: EffectProps) {
  const t = floorWords();
  if (figures === null) return <>{t.edgesWait}</>;
  const effects = effectsOf(figures, book, draft, reading, choice);
  if (effects.length === 0) return <>{t.noEffect}</>;
  return (
    <ul>
      {effects.map(({ names, from, to }) => (
        <li key={`${names} ${to.exact}`} title={from.exact === to.exact ? to.exact : `${from.exact} → ${to.exact}`}>
          {from.exact === to.exact
            ? t.sameNow(names, percentage(to.value))
            : t.effect(names, percentage(from.value), percentage(to.value))}
        </li>
      ))}
    </ul>
  );
}

interface RadioProps {
  name: string;
  checked: boolean;
  says: Label;
  tags: readonly string[];
  onChosen: () => void;
  children?: ComponentChildren;
}

function Radio({ name, checked, says, tags, onChosen, children }: RadioProps) {
  return (
    <div class={checked ? "doubt-choice doubt-choice-on" : "doubt-choice"}>
      <label>
        <input type="radio" name={name} checked={checked} onChange={onChosen} />
        <span>
          <ExactLine text={says} />
        </span>
        {tags.map(tag => (
          <span key={tag} class="tag">
            {tag}
          </span>
        ))}
      </label>
      {children !== undefined && <div class="doubt-effect soft">{children}</div>}
    </div>
  );
}

/** Choices by name; defaults are left out, so that the book's own default continues to apply. */
function chosenIn(before: Record<string, string>, name: string, choice: string, usual: string): Record<string, string> {
  const { [name]: _, ...others } = before;
  return choice === usual ? others : { ...others, [name]: choice };
}
