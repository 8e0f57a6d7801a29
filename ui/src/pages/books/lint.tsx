/** Checks of a book's pays. */

import { api, told } from "../../api/client";
import type { BookPage } from "../../api/types";
import { useAsked } from "../../api/use-request";
import { Because } from "../../components/book-sentence";
import { Clauses } from "../../components/clauses";
import { Downloads } from "../../components/downloads";
import { ProblemNote } from "../../components/problem-note";
import { Section } from "../../components/section";
import { booksWords } from "../../i18n/words/books";
import { areaName } from "../../layout/model";
import { asQuery, type Under } from "../../shell/book-choices";

export function Lint({ book, under }: { book: BookPage; under: Under }) {
  const say = booksWords().analysis;
  const query = asQuery({ ...under, paytable: [] });
  const { asked, again } = useAsked(
    () => told(api.GET("/api/v1/books/{book_id}/lint", { params: { path: { book_id: book.book }, query } })),
    [book.book, JSON.stringify(query)],
  );
  if (asked.state === "waiting") return null;
  if (asked.state === "failed") return <ProblemNote problem={asked.problem} again={again} />;
  return (
    <Section id="lint" title={say.lint}>
      {asked.told.findings.length === 0 && <p class="soft">{say.nothingFound}</p>}
      {asked.told.findings.length > 0 && (
        <Downloads
          file={`${book.book}-checks`}
          about={say.lint}
          told
          content={() => ({
            sheets: [
              {
                name: say.lint,
                columns: ["severity", "rule", "wager", "paytable", "finding", "clauses"],
                rows: asked.told.findings.map(one => [
                  one.severity,
                  one.rule,
                  one.wager,
                  one.paytable,
                  one.says,
                  one.clauses.join(", "),
                ]),
              },
            ],
            data: asked.told,
          })}
        />
      )}
      <ul class="findings">
        {asked.told.findings.map(one => (
          <li key={`${one.rule} ${one.wager} ${one.paytable} ${one.says}`}>
            <span class={`tag tag-${one.severity}`}>{say.severity[one.severity]}</span>
            {one.wager !== null && <strong>{areaName(book, one.wager)}</strong>}
            <span>
              <Because says={booksWords().findings[one.rule] ?? one.rule} why={one.says} />
            </span>
            <Clauses clauses={one.clauses} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
