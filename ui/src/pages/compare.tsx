/** The figures of each book, and the same bets in two books side by side. */

import { useMemo } from "preact/hooks";
import { api, unwrap } from "../api/client";
import type { BookLine, Compared } from "../api/types";
import { useRequest } from "../api/use-request";
import { LinkButton } from "../components/button";
import { Choice } from "../components/field";
import { type Column, Figures } from "../components/figures";
import { PageHead } from "../components/page-head";
import { ProblemNote, Waiting } from "../components/problem-note";
import { Section } from "../components/section";
import { listed, named, sentences, words } from "../i18n";
import { booksWords } from "../i18n/words/books";
import { percentage } from "../money/figures";
import { oddsWords } from "../money/odds";
import { setIn } from "../shell/book-choices";
import { address, type PageProps } from "../shell/router";
import { oversees } from "../shell/session";
import { BarList, type NamedBars } from "./books/bar-list";

export default function Compare({ place }: PageProps) {
  const t = booksWords().analysis;
  const { response, reload } = useRequest(() => unwrap(api.GET("/api/v1/books")), []);
  return (
    <section class="page analysis">
      <PageHead title={t.compareTitle} lead={t.compareLead}>
        {oversees.value && <LinkButton href="/simulation">{words().shell.simulation}</LinkButton>}
      </PageHead>
      {response.state === "failed" && <ProblemNote problem={response.problem} retry={reload} />}
      {response.state === "loading" && <Waiting />}
      {response.state === "loaded" && (
        <>
          <TwoBooks books={response.data.books} query={place.query} />
          <Section id="each" title={words().titles.figures}>
            <ul class="book-links">
              {response.data.books.map(book => (
                <li key={book.book}>
                  <LinkButton href={address`/books/${book.book}/analysis`}>{named(book.title)}</LinkButton>
                </li>
              ))}
            </ul>
          </Section>
        </>
      )}
    </section>
  );
}

/** At first a book and the next one of the same game, which have something to compare. */
function TwoBooks({ books, query }: { books: readonly BookLine[]; query: URLSearchParams }) {
  const t = booksWords().analysis;
  const known = (id: string | null): BookLine | undefined => books.find(book => book.book === id);
  const left = known(query.get("left")) ?? books[0];
  const right =
    known(query.get("right")) ?? books.find(book => book !== left && book.game === left?.game) ?? books[1] ?? left;
  if (left === undefined || right === undefined) return null;
  const options = books.map(book => ({ value: book.book, name: named(book.title) }));
  return (
    <Section id="compare" title={t.compare}>
      <div class="choices">
        <Choice label={t.left} value={left.book} options={options} onValue={value => setIn("left", value)} />
        <Choice label={t.right} value={right.book} options={options} onValue={value => setIn("right", value)} />
      </div>
      <Bets key={`${left.book} ${right.book}`} left={left} right={right} />
    </Section>
  );
}

type Bet = Compared["bets"][number];

/** How much higher the edge is in the second book; null if a bet is the same in both, or not in both. */
function edgeGap(bet: Bet, left: BookLine, right: BookLine): number | null {
  const [first, second] = [bet.in[left.book]?.[0], bet.in[right.book]?.[0]];
  if (first === undefined || second === undefined || !differs(bet, left, right)) return null;
  return second.house_edge.value - first.house_edge.value;
}

/** Whether a bet has other odds or another edge in one of the books. */
function differs(bet: Bet, left: BookLine, right: BookLine): boolean {
  const terms = ({ book }: BookLine): string =>
    JSON.stringify((bet.in[book] ?? []).map(one => [one.paytable, one.pays, one.house_edge.exact]));
  return terms(left) !== terms(right);
}

/** Largest differences first. */
function byDifference(bets: readonly Bet[], left: BookLine, right: BookLine): Bet[] {
  const rank = (bet: Bet): number =>
    differs(bet, left, right) ? 1 + Math.abs(edgeGap(bet, left, right) ?? Number.MAX_VALUE) : 0;
  return [...bets].sort((one, other) => rank(other) - rank(one));
}

