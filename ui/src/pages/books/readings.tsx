/** Readings of damaged or ambiguous passages, and house options: each with its choices. */

import type { BookPage } from "../../api/types";
import { Exact, Printed } from "../../components/book-sentence";
import { Clauses } from "../../components/clauses";
import { Section } from "../../components/section";
import { labelled, named } from "../../i18n";
import { booksWords } from "../../i18n/words/books";
import { asAddress } from "../../shell/book-choices";
import { address } from "../../shell/router";

type Doubt = BookPage["readings"][string] | BookPage["options"][string];

export function ReadingList({ book, kind }: { book: BookPage; kind: "readings" | "options" }) {
  const t = booksWords().books;
  const lead = kind === "readings" ? t.readingsLead : t.optionsLead;
  const all: [string, Doubt][] = Object.entries(book[kind]);
  return (
    <Section id={kind} title={t[kind]} lead={lead}>
      {all.length === 0 && <p class="soft">{t.none}</p>}
      <ul class="rule-cards rule-cards-wide">
        {all.map(([name, doubt]) => (
          <li key={name} class="rule-card">
            <h3>
              <Exact text={doubt.name} />
            </h3>
            {"printed" in doubt ? (
              <p>
                <span class="soft">{labelled(t.printed)}</span>
                <Printed text={doubt.printed} />
              </p>
            ) : (
              <p>
                <Exact text={doubt.says} />
              </p>
            )}
            <ul class="doubt-choices">
              {Object.entries<Doubt["choices"][string]>(doubt.choices).map(([id, choice]) => (
                <li key={id} class={id === doubt.chosen ? "doubt-chosen" : undefined}>
                  <span>
                    <Exact text={choice.says} />
                  </span>
                  <span class="asides">
                    {id === doubt.chosen && <span class="tag tag-good">✓ {t.inForce}</span>}
                    {id === doubt.default && <span class="tag">{t.byDefault}</span>}
                    {choice.as_printed && <span class="tag">{t.asPrinted}</span>}
                    {id !== doubt.chosen && (
                      <a href={effect(book.book, kind, name, id)} aria-label={`${t.effect}: ${named(choice.says)}`}>
                        {t.effect}
                      </a>
                    )}
                  </span>
                </li>
              ))}
            </ul>
            {"why" in doubt && (
              <p class="soft">
                {labelled(t.why)}
                <Exact text={doubt.why} />
              </p>
            )}
            <Clauses clauses={doubt.clause} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function effect(book: string, kind: "readings" | "options", name: string, choice: string): string {
  const one = [`${name}:${choice}`];
  return address`/books/${book}/analysis` + asAddress(kind === "readings" ? { reading: one } : { option: one });
}
