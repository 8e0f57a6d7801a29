/** Checks of a book's pays. */

import { api, unwrap } from "../../api/client";
import type { BookPage } from "../../api/types";
import { useRequest } from "../../api/use-request";
import { TextWithReason } from "../../components/book-sentence";
import { Clauses } from "../../components/clauses";
import { Downloads } from "../../components/downloads";
import { ProblemNote } from "../../components/problem-note";
import { Section } from "../../components/section";
import { booksWords } from "../../i18n/words/books";
import { areaName } from "../../layout/model";
import { asQuery, type BookChoices } from "../../shell/book-choices";

export function Lint({ book, under }: { book: BookPage; under: BookChoices }) {
  const t = booksWords().analysis;
  const query = asQuery({ ...under, paytable: [] });
  const { response, reload } = useRequest(
    () => unwrap(api.GET("/api/v1/books/{book_id}/lint", { params: { path: { book_id: book.book }, query } })),
    [book.book, JSON.stringify(query)],
  );
  if (response.state === "loading") return null;
  if (response.state === "failed") return <ProblemNote problem={response.problem} retry={reload} />;
  return (
    <Section id="lint" title={t.lint}>
      {response.data.findings.length === 0 && <p class="soft">{t.nothingFound}</p>}
      {response.data.findings.length > 0 && (
        <Downloads
          file={`${book.book}-checks`}
          about={t.lint}
          showAbout
          content={() => ({
            sheets: [
              {
                name: t.lint,
                columns: ["severity", "rule", "wager", "paytable", "finding", "clauses"],
                rows: response.data.findings.map(one => [
                  one.severity,
                  one.rule,
                  one.wager,
                  one.paytable,
                  one.says,
                  one.clauses.join(", "),
                ]),
              },
            ],
            data: response.data,
          })}
        />
      )}
      <ul class="findings">
        {response.data.findings.map(one => (
          <li key={`${one.rule} ${one.wager} ${one.paytable} ${one.says}`}>
            <span class={`tag tag-${one.severity}`}>{t.severity[one.severity]}</span>
            {one.wager !== null && <strong>{areaName(book, one.wager)}</strong>}
            <span>
              <TextWithReason says={booksWords().findings[one.rule] ?? one.rule} why={one.says} />
            </span>
            <Clauses clauses={one.clauses} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
