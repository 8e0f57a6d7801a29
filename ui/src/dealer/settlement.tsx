/** What to collect and then pay, in the book's order; the current bet is the largest. */

import { useEffect, useState } from "preact/hooks";
import { Amount } from "../components/amount";
import { Button } from "../components/button";
import { Rounded, roundedWords } from "../components/rounding-note";
import { consoleWords } from "../i18n/words/console";
import { areaName } from "../layout/model";
import type { Line } from "../live/view";
import { oddsWords } from "../money/odds";
import { useKeys } from "../staff/keys";
import { Person } from "../staff/person";
import { type Desk, dueStep, money } from "./console";

/** Losers first, then winners. */
export function Settlement({ desk }: { desk: Desk }) {
  const t = consoleWords().dealer;
  const { staff, view } = desk;
  const outcome = desk.live.outcome.value;
  const thrown = view.dice.length > 0;
  const { collect, pay } = staff.settlement;
  const collected = thrown ? (outcome?.collected ?? []) : [];
  const paid = thrown ? (outcome?.paid ?? []) : [];
  const act = dueStep(view)?.act;
  const collecting = act === "collect losers";
  const lines = collecting ? collect : act === "pay winners" ? pay : [];
  if (!thrown) return null;
  return (
    <section class="card settlement">
      {lines.length > 0 && (
        <InHand
          key={`${view.round} ${act}`}
          desk={desk}
          lines={lines}
          title={consoleWords().desk[collecting ? "nowCollect" : "nowPay"]}
        />
      )}
      <Side
        desk={desk}
        title={t.collect}
        open={collect}
        done={collected}
        none={t.nothingToCollect}
        mark={t.collected}
      />
      <Side desk={desk} title={t.pay} open={pay} done={paid} none={t.nothingToPay} mark={t.paid} />
    </section>
  );
}

/** One bet after another, as a guide for the hands; what is recorded is the step, once all are done. */
function InHand({ desk, lines, title }: { desk: Desk; lines: readonly Line[]; title: string }) {
  const t = consoleWords().desk;
  const [at, setAt] = useState(0);
  const place = Math.min(at, lines.length - 1);
  const line = lines[place];
  useEffect(() => setAt(before => Math.min(before, lines.length - 1)), [lines.length]);
  const go = (by: number): void => setAt(Math.max(0, Math.min(lines.length - 1, place + by)));
  useKeys(key => {
    if (key !== "ArrowRight" && key !== "ArrowLeft") return false;
    go(key === "ArrowRight" ? 1 : -1);
    return true;
  });
  if (line === undefined) return null;
  return (
    <div class="in-hand">
      <p class="in-hand-title">
        {title} <span class="soft">{t.place(place + 1, lines.length)}</span>
      </p>
      <p class="in-hand-line">
        <strong>{line.player !== undefined && <Person name={line.player} />}</strong>
        <span>{areaName(desk.book, line.wager)}</span>
        <Amount minor={Math.abs(line.net)} money={desk.rules.money} />
      </p>
      <p class="soft">{lineWords(desk, line)}</p>
      {lines.length > 1 && (
        <div class="buttons">
          <Button disabled={place === 0} onClick={() => go(-1)}>
            {t.before} <kbd>←</kbd>
          </Button>
          <Button disabled={place === lines.length - 1} onClick={() => go(1)}>
            {t.next} <kbd>→</kbd>
          </Button>
        </div>
      )}
    </div>
  );
}

/** The odds, what happens to the stake, and what goes to the dealers. */
function lineWords(desk: Desk, line: Line): string {
  const t = consoleWords().desk;
  const back = line.stake - line.honoured;
  const parts = [
    line.net > 0 ? oddsWords(line.pays) : "",
    line.net < 0 || line.honoured === 0 ? t.stakeOf(money(desk, line.stake)) : t.stakeBack(money(desk, line.honoured)),
    back > 0 ? t.givenBack(money(desk, back)) : "",
    roundedWords(line, desk.rules.money),
    (line.envy ?? 0) > 0 ? t.forDealers(money(desk, line.envy ?? 0)) : "",
    line.kind === "cash" ? "" : (t.kinds[line.kind] ?? line.kind),
    (line.clauses ?? []).join(", "),
  ];
  return parts.filter(Boolean).join(" · ");
}

interface SideProps {
  desk: Desk;
  title: string;
  open: readonly Line[];
  done: readonly Line[];
  none: string;
  mark: string;
}

function Side({ desk, title, open, done, none, mark }: SideProps) {
  const t = consoleWords().dealer;
  const settled = new Set(done.map(line => line.bet));
  const lines = [...done, ...open.filter(line => !settled.has(line.bet))];
  const sum = lines.reduce((all, line) => all + Math.abs(line.net), 0);
  return (
    <div class="side-of">
      <h2>{title}</h2>
      {lines.length === 0 ? (
        <p class="soft">{none}</p>
      ) : (
        <ul class="lines">
          {lines.map(line => (
            <li key={line.bet} class={settled.has(line.bet) ? "line-done" : ""}>
              <span class="line-who">{line.player !== undefined && <Person name={line.player} />}</span>
              <span class="line-area">
                {areaName(desk.book, line.wager)}
                <span class="soft"> {line.net >= 0 ? oddsWords(line.pays) : ""}</span>
                {line.kind !== "cash" && <span class="tag">{consoleWords().desk.tags[line.kind] ?? line.kind}</span>}
                {settled.has(line.bet) && <span class="tag">{mark}</span>}
                {(line.clauses ?? []).length > 0 && <span class="clause">{(line.clauses ?? []).join(", ")}</span>}
              </span>
              <Amount minor={Math.abs(line.net)} money={desk.rules.money} />
              <Rounded line={line} money={desk.rules.money} />
            </li>
          ))}
          <li class="line-sum">
            <span>{t.sum}</span>
            <span />
            <Amount minor={sum} money={desk.rules.money} />
          </li>
        </ul>
      )}
    </div>
  );
}
