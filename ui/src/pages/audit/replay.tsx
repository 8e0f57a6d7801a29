/** The replay of a round on the layout, entry by entry, with its text and the state of the money. */

import { useMemo, useState } from "preact/hooks";
import type { BookPage, RoundReplay } from "../../api/types";
import { LinkButton } from "../../components/button";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { roleName } from "../../i18n/names";
import { auditWords } from "../../i18n/words/audit";
import { useBook } from "../../live/book";
import { tableName } from "../../live/names";
import { isWhole, type Rules } from "../../live/view";
import { address, go, type Place } from "../../shell/router";
import { oversees } from "../../shell/session";
import { Person } from "../../staff/person";
import { Entries } from "./entries";
import { journalAddress } from "./entry-filters";
import { EntryText } from "./entry-text";
import { entryName, moment } from "./formatting";
import { MoneyState } from "./money";
import { Refused } from "./no-access";
import { type Moment, Playback, usePlaying, useReplay } from "./playback";
import { Deck } from "./playback-controls";
import { Lines, Stage } from "./replay-layout";

/** Milliseconds for one entry. */
const PACE = 1_400;

export function Replay({ table, round, place }: { table: string; round: number; place: Place }) {
  const { response, reload, replay } = useReplay(table, round);
  const rules = useMemo(() => (isWhole(replay?.rules) ? replay.rules : null), [JSON.stringify(replay?.rules)]);
  const book = useBook(rules);
  if (response.state === "failed") {
    const status = response.problem.status;
    if (status === 401 || status === 403) return <Refused path={place.path} />;
    return (
      <section class="page page-narrow">
        <ProblemNote problem={response.problem} retry={reload} />
        <LinkButton href="/audit">{auditWords().title}</LinkButton>
      </section>
    );
  }
  if (response.state === "loading" || replay === null || replay.round !== round) return <Waiting />;
  if (rules === null) return <Unplayable replay={replay} />;
  if (book === null) return <Waiting />;
  return (
    <Played key={`${table} ${round}`} replay={replay} rules={rules} book={book} entry={place.query.get("entry")} />
  );
}

interface PlayedProps {
  replay: RoundReplay;
  rules: Rules;
  book: BookPage;
  /** The entry that the URL names. */
  entry: string | null;
}

function Played({ replay, rules, book, entry }: PlayedProps) {
  const t = auditWords().replay;
  const playback = useMemo(() => new Playback(replay), [replay]);
  const { last } = playback;
  const at = useMemo(() => playback.placeOf(entry), [playback, entry]);
  const [speed, setSpeed] = useState(1);
  const onStep = (to: number): void => {
    const sequence = playback.entry(to)?.sequence;
    const here = address`/audit/rounds/${replay.table}/${replay.round}`;
    go(sequence === undefined ? here : `${here}?entry=${sequence}`, { replace: true });
  };
  const { playing, setPlaying } = usePlaying(at, last, PACE / speed, onStep);
  const now = playback.at(at);
  return (
    <section class="page audit replay">
      <header class="page-head">
        <div>
          <p class="card-kind">
            {oversees.value && (
              <>
                <a href="/audit">{auditWords().title}</a> ·{" "}
              </>
            )}
            {tableName(replay.table, book.identity)}
          </p>
          <h1>{t.title(replay.round)}</h1>
          <Marks replay={replay} />
        </div>
        <nav class="audit-acts" aria-label={t.shortTitle}>
          {replay.previous_round !== null && (
            <LinkButton href={address`/audit/rounds/${replay.table}/${replay.previous_round}`}>
              ← {t.previous}
            </LinkButton>
          )}
          {replay.next_round !== null && (
            <LinkButton href={address`/audit/rounds/${replay.table}/${replay.next_round}`}>{t.next} →</LinkButton>
          )}
          {oversees.value && (
            <LinkButton tone="quiet" href={journalAddress(replay.table, { round: String(replay.round) })}>
              {t.journal}
            </LinkButton>
          )}
          <LinkButton tone="quiet" href={address`/tables/${replay.table}/rounds/${replay.round}`}>
            {t.table}
          </LinkButton>
        </nav>
      </header>
      {replay.broken != null && <Broken why={replay.broken} />}
      <Deck
        at={at}
        last={last}
        playing={playing}
        speed={speed}
        onStep={onStep}
        onPlay={setPlaying}
        onSpeed={setSpeed}
      />
      <div class="replay-body">
        <div class="replay-stage">
          <Told now={now} table={replay.table} />
          <Stage now={now} before={at === 0 ? null : playback.at(at - 1)} replay={replay} rules={rules} book={book} />
          <Lines now={now} book={book} money={rules.money} />
        </div>
        <div class="replay-side">
          <section class="panel">
            <h2>{auditWords().money.state}</h2>
            <MoneyState now={now.now} since={now.since} money={rules.money} />
          </section>
          <Entries playback={playback} at={at} table={replay.table} onStep={onStep} />
          {replay.next !== null && <p class="soft">{t.more}</p>}
        </div>
      </div>
    </section>
  );
}

/** The record breaks off before the round begins: nothing reliable can be shown. */
function Unplayable({ replay }: { replay: RoundReplay }) {
  const t = auditWords();
  return (
    <section class="page page-narrow">
      <h1>{t.replay.title(replay.round)}</h1>
      <Broken why={replay.broken ?? ""} />
      <LinkButton href={journalAddress(replay.table, {})}>{t.replay.journal}</LinkButton>
    </section>
  );
}

function Broken({ why }: { why: string }) {
  return (
    <div class="note note-bad" role="alert">
      <strong>{auditWords().journal.broken}</strong>
      <p class="exact" lang="en">
        {why}
      </p>
    </div>
  );
}

/** What was unusual about the round. */
function Marks({ replay }: { replay: RoundReplay }) {
  const t = auditWords().replay;
  const kinds = new Set(replay.frames.map(one => one.entry.kind));
  const marks = [
    kinds.has("RoundVoided") || kinds.has("WagersReturned") ? t.void : null,
    kinds.has("DiceCorrected") ? t.corrected : null,
    kinds.has("Resettled") ? t.resettled : null,
    kinds.has("IrregularityCalled") ? t.irregular : null,
    replay.next_round === null && replay.next === null && !kinds.has("RoundEnded") ? t.open : null,
  ].filter(one => one !== null);
  if (marks.length === 0) return null;
  return (
    <p class="audit-acts">
      {marks.map(one => (
        <span key={one} class="tag">
          {one}
        </span>
      ))}
    </p>
  );
}

/** The text of the current entry. */
function Told({ now, table }: { now: Moment; table: string }) {
  const t = auditWords();
  const { entry } = now;
  if (entry === null) return <p class="replay-entry soft">{t.replay.begins}</p>;
  return (
    <div class="replay-entry" aria-live="polite">
      <p class="audit-entry-head">
        <strong class="audit-number">{entry.sequence}</strong>
        <span class="tag">{entryName(entry, table)}</span>
        {now.later && <span class="tag">{t.replay.later}</span>}
        <span>
          <Person name={entry.actor} /> <span class="soft">{t.journal.in(roleName(entry.role))}</span>
        </span>
        <time class="soft" dateTime={entry.at}>
          {moment(entry.at)} {t.utc}
        </time>
      </p>
      <EntryText entry={entry} />
    </div>
  );
}
