/** The pay-table designer: the server shows the effect of other pays at once, and whether the book allows them. */

import { useEffect, useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import type { BookPage, Tried, WagerEntry } from "../../api/types";
import { latestData, useRequest } from "../../api/use-request";
import { Button } from "../../components/button";
import { Downloads } from "../../components/downloads";
import { Choice } from "../../components/field";
import { ProblemNote } from "../../components/problem-note";
import { words } from "../../i18n";
import { booksWords } from "../../i18n/words/books";
import { percentage, rounded } from "../../money/figures";
import { oddsWords, payTable } from "../../money/odds";
import { englishOdds } from "../../money/odds-zh";
import { type BookChoices, byName } from "../../shell/book-choices";
import { Share } from "./fraction-cell";
import { Targets } from "./targets";

const PAUSE = 220;

/** The rows whose pay can be changed: all rows of a count, else those that don't lose. */
function changeable(wager: WagerEntry, paytable: string | null): [string, string][] {
  const table = payTable(wager, paytable);
  return wager.rows.flatMap((row): [string, string][] => {
    const pays = table?.pays[row];
    const open = wager.decided === "count" || (table?.gains[row]?.value ?? -1) > -1;
    return pays !== undefined && open ? [[row, pays]] : [];
  });
}

/** Pays by row, with each of the odds rewritten: fields have them in the language of the page, the server reads English. */
function rewritten(pays: [string, string][], rewrite: (odds: string) => string): Record<string, string> {
  return Object.fromEntries(pays.map(([row, odds]) => [row, rewrite(odds)]));
}

/** The typed value, after a pause in typing. */
function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), PAUSE);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

export function Designer({ book, wager, under }: { book: BookPage; wager: WagerEntry; under: BookChoices }) {
  const t = booksWords().analysis;
  const requested = byName(under.paytable)[wager.group ?? ""];
  const tables = wager.paytables.map(one => one.paytable);
  const [paytable, setPaytable] = useState<string | null>(requested ?? tables[0] ?? null);
  const [pays, setPays] = useState(() => rewritten(changeable(wager, paytable), oddsWords));
  const rested = useRested(pays);
  const conditions = { readings: byName(under.reading), options: byName(under.option) };
  const trying = useRequest(
    () =>
      unwrap(
        api.POST("/api/v1/books/{book_id}/analysis", {
          params: { path: { book_id: book.book } },
          body: {
            ...conditions,
            wagers: [wager.wager],
            paytables: paytable === null ? {} : { [wager.wager]: paytable },
            pays: { [wager.wager]: rewritten(Object.entries(rested), englishOdds) },
          },
        }),
      ),
    [rested, paytable],
  ).response;
  const answer = latestData(trying);
  const tried = answer?.wagers[0];
  const reset = (table: string | null): void => {
    setPaytable(table);
    setPays(rewritten(changeable(wager, table), oddsWords));
  };
  return (
    <div class="designer">
      {tables.length > 1 && (
        <Choice
          label={t.paytable}
          value={paytable ?? ""}
          options={tables.map(one => ({ value: one ?? "", name: one ?? "" }))}
          onValue={reset}
        />
      )}
      {tried && <Verdict tried={tried} />}
      {trying.state === "failed" && <ProblemNote problem={trying.problem} />}
      <ul class="pay-rows">
        {changeable(wager, paytable).map(([row, printed]) => (
          <PayRow
            key={row}
            when={wager.wins[row] ?? row}
            printed={printed}
            value={pays[row] ?? ""}
            tried={tried?.rows.find(one => one.row === row)}
            breakEven={tried?.figures.break_even[row]}
            basis={answer?.basis ?? "minimum"}
            onValue={value => setPays({ ...pays, [row]: value })}
          />
        ))}
      </ul>
      <div>
        <Button onClick={() => reset(paytable)}>{t.back}</Button>
      </div>
      <Targets
        book={book.book}
        wager={wager}
        paytable={paytable}
        {...conditions}
        onFound={found => setPays(before => ({ ...before, ...rewritten(Object.entries(found), oddsWords) }))}
      />
      {tried && <Ends tried={tried} wager={wager} />}
    </div>
  );
}