function Bets({ left, right }: { left: BookLine; right: BookLine }) {
  const t = booksWords().analysis;
  const { response, reload } = useRequest(
    () => unwrap(api.GET("/api/v1/compare", { params: { query: { left: left.book, right: right.book } } })),
    [left.book, right.book],
  );
  const leftTitle = named(left.short);
  const rightTitle = named(right.short);
  const columns = useMemo((): Column<Bet>[] => {
    const books = left === right ? [left] : [left, right];
    const titleOf = (book: BookLine): string => (book === left ? leftTitle : rightTitle);
    const lines = (bet: Bet, book: BookLine) => bet.in[book.book] ?? [];
    const cells = (bet: Bet, book: BookLine, cell: (one: Bet["in"][string][number]) => string) => {
      const found = lines(bet, book);
      if (found.length === 0) return <span class="soft">{t.notThere}</span>;
      return (
        <ul class="book-lines">
          {found.map(one => (
            <li key={`${one.wager} ${one.paytable}`}>{cell(one)}</li>
          ))}
        </ul>
      );
    };
    const pays = (one: Bet["in"][string][number]): string =>
      (one.paytable === null ? "" : `${one.paytable}: `) + one.pays.map(oddsWords).join(" / ");
    return [
      { id: "bet", name: t.bet, value: bet => named(bet.name), show: bet => <strong>{named(bet.name)}</strong> },
      ...(left === right ? [] : [gapColumn(left, right)]),
      ...books.flatMap((book): Column<Bet>[] => [
        {
          id: `pays-${book.book}`,
          name: t.paysIn(titleOf(book)),
          value: bet => lines(bet, book).map(pays).join("; "),
          show: bet => cells(bet, book, pays),
        },
        {
          id: `edge-${book.book}`,
          name: t.edgeIn(titleOf(book)),
          kind: "figure",
          value: bet => lines(bet, book)[0]?.house_edge.value ?? null,
          show: bet => cells(bet, book, one => percentage(one.house_edge.value)),
          hint: bet =>
            lines(bet, book)
              .map(one => one.house_edge.exact)
              .join("; "),
        },
      ]),
    ];
  }, [left, right, leftTitle, rightTitle, t]);
  if (response.state === "loading") return <Waiting />;
  if (response.state === "failed") return <ProblemNote problem={response.problem} retry={reload} />;
  if (response.data.bets.length === 0) return <p class="note">{t.noneShared}</p>;
  const { alone } = response.data;
  const bets = byDifference(response.data.bets, left, right);
  const different = bets.filter(bet => differs(bet, left, right)).length;
  return (
    <>
      {left !== right && (
        <p class="lead" role="status">
          {t.differences(different, bets.length)}
        </p>
      )}
      <Figures
        caption={t.compare}
        columns={columns}
        rows={bets}
        rowKey={bet => bet.bet}
        file={`${left.book}-${right.book}`}
        data={response.data}
      />
      <EdgesSideBySide books={left === right ? [left] : [left, right]} bets={bets} />
      {[left, right].map(
        ({ book, title }) =>
          left !== right &&
          alone[book] && (
            <p class="note" key={book}>
              {sentences(t.onlyIn(named(title)), listed(alone[book].map(aloneText)))}
            </p>
          ),
      )}
    </>
  );
}

/** A bet, or a family of bets by its first and last. */
function aloneText({ first, last, count }: Compared["alone"][string][number]): string {
  return last === null ? named(first) : `${named(first)} … ${named(last)} (${count})`;
}

function gapColumn(left: BookLine, right: BookLine): Column<Bet> {
  const t = booksWords().analysis;
  return {
    id: "gap",
    name: t.gap,
    kind: "figure",
    value: bet => edgeGap(bet, left, right),
    show: bet => {
      if (!differs(bet, left, right)) return <span class="soft">{t.same}</span>;
      const gap = edgeGap(bet, left, right);
      return gap === null ? "–" : percentage(gap, { signed: true });
    },
  };
}

/** The edges of the same bets: the first book's bar above the second's, by the first pay table of each; equal ones
 * share a line. */
function EdgesSideBySide({ books, bets }: { books: readonly BookLine[]; bets: readonly Bet[] }) {
  const t = booksWords().analysis;
  const alike = new Map<string, Bet[]>();
  for (const bet of bets) {
    const found = books.map(({ book }) => bet.in[book]?.[0]);
    if (found.some(one => one === undefined)) continue;
    const key = `${familyOf(found[0]?.wager)} ${found.map(one => one?.house_edge.exact).join(" ")}`;
    alike.set(key, [...(alike.get(key) ?? []), bet]);
  }
  const rows = [...alike].flatMap(([key, group]): NamedBars[] => {
    const [first, last] = [group[0], group.at(-1)];
    if (first === undefined) return [];
    const bars = books.flatMap(({ book }) => first.in[book]?.[0]?.house_edge ?? []);
    const until =
      last === first ? "" : ` … ${selectionOf(last?.in[books[0]?.book ?? ""]?.[0]?.wager)} (${group.length})`;
    return [{ key, name: named(first.name) + until, bars: bars.map(bar => ({ ...bar, text: percentage(bar.value) })) }];
  });
  const titles = books.map(book => named(book.short));
  return (
    <div class="edge-chart">
      <h3>{t.chart}</h3>
      <p class="legend">
        {titles.map((title, place) => (
          <span key={title} class={place > 0 ? "legend-second" : "legend-first"}>
            {title}
          </span>
        ))}
      </p>
      <BarList
        title={t.chart}
        file={`${books.map(book => book.book).join("-")}-edges`}
        rows={rows}
        columns={[t.bet, ...titles.map(t.edgeIn)]}
      />
    </div>
  );
}

function familyOf(wager: string | undefined): string {
  return wager?.split("/")[0] ?? "";
}

function selectionOf(wager: string | undefined): string {
  return wager?.split("/")[1] ?? "";
}
