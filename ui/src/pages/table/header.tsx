/** The head of the table: dice, countdown, what is announced, and what the last throw brought. */

import { useEffect, useRef } from "preact/hooks";
import type { BookPage } from "../../api/types";
import { Amount } from "../../components/amount";
import { Announcement, announce } from "../../components/announcements";
import { Says } from "../../components/book-sentence";
import { ConnectionNote } from "../../components/connection";
import { Countdown } from "../../components/countdown";
import { Dice, totalOf } from "../../components/dice";
import { ElectronicMark } from "../../components/electronic";
import { LimitsText } from "../../components/limits";
import { locale, words } from "../../i18n";
import { bookWords } from "../../i18n/sentences";
import { playWords } from "../../i18n/words/play";
import type { Outcome } from "../../live/outcome";
import type { LiveTable } from "../../live/table";
import { closedSaying, hindered, openingWords, sayingOf } from "../../live/table-status";
import type { Rules, View } from "../../live/view";
import { amountText, currencyOf } from "../../money/amounts";
import { address } from "../../shell/router";
import { type Result, reached, type Stage } from "./reveal";

interface TopProps {
  live: LiveTable;
  view: View;
  rules: Rules;
  book: BookPage;
  stage: Stage;
  outcome: Outcome | null;
  result: Result | null;
}

export function Top({ live, view, rules, book, stage, outcome, result }: TopProps) {
  const say = words();
  const dice = stage !== "none" && outcome ? outcome.dice : live.dice.value;
  const shown = stage !== "tumbling" && dice.length > 0;
  return (
    <header class="table-top">
      <div class="table-name">
        <h1>
          <Says text={book.identity.title} />
        </h1>
        <div class="table-facts">
          <ConnectionNote live={live} />
          <span class={`money-tag ${rules.play_money ? "" : "money-tag-real"}`}>
            {rules.play_money ? playWords().play.playMoney : playWords().play.realMoney(currencyOf(rules.money))}
          </span>
          <span>{playWords().lobby.round(view.round)}</span>
          <span>
            <LimitsText groups={rules.limit_groups} money={rules.money} />
          </span>
          <a href={address`/tables/${live.id}/sign`}>{words().titles.oddsSign}</a>
          {view.automatic !== undefined && <ElectronicMark rules={rules} approval={view.automatic.run.approval} />}
        </div>
      </div>
      <div class="table-now">
        <Dice
          faces={dice}
          count={book.identity.dice}
          size={60}
          covered={view.cover === "on" && dice.length === 0}
          tumbling
        />
        {shown && <strong class="table-total">{say.table.total(totalOf(dice))}</strong>}
        <Said view={view} stage={stage} outcome={outcome} />
        <Countdown until={live.until.value} seconds={view.automatic?.run.betting_seconds ?? 20} size={68} />
        {result && (
          <p class={`result ${result.net > 0 ? "result-won" : ""}`}>
            <span class="soft">{playWords().play.lastRound}</span>{" "}
            <Amount minor={result.net} money={rules.money} signed />
          </p>
        )}
      </div>
    </header>
  );
}

/** What is called out now. */
function Said({ view, stage, outcome }: { view: View; stage: Stage; outcome: Outcome | null }) {
  if (hindered(view) === null && !view.betting) {
    if (outcome?.void) return <Announcement text={playWords().play.void} tone="quiet" />;
    if (stage === "tumbling") return <Announcement {...closedSaying(view)} />;
  }
  return <Announcement {...sayingOf(view)} />;
}

/** Opening and closing are told in the page's own language. */
function isOpeningOrClosing(view: View, announced: string): boolean {
  const found = view.procedure.find(step => step.announce === announced);
  return found?.act === "open betting" || found?.act === "close betting";
}

interface Heard {
  stage: Stage;
  outcome: Outcome | null;
  result: Result | null;
  money: string;
}

/** For screen readers: betting opens and closes, the dice, and one's own result; once each. */
export function useAnnounced(live: LiveTable, view: View, { stage, outcome, result, money }: Heard): void {
  const say = words();
  const before = useRef<boolean | null>(null);
  const told = useRef(0);
  const announced = live.announced.value;
  useEffect(() => {
    // What a dealer calls besides opening and closing, in the book's own words.
    if (announced === null || isOpeningOrClosing(view, announced.words)) return;
    announce(bookWords(announced.words), { urgent: true });
  }, [announced]);
  useEffect(() => {
    if (before.current !== null && before.current !== view.betting) {
      announce(view.betting ? openingWords(view) : closedSaying(view).text, { urgent: true });
    }
    before.current = view.betting;
  }, [view.betting]);
  const due = outcome !== null && reached(stage, "paid") && told.current !== outcome.sequence;
  useEffect(() => {
    if (!due || outcome === null) return;
    told.current = outcome.sequence;
    const net = result?.net ?? 0;
    const sum = amountText(Math.abs(net), money, locale.value, { short: true });
    const own = net > 0 ? playWords().play.won(sum) : net < 0 ? playWords().play.lost(sum) : playWords().play.even;
    const thrown = `${say.table.dice(outcome.dice.join(", "))}. ${say.table.total(totalOf(outcome.dice))}.`;
    announce(outcome.void ? playWords().play.void : result ? `${thrown} ${own}` : thrown);
  }, [due]);
}
