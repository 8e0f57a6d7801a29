/** Every book of the house. No account is needed. */

import { api, told } from "../api/client";
import type { BookLine } from "../api/types";
import { useAsked } from "../api/use-request";
import { Says } from "../components/book-sentence";
import { LinkButton } from "../components/button";
import { PageHead } from "../components/page-head";
import { ProblemNote, Waiting } from "../components/problem-note";
import { words } from "../i18n";
import { booksWords } from "../i18n/words/books";
import { address } from "../shell/router";

export default function Books() {
  const say = booksWords().books;
  const { asked, again } = useAsked(() => told(api.GET("/api/v1/books")), []);
  return (
    <section class="page books">
      <PageHead title={say.title} lead={say.lead}>
        <LinkButton href="/analysis">{say.compare}</LinkButton>
      </PageHead>
      {asked.state === "failed" && <ProblemNote problem={asked.problem} again={again} />}
      {asked.state === "waiting" && <Waiting />}
      <ul class="book-cards">
        {asked.state === "here" && asked.told.books.map(book => <BookCard key={book.book} book={book} />)}
      </ul>
    </section>
  );
}

function BookCard({ book }: { book: BookLine }) {
  const say = booksWords().books;
  const here = address`/books/${book.book}`;
  return (
    <li class="book-card">
      <header>
        <p class="card-kind">
          {words().games[book.game] ?? book.game}
          {!book.packaged && <span class="tag">{say.own}</span>}
        </p>
        <h2>
          <a href={here}>
            <Says text={book.title} />
          </a>
        </h2>
        <p class="soft book-authority">
          <Says text={book.authority} />
        </p>
      </header>
      <p>
        <Says text={book.about} />
      </p>
      <ul class="facts">
        <li>{say.dice(book.dice)}</li>
        <li>{say.wagers(book.wagers)}</li>
        <li>{say.clauses(book.clauses)}</li>
        <li>{book.currency}</li>
      </ul>
      <footer>
        <LinkButton href={here} tone="main">
          {say.read}
        </LinkButton>
        <LinkButton href={`${here}/analysis`} tone="quiet">
          {say.figures}
        </LinkButton>
      </footer>
    </li>
  );
}
