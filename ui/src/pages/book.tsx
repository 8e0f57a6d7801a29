/** A book as a page: bets, procedure, irregularities, equipment, roles, readings, options, clauses. */

import type { ComponentChildren } from "preact";
import { api, unwrap } from "../api/client";
import type { BookPage } from "../api/types";
import { useRequest } from "../api/use-request";
import { BookText, ExactLine } from "../components/book-sentence";
import { LinkButton } from "../components/button";
import { Fact } from "../components/facts";
import { ProblemNote, Waiting } from "../components/problem-note";
import { Section } from "../components/section";
import { apiLanguage, bracketed, listed, named, words } from "../i18n";
import { booksWords } from "../i18n/words/books";
import { Layout } from "../layout/layout";
import { asAddress, asQuery, bookChoicesOf } from "../shell/book-choices";
import { address, type PageProps } from "../shell/router";
import { oversees } from "../shell/session";
import { ReadingList } from "./books/readings";
import { Equipment, Irregularities, Procedure, Register, Roles } from "./books/rules";
import { WagerTable } from "./books/wager-table";

export default function Book({ parameters, place }: PageProps) {
  const id = parameters.book ?? "";
  const { paytable: _, ...under } = bookChoicesOf(place.query);
  const lang = apiLanguage.value;
  const query = { lang, ...asQuery({ ...under, paytable: [] }) };
  const { response, reload } = useRequest(
    () => unwrap(api.GET("/api/v1/books/{book_id}", { params: { path: { book_id: id }, query } })),
    [id, lang, place.query.toString()],
  );
  if (response.state === "loading") return <Waiting />;
  if (response.state === "failed") return <ProblemNote problem={response.problem} retry={reload} />;
  return (
    <Rules
      book={response.data}
      figures={address`/books/${id}/analysis` + asAddress(under)}
      nights={`/simulation${asAddress(under, { book: id })}`}
    />
  );
}

function Rules({ book, figures, nights }: { book: BookPage; figures: string; nights: string }) {
  const t = booksWords().books;
  const parts = [
    ["layout", t.layout],
    ["wagers", t.wagersTitle],
    ["procedure", t.procedure],
    ["irregularities", t.irregularities],
    ["equipment", t.equipment],
    ["roles", t.roles],
    ["readings", t.readings],
    ["options", t.options],
    ["register", t.register],
  ] as const;
  return (
    <article class="page book">
      <header class="page-head">
        <div>
          <p class="card-kind">{words().games[book.identity.game]}</p>
          <h1>
            <BookText text={book.identity.title} />
          </h1>
          <p class="lead">
            <BookText text={book.identity.about} />
          </p>
        </div>
        <div class="page-ways">
          <LinkButton href={figures} tone="main">
            {t.figures}
          </LinkButton>
          {oversees.value && <LinkButton href={nights}>{t.simulate}</LinkButton>}
        </div>
      </header>
      <Identity book={book} />
      <div class="book-body">
        <nav class="book-ways" aria-label={t.inThisPage}>
          <ul>
            {parts.map(([id, name]) => (
              <li key={id}>
                <a href={`#${id}`}>{name}</a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="book-parts">
          <Section id="layout" title={t.layout}>
            <Layout book={book} />
          </Section>
          <Section id="wagers" title={t.wagersTitle} lead={t.basis[book.odds.basis]}>
            <WagerTable book={book} />
          </Section>
          <Procedure book={book} />
          <Irregularities book={book} />
          <Equipment book={book} />
          <Roles book={book} />
          <ReadingList book={book} kind="readings" />
          <ReadingList book={book} kind="options" />
          <Register book={book} />
        </div>
      </div>
    </article>
  );
}

/** The bets of the book that are not offered, by kind: "Place 2, 3, 11, 12", named like their offered neighbours. */
function withheldNames(book: BookPage): string[] {
  const byKind = new Map<string, string[]>();
  for (const wager of Object.keys(book.withheld)) {
    const [kind = "", selection = ""] = wager.split("/");
    byKind.set(kind, [...(byKind.get(kind) ?? []), selection]);
  }
  return [...byKind].map(([kind, selections]) => {
    const offered = book.wagers.find(one => one.wager.startsWith(`${kind}/`));
    const name =
      offered === undefined
        ? kind
        : named(offered.name)
            .replace(offered.wager.split("/")[1] ?? "", "")
            .trim();
    return `${name} ${listed(selections)}`.trim();
  });
}

/** The version as the book states it; "edition 1" in the language of the page. */
function versionWords(version: string | null): string | null {
  const edition = /^edition (\d+)$/.exec(version ?? "")?.[1];
  return edition === undefined ? version : booksWords().books.edition(edition);
}

function Identity({ book }: { book: BookPage }) {
  const t = booksWords().books;
  const { identity } = book;
  const withReading = (name: string, value: ComponentChildren) =>
    value === null ? null : identity.inferred.includes(name) ? (
      <>
        {value}
        <span class="soft">{bracketed(t.notStated)}</span>
      </>
    ) : (
      value
    );
  return (
    <dl class="identity">
      <Fact name={t.authority}>
        {withReading(
          "authority",
          words().authorities[identity.authority.en] ?? <ExactLine text={identity.authority} />,
        )}
      </Fact>
      <Fact name={t.version}>{withReading("version", versionWords(identity.version))}</Fact>
      <Fact name={t.since}>{withReading("in_force_since", identity.in_force_since)}</Fact>
      <Fact name={t.currency}>{withReading("currency", identity.currency)}</Fact>
      <Fact name={words().area.withheld}>{withheldNames(book).join(" · ")}</Fact>
    </dl>
  );
}
