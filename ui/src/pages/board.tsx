/** The display board: for a monitor above the table. Nothing on it can be pressed. */

import { useEffect } from "preact/hooks";
import { useAsked } from "../api/asking";
import { api, told } from "../api/client";
import { Amount } from "../components/amount";
import { Announcement, announce } from "../components/announcements";
import { ConnectionNote } from "../components/connection";
import { Countdown } from "../components/countdown";
import { Dice } from "../components/dice";
import { ProblemNote, Waiting } from "../components/problem-note";
import { Layout } from "../layout/layout";
import { useBook } from "../live/book";
import { useLiveTable } from "../live/use";
import type { Rules, View } from "../live/view";
import type { PageProps } from "../shell/router";
import { type Words, words } from "../words";
import { calledInChinese } from "../words/server";

const SHOWN = 18;

export default function BoardPage({ parameters }: PageProps) {
  const live = useLiveTable(parameters.table ?? "");
  const say = words();
  const view = live.view.value;
  const rules = live.rules.value;
  const book = useBook(rules);
  const announced = live.announced.value;
  useEffect(() => {
    if (announced !== null) announce(calledInChinese(announced.words) ?? announced.words, { urgent: true });
  }, [announced]);
  const problem = live.problem.value;
  if (problem !== null && view === null) return <ProblemNote problem={problem} again={() => live.start()} />;
  if (view === null || rules === null || book === null) return <Waiting />;
  const dice = live.dice.value;
  return (
    <section class="board">
      <header class="board-head">
        <div class="board-name">
          <h1 lang="en">{book.identity.title}</h1>
          <p>
            {say.board.round(view.round)} <ConnectionNote live={live} />
          </p>
        </div>
        <div class="board-now">
          <Dice
            faces={dice}
            count={book.identity.dice}
            size={120}
            covered={view.cover === "on" && dice.length === 0}
            tumbling
          />
          {dice.length > 0 && <p class="board-total">{sum(dice)}</p>}
          <Announcement
            text={view.open ? (say.phase[view.phase] ?? view.phase) : say.board.closedTable}
            tone={view.betting ? "open" : view.phase === "closed" ? "closed" : "quiet"}
          />
          <Countdown until={live.until.value} seconds={view.automatic?.run.betting_seconds ?? 20} size={120} />
        </div>
        <Limits rules={rules} view={view} rolls={book.procedure.round.some(step => step.act === "roll")} />
      </header>
      <div class="board-layout">
        <Layout
          book={book}
          info={false}
          showing={{
            lit: live.lit.value,
            lammers: view.lammers,
            chances: view.chances,
            others: live.stakes.value,
            money: rules.money,
            paytables: rules.paytables,
          }}
        />
      </div>
      <footer class="board-foot">
        <History table={live.id} round={view.round} said={say.board} />
        <p class="board-note">{say.shell.dicegovern}</p>
      </footer>
    </section>
  );
}

function Limits({ rules, view, rolls }: { rules: Rules; view: View; rolls: boolean }) {
  const say = words().board;
  const limits = Object.values(rules.limits);
  if (limits.length === 0) return null;
  const least = Math.min(...limits.map(one => one.stake_min));
  const most = Math.max(...limits.map(one => one.stake_max));
  return (
    <dl class="board-limits">
      {rolls && (
        <div>
          <dt class="unseen">{say.comeOut}</dt>
          <dd>{view.point === null ? say.comeOut : say.point(view.point)}</dd>
        </div>
      )}
      <div>
        <dt>{say.least}</dt>
        <dd>
          <Amount minor={least} money={rules.money} short />
        </dd>
      </div>
      <div>
        <dt>{say.most}</dt>
        <dd>
          <Amount minor={most} money={rules.money} short />
        </dd>
      </div>
    </dl>
  );
}

/** The newest first. */
function History({ table, round, said }: { table: string; round: number; said: Words["board"] }) {
  const { asked } = useAsked(
    () => told(api.GET("/api/v1/tables/{table}/rounds", { params: { path: { table }, query: { limit: SHOWN } } })),
    [table, round],
  );
  const rounds = asked.state === "here" ? asked.told.rounds : asked.state === "failed" ? asked.before?.rounds : [];
  return (
    <section class="board-history" aria-label={said.history}>
      {(rounds ?? []).length === 0 && <p class="soft">{said.none}</p>}
      <ol>
        {(rounds ?? []).map(one => (
          <li key={one.number} class={one.void ? "past-void" : ""}>
            {one.void || one.dice.length === 0 ? (
              <span>{said.void}</span>
            ) : (
              <>
                <Dice faces={one.dice} size={26} />
                <p class="past-total">
                  <strong>{sum(one.dice)}</strong> <Side dice={one.dice} said={said} />
                </p>
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Big, small, or a triple: the marks that are kept of three dice wherever they are thrown. */
function Side({ dice, said }: { dice: readonly number[]; said: Words["board"] }) {
  if (dice.length !== 3) return null;
  const kind = new Set(dice).size === 1 ? "triple" : sum(dice) > 10 ? "big" : "small";
  return <span class={`side side-${kind}`}>{said[kind]}</span>;
}

function sum(dice: readonly number[]): number {
  return dice.reduce((all, face) => all + face, 0);
}
