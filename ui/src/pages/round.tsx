/** A past round at its own URL: its dice, its lit layout, the bets as far as the viewer may see them, and its proof. */

import { api, unwrap } from "../api/client";
import type { BookPage, RoundPage } from "../api/types";
import { useRequest } from "../api/use-request";
import { Amount } from "../components/amount";
import { LinkButton } from "../components/button";
import { Dice, totalOf } from "../components/dice";
import { ProblemNote, Waiting } from "../components/problem-note";
import { named, words } from "../i18n";
import { auditWords } from "../i18n/words/audit";
import { playWords } from "../i18n/words/play";
import { Layout } from "../layout/layout";
import { announcedWords, useBook } from "../live/book";
import { personName, rememberNames, tableName } from "../live/names";
import type { Entry, Line, Rules } from "../live/view";
import { address, type PageProps } from "../shell/router";
import { me, oversees } from "../shell/session";
import { SettlementLines } from "./table/past-settlements";

export default function Round({ parameters }: PageProps) {
  const table = parameters.table ?? "";
  const number = Number(parameters.round);
  const who = me.value?.name ?? null;
  const { response, reload } = useRequest(
    () =>
      Promise.all([
        unwrap(api.GET("/api/v1/tables/{table}/rounds/{number}", { params: { path: { table, number } } })).then(
          rememberNames,
        ),
        unwrap(api.GET("/api/v1/tables/{table}", { params: { path: { table } } })),
      ]),
    [table, number, who],
  );
  const [past, now] = response.state === "loaded" ? response.data : [null, null];
  const rules = now === null ? null : now.rules;
  const book = useBook(rules);
  if (response.state === "failed") {
    return (
      <section class="page page-narrow">
        <ProblemNote problem={response.problem} retry={reload} />
        <LinkButton href={address`/tables/${table}`}>{playWords().past.toTable}</LinkButton>
      </section>
    );
  }
  if (past === null || now === null || rules === null || book === null || past.round !== number) return <Waiting />;
  return <Past past={past} rules={rules} book={book} latest={(now.view as { round: number }).round} />;
}

interface PastProps {
  past: RoundPage;
  rules: Rules;
  book: BookPage;
  /** The table's current round. */
  latest: number;
}

function Past({ past, rules, book, latest }: PastProps) {
  const t = words();
  const who = me.value?.name ?? null;
  const lines = past.lines;
  const own = lines.filter(line => who !== null && line.player === who);
  const kinds = new Set(past.events.map(one => one.kind));
  const at = (round: number): string => address`/tables/${past.table}/rounds/${round}`;
  return (
    <section class="page past">
      <header class="page-head">
        <div>
          <p class="card-kind">
            <a href={address`/tables/${past.table}`}>{tableName(past.table, book.identity)}</a>
          </p>
          <h1>{playWords().past.title(past.round)}</h1>
          <Marks past={past} kinds={kinds} />
        </div>
        <nav class="audit-acts" aria-label={playWords().play.history}>
          {past.round > 1 && <LinkButton href={at(past.round - 1)}>← {auditWords().replay.previous}</LinkButton>}
          {past.round < latest - 1 && <LinkButton href={at(past.round + 1)}>{auditWords().replay.next} →</LinkButton>}
          {oversees.value && (
            <LinkButton tone="main" href={address`/audit/rounds/${past.table}/${past.round}`}>
              {playWords().past.replay}
            </LinkButton>
          )}
        </nav>
      </header>
      <div class="past-dice">
        <Dice faces={past.dice} count={book.identity.dice} size={64} />
        {past.dice.length > 0 && <strong>{t.table.total(totalOf(past.dice))}</strong>}
        {own.length > 0 && (
          <p class="past-result">
            <span class="soft">{playWords().past.yourResult}</span>{" "}
            <Amount minor={own.reduce((sum, line) => sum + line.net, 0)} money={rules.money} signed />
          </p>
        )}
      </div>
      <Layout
        book={book}
        info={false}
        showing={{
          lit: new Set(past.lit),
          own: stakesOf(own),
          others: stakesOf(lines.filter(line => !own.includes(line))),
          money: rules.money,
          paytables: rules.paytables,
        }}
      />
      <div class="past-below">
        <Wagers lines={lines} own={own} who={who} book={book} money={rules.money} />
        <Announced events={past.events} book={book} />
        {past.proof && (
          <section class="panel">
            <p>{playWords().past.proofLead}</p>
            <p>
              <LinkButton href={address`/verify?table=${past.table}&round=${past.round}`} tone="main">
                {playWords().past.proof}
              </LinkButton>
            </p>
          </section>
        )}
      </div>
    </section>
  );
}