function Verdict({ tried }: { tried: Tried }) {
  const t = booksWords().analysis;
  return (
    <dl class="verdict" aria-live="polite">
      <div class="verdict-main">
        <dt>{t.edgeNow}</dt>
        <dd data-figure="edge">
          <Share figure={tried.figures.house_edge} /> <span class="fraction">{tried.figures.house_edge.exact}</span>
        </dd>
      </div>
      <div>
        <dt>{t.edgeBook}</dt>
        <dd>
          <Share figure={tried.house_edge_printed} />
        </dd>
      </div>
      <div>
        <dt>{t.change}</dt>
        <dd title={tried.house_edge_change.exact}>{percentage(tried.house_edge_change.value, { signed: true })}</dd>
      </div>
      <div>
        <dt>{t.byText}</dt>
        <dd>
          <Keeps keeps={tried.keeps} />
        </dd>
      </div>
    </dl>
  );
}

function Keeps({ keeps }: { keeps: boolean }) {
  const t = booksWords().analysis;
  return keeps ? <span class="kept">✓ {t.keeps}</span> : <span class="broken">✗ {t.breaks}</span>;
}

interface PayRowProps {
  when: string;
  printed: string;
  value: string;
  tried: Tried["rows"][number] | undefined;
  breakEven: { exact: string; value: number } | undefined;
  basis: "minimum" | "fixed";
  onValue: (value: string) => void;
}

function PayRow({ when, printed, value, tried, breakEven, basis, onValue }: PayRowProps) {
  const t = booksWords().analysis;
  return (
    <li class={tried && !tried.keeps ? "pay-row pay-row-bad" : "pay-row"}>
      <p>{when}</p>
      <label>
        <span class="unseen">{t.youPayFor(when)}</span>
        <input
          type="text"
          value={value}
          maxLength={60}
          spellcheck={false}
          autocomplete="off"
          onInput={event => onValue(event.currentTarget.value)}
        />
      </label>
      <p class="asides">
        <span>
          {t.bookPays} {oddsWords(printed)}
        </span>
        {breakEven && (
          <span title={breakEven.exact}>
            {t.breakEven} {t.toOne(rounded(breakEven.value, 2))}
          </span>
        )}
        {tried && (
          <span class={tried.keeps ? undefined : "broken"}>
            {t.asks[basis]} {oddsWords(tried.asked)} <span aria-hidden="true">{tried.keeps ? "✓" : "✗"}</span>
            <span class="unseen">{tried.keeps ? t.keeps : t.breaks}</span>
          </span>
        )}
        {tried && <span class="clause">{words().problem.clause(tried.clause)}</span>}
      </p>
    </li>
  );
}

function Ends({ tried, wager }: { tried: Tried; wager: WagerEntry }) {
  const t = booksWords().analysis;
  return (
    <>
      <h3>{t.ends}</h3>
      <ul class="ends">
        {tried.figures.ends.map(end => (
          <li key={end.row}>
            <span>{wager.wins[end.row] ?? end.row}</span>
            <span>{oddsWords(end.pays)}</span>
            <span class="figure">{percentage(end.probability.value)}</span>
            <span class="fraction">{end.probability.exact}</span>
          </li>
        ))}
      </ul>
      <Downloads
        file={`${wager.wager.replace("/", "-")}-results`}
        about={t.ends}
        showAbout
        content={() => ({
          sheets: [
            {
              name: t.ends,
              columns: [t.end, t.pays, t.chance, t.exact],
              rows: tried.figures.ends.map(end => [
                wager.wins[end.row] ?? end.row,
                end.pays,
                end.probability.value,
                end.probability.exact,
              ]),
            },
          ],
          data: tried,
        })}
      />
    </>
  );
}
