/** The parts of a rule page about people and equipment. */

import type { components } from "../../api/schema";
import type { BookPage, Label } from "../../api/types";
import { BookText, Exact, Translated } from "../../components/book-sentence";
import { Clauses } from "../../components/clauses";
import { Fact } from "../../components/facts";
import { type Column, Figures } from "../../components/figures";
import { Section } from "../../components/section";
import { listed, named, translationOf, words } from "../../i18n";
import { remedyName } from "../../i18n/names";
import { booksWords } from "../../i18n/words/books";

type Step = BookPage["procedure"]["round"][number];
type Clause = components["schemas"]["Clause"] & { id: string };

/** Roles by their names in this book. */
function people(book: BookPage, ids: readonly string[], orAbove = false): string | null {
  if (ids.length === 0) return null;
  const names = ids.map(id => {
    const role = book.roles[id];
    return role ? named(role.name) : id;
  });
  return listed(names) + (orAbove ? ` ${booksWords().books.orAbove}` : "");
}

function None() {
  return <p class="soft">{booksWords().books.none}</p>;
}

export function Procedure({ book }: { book: BookPage }) {
  const t = booksWords().books;
  const { opening, round } = book.procedure;
  return (
    <Section id="procedure" title={t.procedure}>
      {opening.length > 0 && <h3>{t.opening}</h3>}
      {opening.length > 0 && <Steps book={book} steps={opening} />}
      <h3>{t.round}</h3>
      <Steps book={book} steps={round} />
    </Section>
  );
}

function Steps({ book, steps }: { book: BookPage; steps: readonly Step[] }) {
  const t = booksWords().books;
  return (
    <ol class="book-steps">
      {steps.map(step => (
        <li key={step.id}>
          <div>
            <p class="step-says">
              <Exact text={step.says} />
            </p>
            {step.announce && (
              <p class="spoken">
                <Spoken text={step.announce} />
              </p>
            )}
            <p class="asides">
              {step.who.length > 0 && <span>{people(book, step.who)}</span>}
              {step.directed_by.length > 0 && (
                <span>
                  {t.directedBy}: {people(book, step.directed_by)}
                </span>
              )}
              {step.at_least !== null && <span>{t.atLeast(step.at_least)}</span>}
              {step.shaker !== null && <span class="tag">{t.shaker[step.shaker]}</span>}
              <Clauses clauses={step.clause} />
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}

/** The prescribed announcement. */
function Spoken({ text }: { text: Label }) {
  const chinese = translationOf(text);
  return <Translated chinese={chinese === null ? null : `「${chinese}」`} says={`“${text.en}”`} />;
}

export function Irregularities({ book }: { book: BookPage }) {
  const t = words();
  const all = Object.entries(book.irregularities);
  return (
    <Section id="irregularities" title={booksWords().books.irregularities}>
      {all.length === 0 && <None />}
      <ul class="rule-cards">
        {all.map(([id, one]) => (
          <li key={id} class="rule-card">
            <h3>{named(one.name)}</h3>
            <p>
              <Exact text={one.says} />
            </p>
            {one.announce && (
              <p class="spoken">
                <Spoken text={one.announce} />
              </p>
            )}
            <dl>
              <Fact name={booksWords().books.remedy}>
                <strong>{remedyName(one.remedy)}</strong>
              </Fact>
              <Fact name={booksWords().books.when}>{listed(one.when.map(phase => t.phase[phase] ?? phase))}</Fact>
              <Fact name={booksWords().books.calledBy}>{people(book, one.called_by)}</Fact>
              <Fact name={booksWords().books.presence}>{people(book, one.presence, one.or_above)}</Fact>
              <Fact name={booksWords().books.until}>{one.cease_until && <BookText text={one.cease_until} />}</Fact>
            </dl>
            <Clauses clauses={one.clause} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function Equipment({ book }: { book: BookPage }) {
  const t = booksWords().books;
  const things = Object.entries(book.equipment);
  const inspections = Object.values(book.inspections);
  return (
    <Section id="equipment" title={t.equipment}>
      {things.length === 0 && <None />}
      <ul class="rule-cards">
        {things.map(([id, thing]) => (
          <li key={id} class="rule-card">
            <h3>{named(thing.name)}</h3>
            <p>
              <Exact text={thing.says} />
            </p>
            {thing.requires.length > 0 && (
              <ul class="points">
                {thing.requires.map(one => (
                  <li key={one.says.en}>
                    <Exact text={one.says} /> <span class="clause">{listed(one.clause)}</span>
                  </li>
                ))}
              </ul>
            )}
            <dl>
              <Fact name={t.keeper}>{people(book, thing.keeper)}</Fact>
              {thing.life.map(life => (
                <Fact key={`${life.shaker}-${life.length}`} name={t.life}>
                  {`${life.length} ${t.unit[life.unit]}${life.shaker === "any" ? "" : `, ${t.shaker[life.shaker]}`}, ${t.from(named(life.counted_from))}`}
                </Fact>
              ))}
            </dl>
            <Clauses clauses={thing.clause} />
          </li>
        ))}
      </ul>
      {inspections.length > 0 && <h3>{t.inspections}</h3>}
      <ul class="points">
        {inspections.map(one => (
          <li key={one.id}>
            <strong>{t.inspectionWhen[one.when]}</strong>: <Exact text={one.says} /> (
            {people(book, one.who, one.or_above)}) <Clauses clauses={one.clause} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function Roles({ book }: { book: BookPage }) {
  const t = booksWords().books;
  const roles = Object.entries(book.roles).sort(([, a], [, b]) => b.rank - a.rank);
  return (
    <Section id="roles" title={t.roles}>
      <ul class="role-list">
        {roles.map(([id, role]) => (
          <li key={id}>
            <strong>{named(role.name)}</strong>
            <span class="soft">
              {t.rank} {role.rank}
            </span>
            <Clauses clauses={role.clause} />
          </li>
        ))}
      </ul>
      <p>
        {t.acting}: {t.ranks[book.ranks.acting] ?? book.ranks.acting} <Clauses clauses={book.ranks.clause} />
      </p>
    </Section>
  );
}

export function Register({ book }: { book: BookPage }) {
  const t = booksWords().books;
  const columns: Column<Clause>[] = [
    { id: "id", name: t.clause, value: one => one.id, show: one => <span class="clause">{one.id}</span> },
    { id: "says", name: t.text, value: one => named(one.says), show: one => <Exact text={one.says} /> },
    { id: "kind", name: t.kind, value: one => t.kinds[one.kind] },
  ];
  return (
    <Section id="register" title={t.register}>
      <Figures
        caption={t.register}
        columns={columns}
        rows={inOrder(Object.entries(book.clauses).map(([id, clause]) => ({ id, ...clause })))}
        rowKey={one => one.id}
        file={`${book.book}-clauses`}
      />
    </Section>
  );
}

/** In the book's order: an object lists names like "4" before all others, so each is moved back in front of its
 * successor. */
function inOrder(clauses: Clause[]): Clause[] {
  const ordered = clauses.filter(one => !/^\d+$/.test(one.id));
  for (const one of clauses.filter(one => /^\d+$/.test(one.id))) {
    const next = ordered.findIndex(other => Number.parseInt(other.id, 10) >= Number(one.id));
    ordered.splice(next < 0 ? ordered.length : next, 0, one);
  }
  return ordered;
}
