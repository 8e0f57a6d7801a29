/** The analysis of a book: exact figures, pay-table designer, state diagrams, reports. The server computes all of it. */

import { useRef } from "preact/hooks";
import { api, unwrap } from "../api/client";
import type { BookPage } from "../api/types";
import { useRequest } from "../api/use-request";
import { BookText } from "../components/book-sentence";
import { LinkButton } from "../components/button";
import { ProblemNote, Waiting } from "../components/problem-note";
import { Section } from "../components/section";
import { apiLanguage, words } from "../i18n";
import { booksWords } from "../i18n/words/books";
import { asAddress, asQuery, type BookChoices, bookChoicesOf, setIn } from "../shell/book-choices";
import { address, type PageProps } from "../shell/router";
import { oversees } from "../shell/session";
import { LazyChart } from "./books/chart";
import { Conditions } from "./books/conditions";
import { FigureTable } from "./books/figure-table";
import { Lint } from "./books/lint";
import { OneWager } from "./books/one-wager";
import { SessionExplorer } from "./books/session";

const FORMS = ["html", "pdf", "xlsx", "csv", "json"] as const;

export default function Analysis({ parameters, place }: PageProps) {
  const id = parameters.book ?? "";
  const lang = apiLanguage.value;
  const under = bookChoicesOf(place.query);
  const key = JSON.stringify(under);
  const path = { book_id: id };
  const { reading, option } = asQuery(under);
  const query = { ...(reading ? { reading } : {}), ...(option ? { option } : {}) };
  const book = useRequest(
    () => unwrap(api.GET("/api/v1/books/{book_id}", { params: { path, query: { lang, ...query } } })),
    [id, lang, key],
  );
  if (book.response.state === "loading") return <Waiting />;
  if (book.response.state === "failed") return <ProblemNote problem={book.response.problem} retry={book.reload} />;
  return <Figured book={book.response.data} under={under} wager={place.query.get("wager")} />;
}

function Figured({ book, under, wager }: { book: BookPage; under: BookChoices; wager: string | null }) {
  const t = booksWords().analysis;
  const below = useRef<HTMLDivElement>(null);
  const figures = useRequest(
    () =>
      unwrap(
        api.GET("/api/v1/books/{book_id}/analysis", {
          params: { path: { book_id: book.book }, query: asQuery(under) },
        }),
      ),
    [book.book, JSON.stringify(under)],
  );
  const chosen = book.wagers.find(one => one.wager === wager) ?? book.wagers[0];
  const look = (id: string): void => {
    setIn("wager", id);
    below.current?.scrollIntoView({ block: "start" });
    below.current?.querySelector("select")?.focus({ preventScroll: true });
  };
  return (
    <section class="page analysis">
      <header class="page-head">
        <div>
          <p class="card-kind">
            <BookText text={book.identity.title} />
          </p>
          <h1>{words().titles.figures}</h1>
          <p class="lead">{t.lead}</p>
        </div>
        <div class="page-ways">
          <LinkButton href={address`/books/${book.book}` + asAddress({ reading: under.reading, option: under.option })}>
            {t.rules}
          </LinkButton>
          {oversees.value && (
            <LinkButton
              href={`/simulation${asAddress({ reading: under.reading, option: under.option }, { book: book.book })}`}
            >
              {booksWords().books.simulate}
            </LinkButton>
          )}
        </div>
      </header>
      <Conditions book={book} under={under} />
      {figures.response.state === "loading" && <Waiting />}
      {figures.response.state === "failed" && <ProblemNote problem={figures.response.problem} retry={figures.reload} />}
      {figures.response.state === "loaded" && (
        <Section id="figures" title={t.table}>
          <FigureTable book={book} figures={figures.response.data.wagers} onWager={look} />
          <Reports book={book.book} under={under} />
        </Section>
      )}
      <div ref={below} class="below">
        {chosen && (
          <OneWager
            book={book}
            wager={chosen}
            under={under}
            figures={
              figures.response.state === "loaded"
                ? figures.response.data.wagers.find(one => one.wager === chosen.wager)
                : undefined
            }
            onWager={id => setIn("wager", id)}
          />
        )}
      </div>
      {chosen && <SessionExplorer key={`${book.book} ${chosen.wager}`} book={book} wager={chosen} under={under} />}
      {figures.response.state === "loaded" && (
        <Section id="chart" title={t.chart} lead={t.chartLead}>
          <LazyChart book={book} figures={figures.response.data.wagers} />
        </Section>
      )}
      <Lint book={book} under={under} />
    </section>
  );
}

function Reports({ book, under }: { book: string; under: BookChoices }) {
  const t = booksWords().analysis;
  return (
    <p class="reports">
      <span class="soft">{t.reports}</span>
      {FORMS.map(form => (
        <a
          key={form}
          class="button button-plain"
          href={address`/api/v1/books/${book}/report` + asAddress(under, { format: form })}
          download
          aria-label={t.reportAs(form.toUpperCase())}
        >
          {form.toUpperCase()}
        </a>
      ))}
    </p>
  );
}
