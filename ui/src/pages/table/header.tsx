/** The header of the table: its name, the last throw with its round, and the current announcement. Its height never
 * changes, so that the layout below never moves. */

import { useEffect, useRef } from "preact/hooks";
import type { BookPage } from "../../api/types";
import { Amount } from "../../components/amount";
import { Announcement, announce } from "../../components/announcements";
import { ConnectionNote } from "../../components/connection";
import { Countdown } from "../../components/countdown";
import { Dice, totalOf } from "../../components/dice";
import { ElectronicMark } from "../../components/electronic";
import { LimitsText } from "../../components/limits";
import { locale, named, words } from "../../i18n";
import { playWords } from "../../i18n/words/play";
import { announcedWords } from "../../live/book";
import { tableName } from "../../live/names";
import type { Outcome } from "../../live/outcome";
import type { PastRound } from "../../live/past-rounds";
import type { LiveTable } from "../../live/table";
import { closedStatus, openingWords, statusOf, suspendedStatus, type TableStatus } from "../../live/table-status";
import type { Rules, View } from "../../live/view";
import { amountText, currencyOf } from "../../money/amounts";
import { address } from "../../shell/router";
import { Marks } from "./history";
import { type Result, type Reveal, reached } from "./reveal";
import { RoadStrip } from "./road-strip";
import { markOf, roadsOf } from "./roads";
import { chooseSound, soundOn } from "./sound";

interface TableHeaderProps {
  live: LiveTable;
  view: View;
  rules: Rules;
  book: BookPage;
  reveal: Reveal;
  /** Past rounds, latest first. */
  rounds: readonly PastRound[];
  result: Result | null;
}

export function TableHeader({ live, view, rules, book, reveal, rounds, result }: TableHeaderProps) {
  const thrown = lastThrow(live.outcome.value, rounds, live.dice.value, view.round);
  return (
    <header class="table-top">
      <div class="table-name">
        <h1>{tableName(live.id, book.identity)}</h1>
        <div class="table-facts">
          <ConnectionNote live={live} />
          <Sound />
          <span class={`money-tag ${rules.play_money ? "" : "money-tag-real"}`}>
            {rules.play_money ? playWords().play.playMoney : playWords().play.realMoney(currencyOf(rules.money))}
          </span>
          <span>
            <LimitsText groups={rules.limit_groups} money={rules.money} />
          </span>
          <a href={address`/tables/${live.id}/sign`}>{words().titles.oddsSign}</a>
          {view.automatic !== undefined && <ElectronicMark rules={rules} approval={view.automatic.run.approval} />}
        </div>
      </div>
      {roadsOf(book).length > 0 && <RoadStrip book={book} rounds={rounds} />}
      <LastThrow thrown={thrown} reveal={reveal} view={view} book={book} result={result} money={rules.money} />
      <Now live={live} view={view} book={book} reveal={reveal} thrown={thrown} />
    </header>
  );
}

/** Sound and vibration, off until chosen. */
function Sound() {
  const on = soundOn.value;
  const says = on ? playWords().play.soundOn : playWords().play.soundOff;
  return (
    <button
      type="button"
      class="info-mark sound-mark"
      aria-pressed={on}
      aria-label={says}
      title={says}
      onClick={() => chooseSound(!on)}
    >
      <svg viewBox="0 0 20 16" width="20" height="16" aria-hidden="true">
        <path class="sound-horn" d="M2 5.5h3L9.5 2v12L5 10.5H2z" />
        <path d={on ? "M12.5 5q2 3 0 6M15 3q3.6 5 0 10" : "M12.5 5.5l5 5m0-5l-5 5"} />
      </svg>
    </button>
  );
}

/** The throw shown: its dice belong to its round, even if the next round has begun. */
interface Throw {
  round: number;
  dice: readonly number[];
  lit: readonly string[];
  void: boolean;
  /** Whether its round has ended. */
  over: boolean;
}

function lastThrow(
  outcome: Outcome | null,
  rounds: readonly PastRound[],
  entered: readonly number[],
  round: number,
): Throw | null {
  if (outcome !== null) return outcome;
  if (entered.length > 0) return { round, dice: entered, lit: [], void: false, over: false };
  const past = rounds.find(one => one.dice.length > 0);
  return past === undefined
    ? null
    : { round: past.number, dice: past.dice, lit: past.lit ?? [], void: past.void ?? false, over: true };
}

interface ThrowProps {
  thrown: Throw | null;
  reveal: Reveal;
  view: View;
  book: BookPage;
  result: Result | null;
  money: string;
}

