/** The display board: for a monitor above the table. The only thing to press is the link to the odds sign. */

import { useEffect } from "preact/hooks";
import type { BookPage } from "../api/types";
import { Announcement, announce } from "../components/announcements";
import { ConnectionNote } from "../components/connection";
import { Countdown } from "../components/countdown";
import { Dice, totalOf } from "../components/dice";
import { ElectronicNote } from "../components/electronic";
import { limitsText, namesOf, rangeText } from "../components/limits";
import { ProblemPage, Waiting } from "../components/problem-note";
import { gap, named, words } from "../i18n";
import { playWords } from "../i18n/words/play";
import { Fitted } from "../layout/fitted-layout";
import { LiveLayout } from "../layout/live-layout";
import { announcedWords, useBook } from "../live/book";
import { tableName } from "../live/names";
import { type PastRound, usePastRounds } from "../live/past-rounds";
import { statusOf } from "../live/table-status";
import { useLiveTable } from "../live/use-table";
import type { Rules } from "../live/view";
import { address, type PageProps } from "../shell/router";
import { Marks, RoadDrawing, throwsOf } from "./table/history";
import { HandStrip } from "./table/puck";
import { beadPlate, bigRoad, markOf, roadsOf } from "./table/roads";

const ROUNDS_MAX = 7;
/** A bead plate, or a long hand of craps. */
const ROUNDS_REQUESTED = 84;

export default function BoardPage({ parameters }: PageProps) {
  const live = useLiveTable(parameters.table ?? "");
  const t = words();
  const view = live.view.value;
  const rules = live.rules.value;
  const book = useBook(rules);
  const announced = live.announced.value;
  useEffect(() => {
    if (announced === null || book === null) return;
    announce(named(announcedWords(book, announced.words, announced.by)), { urgent: true });
  }, [announced]);
  const rounds = usePastRounds(live.id, ROUNDS_REQUESTED, view?.round ?? null);
  const problem = live.problem.value;
  if (problem !== null && view === null) return <ProblemPage problem={problem} retry={() => live.start()} />;
  if (view === null || rules === null || book === null) return <Waiting />;
  const dice = live.dice.value;
  const rolls = book.procedure.round.some(step => step.act === "roll");
  return (
    <section class="board">
      <header class="board-head">
        <div class="board-name">
          <h1>{tableName(live.id, book.identity)}</h1>
          <p class="board-facility" translate={false}>
            {rules.setup.facility}
          </p>
          <p>
            {playWords().board.round(view.round)} <ConnectionNote live={live} />
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
          {dice.length > 0 && <p class="board-total">{totalOf(dice)}</p>}
          <Announcement {...statusOf(view)} />
          <Countdown until={live.until.value} seconds={view.automatic?.run.betting_seconds ?? 20} size={120} />
        </div>
        <Limits rules={rules} />
      </header>
      {rolls && <HandStrip view={view} rounds={rounds} />}
      <div class="board-layout">
        <Fitted>
          <LiveLayout live={live} view={view} rules={rules} book={book} />
        </Fitted>
      </div>
      <footer class="board-foot">
        {!rolls && (
          <div class="board-past">
            <History rounds={rounds} book={book} />
            <Roads rounds={rounds} book={book} />
          </div>
        )}
        <p class="board-note">
          {t.shell.dicegovern}
          {gap()}
          <a href={address`/tables/${live.id}/sign?format=wall`}>{playWords().oddsSign.link}</a>
        </p>
        {view.automatic !== undefined && <ElectronicNote rules={rules} approval={view.automatic.run.approval} />}
      </footer>
    </section>
  );
}

/** Grouped by areas with the same limits; if there are many, see the odds sign. */
function Limits({ rules }: { rules: Rules }) {
  const t = playWords().board;
  const groups = rules.limit_groups;
  const few = groups.length <= 3 && groups.every(one => one.names.length <= 2);
  if (groups.length > 1 && !few) {
    return (
      <dl class="board-limits">
        <div>
          <dt>{t.limits}</dt>
          <dd>{limitsText(groups, rules.money)}</dd>
        </div>
      </dl>
    );
  }
  return (
    <dl class="board-limits">
      {groups.map(one => (
        <div key={one.wagers[0]}>
          <dt>{groups.length === 1 ? t.limits : namesOf(one)}</dt>
          <dd>{rangeText(one, rules.money)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Bead plate and big road of the first pair of areas that exclude each other. */
function Roads({ rounds, book }: { rounds: readonly PastRound[]; book: BookPage }) {
  const t = playWords().play;
  const [road] = roadsOf(book);
  if (road === undefined) return null;
  const marks = throwsOf(rounds)
    .reverse()
    .map(one => markOf(one, road, book));
  return (
    <>
      <RoadDrawing name={t.beadPlate} beads={beadPlate(marks)} />
      <RoadDrawing name={t.bigRoad} beads={bigRoad(marks)} />
    </>
  );
}

/** Newest first. */
function History({ rounds, book }: { rounds: readonly PastRound[]; book: BookPage }) {
  const t = playWords().board;
  const roads = roadsOf(book);
  return (
    <section class="board-history" aria-label={t.history}>
      {rounds.length === 0 && <p class="soft">{t.none}</p>}
      <ol>
        {rounds.slice(0, ROUNDS_MAX).map(one => (
          <li key={one.number} class={one.void ? "past-void" : ""}>
            {one.void || one.dice.length === 0 ? (
              <span>{t.void}</span>
            ) : (
              <>
                <Dice faces={one.dice} size={26} />
                <p class="past-total">
                  <strong>{totalOf(one.dice)}</strong>
                  <Marks thrown={{ dice: one.dice, lit: one.lit ?? [] }} roads={roads} book={book} />
                </p>
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
