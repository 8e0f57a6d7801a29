/** Every book of the house. No account is needed. */

import { api, unwrap } from "../api/client";
import type { BookLine } from "../api/types";
import { useRequest } from "../api/use-request";
import { Authority, BookText } from "../components/book-sentence";
import { LinkButton } from "../components/button";
import { PageHead } from "../components/page-head";
import { ProblemNote, Waiting } from "../components/problem-note";
import { words } from "../i18n";
import { booksWords } from "../i18n/words/books";
import { address } from "../shell/router";

export default function Books() {
  const t = booksWords().books;
  const { response, reload } = useRequest(() => unwrap(api.GET("/api/v1/books")), []);
  return (
    <section class="page books">
      <PageHead title={t.title} lead={t.lead}>
        <LinkButton href="/analysis">{t.compare}</LinkButton>
      </PageHead>
      {response.state === "failed" && <ProblemNote problem={response.problem} retry={reload} />}
      {response.state === "loading" && <Waiting />}
      <ul class="book-cards">
        {response.state === "loaded" && response.data.books.map(book => <BookCard key={book.book} book={book} />)}
      </ul>
    </section>
  );
}

function BookCard({ book }: { book: BookLine }) {
  const t = booksWords().books;
  const here = address`/books/${book.book}`;
  return (
    <li class="book-card">
      <header>
        <p class="card-kind">
          {words().games[book.game] ?? book.game}
          {!book.packaged && <span class="tag">{t.own}</span>}
        </p>
        <h2>
          <a href={here}>
            <BookText text={book.title} />
          </a>
        </h2>
        <p class="soft book-authority">
          <Authority name={book.authority} />
        </p>
      </header>
      <p>
        <BookText text={book.about} />
      </p>
      <ul class="facts">
        <li>{t.dice(book.dice)}</li>
        <li>{t.wagers(book.wagers)}</li>
        <li>{t.clauses(book.clauses)}</li>
        <li>{book.currency}</li>
      </ul>
      <footer>
        <LinkButton href={here} tone="main">
          {t.read}
        </LinkButton>
        <LinkButton href={`${here}/analysis`} tone="quiet">
          {t.figures}
        </LinkButton>
      </footer>
    </li>
  );
}
