/** Who bet what, and what is to be collected and then paid. */

import { Amount } from "../components/amount";
import { Button } from "../components/button";
import type { Line } from "../live/view";
import { oddsWords } from "../money/odds";
import { words } from "../words";
import { areaName, type Desk } from "./desk";

export function Bets({ desk }: { desk: Desk }) {
  const say = words().dealer;
  const { staff, book, rules } = desk;
  const booked = staff.bets.filter(bet => !bet.confirmed).length;
  return (
    <section class="card">
      <h2>{say.bets}</h2>
      {booked > 0 && (
        <Button tone="main" disabled={desk.busy} onClick={() => void desk.act({ type: "ConfirmBets" })}>
          {say.confirm(booked)}
        </Button>
      )}
      {staff.bets.length === 0 ? (
        <p class="soft">{say.noBets}</p>
      ) : (
        <ul class="lines">
          {staff.bets.map(bet => (
            <li key={bet.id}>
              <span class="line-who">{bet.player}</span>
              <span class="line-area">
                {areaName(book, bet.wager)}
                {bet.kind !== "cash" && <span class="tag">{say.kinds[bet.kind] ?? bet.kind}</span>}
                {!bet.confirmed && <span class="tag">{say.waiting}</span>}
                {bet.late && <span class="tag">{say.late}</span>}
              </span>
              <Amount minor={bet.amount} money={rules.money} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** In the order of the text: first everything that lost, then everything that won. */
export function Settlement({ desk }: { desk: Desk }) {
  const say = words().dealer;
  const { staff, view } = desk;
  const outcome = desk.live.outcome.value;
  const thrown = view.dice.length > 0;
  const { collect, pay } = staff.settlement;
  const collected = thrown ? (outcome?.collected ?? []) : [];
  const paid = thrown ? (outcome?.paid ?? []) : [];
  return (
    <section class="card settlement">
      <Side
        desk={desk}
        title={say.collect}
        open={collect}
        done={collected}
        none={say.nothingToCollect}
        mark={say.collected}
      />
      <Side desk={desk} title={say.pay} open={pay} done={paid} none={say.nothingToPay} mark={say.paid} />
    </section>
  );
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
  const say = words().dealer;
  const settled = new Set(done.map(line => line.bet));
  const lines = [...done, ...open.filter(line => !settled.has(line.bet))];
  const sum = lines.reduce((all, line) => all + Math.abs(line.net), 0);
  return (
    <div>
      <h2>{title}</h2>
      {lines.length === 0 ? (
        <p class="soft">{desk.view.dice.length > 0 ? none : say.beforeDice}</p>
      ) : (
        <ul class="lines">
          {lines.map(line => (
            <li key={line.bet} class={settled.has(line.bet) ? "line-done" : ""}>
              <span class="line-who">{line.player ?? ""}</span>
              <span class="line-area">
                {areaName(desk.book, line.wager)}
                <span class="soft"> {line.net >= 0 ? oddsWords(line.pays) : ""}</span>
                {settled.has(line.bet) && <span class="tag">{mark}</span>}
                {(line.clauses ?? []).length > 0 && <span class="clause">{(line.clauses ?? []).join(", ")}</span>}
              </span>
              <Amount minor={Math.abs(line.net)} money={desk.rules.money} />
            </li>
          ))}
          <li class="line-sum">
            <span />
            <span>{say.sum}</span>
            <Amount minor={sum} money={desk.rules.money} />
          </li>
        </ul>
      )}
    </div>
  );
}
