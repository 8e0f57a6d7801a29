/** A table: its dice, its countdown, its lit layout; who plays bets the least with a click. More is built on this. */

import { useEffect } from "preact/hooks";
import { asProblem } from "../api/problems";
import { Announcement, announce } from "../components/announcements";
import { ConnectionNote } from "../components/connection";
import { Countdown } from "../components/countdown";
import { Dice } from "../components/dice";
import { ProblemNote, Waiting } from "../components/problem-note";
import { toastProblem } from "../components/toasts";
import { Layout } from "../layout/layout";
import { ask, placeBets } from "../live/acting";
import { useBook } from "../live/book";
import { useLiveTable } from "../live/use";
import type { PageProps } from "../shell/router";
import { rolesAt } from "../shell/session";
import { words } from "../words";

export default function TablePage({ parameters }: PageProps) {
  const live = useLiveTable(parameters.table ?? "");
  const say = words();
  const view = live.view.value;
  const rules = live.rules.value;
  const book = useBook(rules);
  const announced = live.announced.value;
  useEffect(() => {
    if (announced !== null) announce(announced.words, { urgent: true });
  }, [announced]);

  const problem = live.problem.value;
  if (problem !== null && view === null) return <ProblemNote problem={problem} again={() => live.start()} />;
  if (view === null || rules === null || book === null) return <Waiting />;
  const own = live.ownStakes.value;
  const plays = live.mine.value !== null && rolesAt(live.id).includes("player");
  const tried = (done: Promise<unknown>): void => {
    done.catch(thrown => toastProblem(asProblem(thrown)));
  };
  const least = (wager: string): number => rules.limits[wager]?.stake_min ?? 0;
  const hands = plays
    ? {
        onBet: (wager: string) => tried(placeBets(live.id, [{ wager, amount: least(wager) }])),
        onTakeOff: (wager: string) => tried(ask(live.id, { type: "TakeDown", wager }, { role: "player" })),
      }
    : {};
  const others = Object.fromEntries(
    Object.entries(live.stakes.value).map(([wager, amount]) => [wager, amount - (own[wager] ?? 0)]),
  );
  return (
    <section class="page table-page">
      <header class="page-head">
        <div>
          <h1>{book.identity.title}</h1>
          <ConnectionNote live={live} />
        </div>
        <div class="table-now">
          <Dice
            faces={live.dice.value}
            count={book.identity.dice}
            size={56}
            covered={view.cover === "on" && live.dice.value.length === 0}
            tumbling
          />
          <Announcement
            text={say.phase[view.phase] ?? view.phase}
            tone={view.betting ? "open" : view.phase === "closed" ? "closed" : "quiet"}
          />
          <Countdown until={live.until.value} seconds={view.automatic?.run.betting_seconds ?? 20} size={72} />
        </div>
      </header>
      <Layout
        {...hands}
        book={book}
        showing={{
          lit: live.lit.value,
          lammers: view.lammers,
          chances: view.chances,
          own,
          others,
          money: rules.money,
          paytables: rules.paytables,
        }}
      />
    </section>
  );
}