function LastThrow({ thrown, reveal, view, book, result, money }: ThrowProps) {
  const t = playWords();
  const hidden = reveal.hides || thrown === null;
  const covered = view.cover === "on" && hidden;
  return (
    <div class="last-throw">
      <Dice faces={hidden ? [] : thrown.dice} count={book.identity.dice} size={46} covered={covered} />
      <div>
        <p class="soft throw-round">{thrown === null ? t.lobby.noResults : t.lobby.round(thrown.round)}</p>
        <p class="throw-total">
          {!hidden && thrown.void && t.lobby.void}
          {!hidden && !thrown.void && (
            <>
              <strong class="table-total">{words().table.total(totalOf(thrown.dice))}</strong>
              {thrown.lit.length > 0 && <Marks thrown={thrown} roads={roadsOf(book)} book={book} />}
            </>
          )}
        </p>
      </div>
      {result && !hidden && (
        <p class={`result ${result.net > 0 ? "result-won" : ""}`}>
          <span class="soft">{t.play.yourResult}</span> <Amount minor={result.net} money={money} signed short />
        </p>
      )}
    </div>
  );
}

interface NowProps {
  live: LiveTable;
  view: View;
  book: BookPage;
  reveal: Reveal;
  thrown: Throw | null;
}

/** The current round, its announcement, and the time left to bet. */
function Now({ live, view, book, reveal, thrown }: NowProps) {
  const { round, ...status } = currentStatus(view, reveal, thrown, book);
  return (
    <div class="table-call">
      <div>
        <p class="soft now-round">{playWords().lobby.round(round)}</p>
        <Announcement {...status} />
      </div>
      <span class="ring-place">
        <Countdown until={live.until.value} seconds={view.automatic?.run.betting_seconds ?? 20} size={64} />
      </span>
    </div>
  );
}

/** The current announcement and its round: a result stays until the next round begins. */
function currentStatus(
  view: View,
  reveal: Reveal,
  thrown: Throw | null,
  book: BookPage,
): TableStatus & { round: number } {
  if (suspendedStatus(view) === null && !view.betting && thrown !== null) {
    if (reveal.hides) return { ...closedStatus(view), round: thrown.round };
    const begun = view.procedure.some(step => step.done);
    if (thrown.over && !begun) return { text: resultText(thrown, book), tone: "quiet", round: thrown.round };
  }
  return { ...statusOf(view), round: view.round };
}

/** "13 · Big · Odd". */
function resultText(thrown: Throw, book: BookPage): string {
  if (thrown.void) return playWords().play.void;
  const marks = roadsOf(book).map(road => named(markOf(thrown, road, book).label));
  return [String(totalOf(thrown.dice)), ...new Set(marks)].join(" · ");
}

/** Opening and closing are announced in the page's own language. */
function isOpeningOrClosing(view: View, by: string): boolean {
  const found = view.procedure.find(step => step.id === by);
  return found?.act === "open betting" || found?.act === "close betting";
}

interface Heard {
  book: BookPage;
  reveal: Reveal;
  outcome: Outcome | null;
  result: Result | null;
  money: string;
}

/** For screen readers: betting opens and closes, the dice, and one's own result; once each. */
export function useAnnounced(live: LiveTable, view: View, { book, reveal, outcome, result, money }: Heard): void {
  const t = words();
  const before = useRef<boolean | null>(null);
  const lastAnnounced = useRef(0);
  const announced = live.announced.value;
  useEffect(() => {
    // Other announcements of the dealer, in the book's own words.
    if (announced === null || isOpeningOrClosing(view, announced.by)) return;
    announce(named(announcedWords(book, announced.words, announced.by)), { urgent: true });
  }, [announced]);
  useEffect(() => {
    if (before.current !== null && before.current !== view.betting) {
      announce(view.betting ? openingWords(view) : closedStatus(view).text, { urgent: true });
    }
    before.current = view.betting;
  }, [view.betting]);
  const due = outcome !== null && reached(reveal.stage, "paid") && lastAnnounced.current !== outcome.sequence;
  useEffect(() => {
    if (!due || outcome === null) return;
    lastAnnounced.current = outcome.sequence;
    const net = result?.net ?? 0;
    const sum = amountText(Math.abs(net), money, locale.value, { short: true });
    const own = net > 0 ? playWords().play.won(sum) : net < 0 ? playWords().play.lost(sum) : playWords().play.even;
    const thrown = `${t.table.dice(outcome.dice.join(", "))}. ${t.table.total(totalOf(outcome.dice))}.`;
    announce(outcome.void ? playWords().play.void : result ? `${thrown} ${own}` : thrown);
  }, [due]);
}
