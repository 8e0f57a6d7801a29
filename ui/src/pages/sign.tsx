/** The odds sign of a table, to print on A4 or to show on a wall, made from the pay tables and limits in use. */

import { useRef } from "preact/hooks";
import type { BookPage } from "../api/types";
import { BookText, Exact } from "../components/book-sentence";
import { rangeText } from "../components/limits";
import { ProblemPage, Waiting } from "../components/problem-note";
import { choose, LANGUAGES, labelled, language, locale, regional, words } from "../i18n";
import { playWords } from "../i18n/words/play";
import { useBook } from "../live/book";
import { tableLabel } from "../live/names";
import { useLiveTable } from "../live/use-table";
import type { Rules, View } from "../live/view";
import { amountText, decimalsOf } from "../money/amounts";
import { address, go, type PageProps } from "../shell/router";
import { FORMATS, type Format, useFittedPrint } from "./sign/fitting";
import { type SignLine, type SignPart, signParts, signReadings } from "./sign/rows";

export default function SignPage({ parameters, place }: PageProps) {
  const live = useLiveTable(parameters.table ?? "");
  const view = live.view.value;
  const rules = live.rules.value;
  const book = useBook(rules);
  const problem = live.problem.value;
  if (problem !== null && view === null) return <ProblemPage problem={problem} retry={() => live.start()} />;
  if (view === null || rules === null || book === null) return <Waiting />;
  const format: Format = place.query.get("format") === "wall" ? "wall" : "a4";
  return (
    <section class="sign-page">
      <Controls table={live.id} format={format} />
      <Sign table={live.id} format={format} book={book} rules={rules} view={view} />
    </section>
  );
}

interface SignProps {
  table: string;
  format: Format;
  book: BookPage;
  rules: Rules;
  view: View;
}

function Sign({ table, format, book, rules, view }: SignProps) {
  const t = playWords().oddsSign;
  const parts = signParts(book, rules);
  const readings = signReadings(book);
  const sign = useRef<HTMLElement>(null);
  useFittedPrint(sign, format, JSON.stringify([language.value, parts, readings, rules.limit_groups, view.open]));
  return (
    <article ref={sign} class={`odds-sign odds-sign-${format}`}>
      <header>
        <p class="odds-sign-facility" translate={false}>
          {rules.setup.facility}
        </p>
        <h1>
          <BookText text={book.identity.title} />
        </h1>
        <p class="odds-sign-table">
          {tableLabel(table)} · {words().titles.oddsSign}
        </p>
      </header>
      <div class="odds-sign-parts">
        {parts.map(part => (
          <Part key={part.title} part={part} rules={rules} limits={rules.limit_groups.length > 1} />
        ))}
      </div>
      <footer>
        <Terms rules={rules} view={view} hand={book.identity.game === "craps"} />
        {readings.length > 0 && (
          <section class="odds-sign-readings">
            <h2>{t.readings}</h2>
            <ul>
              {readings.map(({ wagers, says }) => (
                <li key={`${wagers} ${says.en}`}>
                  {labelled(wagers)}
                  <Exact text={says} />
                </li>
              ))}
            </ul>
          </section>
        )}
      </footer>
    </article>
  );
}

/** Not printed. */
function Controls({ table, format }: { table: string; format: Format }) {
  const t = playWords().oddsSign;
  const show = (next: Format): void => go(`${address`/tables/${table}/sign`}?format=${next}`, { replace: true });
  return (
    <nav class="sign-controls" aria-label={t.link}>
      <a href={address`/tables/${table}`}>{t.back}</a>
      <fieldset class="switch">
        <legend class="unseen">{t.formats}</legend>
        {FORMATS.map(one => (
          <button key={one} type="button" aria-pressed={one === format} onClick={() => show(one)}>
            {t.format[one]}
          </button>
        ))}
      </fieldset>
      <fieldset class="switch">
        <legend class="unseen">{words().shell.language}</legend>
        {LANGUAGES.map(one => (
          <button
            key={one.code}
            type="button"
            lang={one.code}
            aria-pressed={one.code === language.value}
            onClick={() => choose(one.code)}
          >
            {one.name}
          </button>
        ))}
      </fieldset>
      <button type="button" class="button button-main" onClick={() => print()}>
        {t.print}
      </button>
    </nav>
  );
}

function Part({ part, rules, limits }: { part: SignPart; rules: Rules; limits: boolean }) {
  const t = playWords().oddsSign;
  return (
    <table class="odds-sign-part">
      {part.title !== "" && <caption>{part.title}</caption>}
      <thead>
        <tr>
          <th scope="col">{t.wager}</th>
          <th scope="col">{t.pays}</th>
          {limits && <th scope="col">{t.limits}</th>}
        </tr>
      </thead>
      <tbody>
        {part.lines.map(line => (
          <tr key={`${line.name} ${line.limit?.stake_min} ${line.limit?.stake_max}`}>
            <th scope="row">{line.name}</th>
            <td>
              <LinePays line={line} money={rules.money} />
            </td>
            {limits && <td>{line.limit && rangeText(line.limit, rules.money)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function LinePays({ line, money }: { line: SignLine; money: string }) {
  const t = playWords().oddsSign;
  const minor = line.cap === null ? null : line.cap * 10 ** decimalsOf(money);
  return (
    <>
      {line.note !== "" && <p class="odds-sign-when">{line.note}</p>}
      {line.pays.map(one => (
        <p key={`${one.when} ${one.odds}`} class="odds-sign-way">
          {one.when !== null && <span class="odds-sign-when">{withPairs(labelled(one.when))}</span>}
          <span class="odds-sign-odds">{one.odds}</span>
        </p>
      ))}
      {line.commission !== null && (
        <p class="odds-sign-when">
          {t.commission(
            line.commission.percent,
            line.commission.of,
            line.commission.charged === "when bet" ? "first" : "win",
          )}
        </p>
      )}
      {minor !== null && <p class="odds-sign-when">{t.cap(amountText(minor, money, locale.value, { short: true }))}</p>}
    </>
  );
}

/** Limits that are the same everywhere, the table's payout limit, the kind of money, and the date of the terms. */
function Terms({ rules, view, hand }: { rules: Rules; view: View; hand: boolean }) {
  const t = playWords().oddsSign;
  const amount = (minor: number): string => amountText(minor, rules.money, locale.value, { short: true });
  const [only] = rules.limit_groups;
  const approval = view.automatic?.run.approval;
  const most = view.payout_max;
  const since = rules.since === null ? null : new Date(rules.since);
  const dated = new Intl.DateTimeFormat(regional.value, { dateStyle: "long" });
  return (
    <ul class="odds-sign-terms">
      {!view.open && <li>{t.closed}</li>}
      <li>
        {rules.limit_groups.length === 1 && only !== undefined ? t.limitsAll(rangeText(only, rules.money)) : t.perArea}
      </li>
      {most !== null && <li>{hand ? t.payoutMaxHand(amount(most)) : t.payoutMax(amount(most))}</li>}
      {rules.play_money && <li>{t.playMoney}</li>}
      {approval && <li>{t.approval(approval)}</li>}
      <li>{words().shell.dicegovern}</li>
      {since !== null && (
        <li>
          <time dateTime={rules.since ?? ""}>{t.since(dated.format(since))}</time>
        </li>
      )}
    </ul>
  );
}

/** Keeps pairs of dice, such as 4-4, on one line. */
function withPairs(text: string) {
  return text
    .split(/(\d+-\d+)/)
    .map((part, index) => (index % 2 === 0 ? part : <span class="odds-sign-pair">{part}</span>));
}