function Marks({ past, kinds }: { past: RoundPage; kinds: ReadonlySet<string> }) {
  const t = playWords().past;
  const marks = [
    past.finished ? null : t.notOver,
    past.void ? t.void : null,
    kinds.has("DiceCorrected") ? t.corrected : null,
    kinds.has("Resettled") ? t.resettled : null,
  ].filter(one => one !== null);
  return (
    <>
      {marks.map(one => (
        <p key={one} class="past-mark">
          {one}
        </p>
      ))}
    </>
  );
}

function stakesOf(lines: readonly Line[]): Record<string, number> {
  const stakes: Record<string, number> = {};
  for (const line of lines) stakes[line.wager] = (stakes[line.wager] ?? 0) + line.stake;
  return stakes;
}

interface WagersProps {
  lines: readonly Line[];
  own: readonly Line[];
  who: string | null;
  book: BookPage;
  money: string;
}

/** One's own bets, and everyone's: with names only for those who may see them. */
function Wagers({ lines, own, who, book, money }: WagersProps) {
  const t = playWords().past;
  const others = lines.filter(line => !own.includes(line));
  const whose = (line: Line): string => (line.player === undefined ? t.someone : personName(line.player));
  return (
    <section class="panel">
      {own.length > 0 && <SettlementLines lines={own} book={book} money={money} caption={t.yours} />}
      {own.length === 0 && <p class="soft">{who === null ? t.signIn : t.yoursNone}</p>}
      {others.length > 0 && (
        <SettlementLines
          lines={others}
          book={book}
          money={money}
          caption={own.length > 0 ? t.others : t.all}
          {...(others.some(line => line.player !== undefined) ? { player: whose } : {})}
        />
      )}
      {lines.length === 0 && <p class="soft">{t.allNone}</p>}
      <p>
        <a href={address`/books/${book.book}`}>{t.rules}</a>
      </p>
    </section>
  );
}

interface AnnouncementEvent {
  announced?: string | null;
  dice?: number[];
  call?: string;
  step?: string;
  irregularity?: string;
}

/** The dealer's announcements, in the book's words. */
function Announced({ events, book }: { events: readonly Entry[]; book: BookPage }) {
  const t = playWords().past;
  const eventOf = ({ event }: Entry): AnnouncementEvent => event ?? {};
  const first = events.find(one => one.kind === "StepTaken" && eventOf(one).dice?.length);
  const announcements = events.flatMap(one => {
    const { kind, at } = one;
    const event = eventOf(one);
    const by = event.step ?? event.irregularity ?? "";
    if (event.announced) return [{ at, text: t.quoted(named(announcedWords(book, event.announced, by))) }];
    if (one === first) return [{ at, text: t.called(event.dice?.join("-") ?? "") }];
    if (kind === "Rolled" && event.call) return [{ at, text: t.call(event.call) }];
    if (kind === "IrregularityCalled" && event.irregularity) {
      const name = book.irregularities[event.irregularity]?.name;
      return [{ at, text: t.irregularity(name ? named(name) : event.irregularity) }];
    }
    return [];
  });
  return (
    <section class="panel">
      <h2>{t.announced}</h2>
      {announcements.length === 0 && <p class="soft">{t.announcedNone}</p>}
      <ol class="past-said">
        {announcements.map((one, index) => (
          <li key={index}>
            <time class="soft" dateTime={one.at}>
              {one.at.slice(11, 19)}
            </time>{" "}
            <span>{one.text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
