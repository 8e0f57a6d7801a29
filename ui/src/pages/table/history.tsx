/** Past results: dice and totals, bead plate and big road, frequencies. The dice have no memory. */

import { useState } from "preact/hooks";
import type { BookPage } from "../../api/types";
import { Dice, totalOf } from "../../components/dice";
import { listed, named, words } from "../../i18n";
import { playWords } from "../../i18n/words/play";
import type { PastRound } from "../../live/past-rounds";
import type { Mine } from "../../live/view";
import { Frequencies } from "./frequencies";
import { type Bead, beadPlate, bigRoad, markOf, ROWS, type Road, roadsOf, type Thrown } from "./roads";

interface HistoryProps {
  book: BookPage;
  /** Latest first. */
  rounds: readonly PastRound[];
  disputed: readonly number[];
  /** One's own disputes that were decided. */
  claims: Mine["claims"];
  onRecall: (round: number) => void;
}

const STRIP = 14;
/** The number of decided disputes shown. */
const CLAIMS = 3;

export function History({ book, rounds, disputed, claims, onRecall }: HistoryProps) {
  const t = words();
  const roads = roadsOf(book);
  const thrown = throwsOf(rounds);
  return (
    <section class="panel history" aria-label={playWords().play.history}>
      <header>
        <h2>{playWords().play.history}</h2>
        <p class="soft">{t.shell.dicegovern}</p>
      </header>
      {disputed.length > 0 && <p class="own-bet-note">{playWords().seat.disputed(listed(disputed.map(String)))}</p>}
      {claims.slice(-CLAIMS).map(one => (
        <p key={one.round} class="own-bet-note">
          {one.upheld
            ? playWords().seat.claimUpheld(one.round, one.reason)
            : playWords().seat.claimRefused(one.round, one.reason)}
        </p>
      ))}
      {rounds.length === 0 && <p class="soft">{playWords().lobby.noResults}</p>}
      {rounds.length > 0 && (
        <>
          <ol class="strip">
            {rounds.slice(0, STRIP).map(round => (
              <li key={round.number}>
                <button type="button" class="strip-round" onClick={() => onRecall(round.number)}>
                  <span class="unseen">{playWords().play.recall(round.number)}</span>
                  <Dice faces={round.dice} size={22} />
                  {round.void ? (
                    <span class="strip-total">{playWords().lobby.void}</span>
                  ) : (
                    <span class="strip-total">
                      {totalOf(round.dice)}
                      <Marks thrown={asThrown(round)} roads={roads} book={book} />
                    </span>
                  )}
                </button>
              </li>
            ))}
          </ol>
          <div class="roads">
            {roads.length > 0 && <Roads book={book} roads={roads} thrown={thrown} />}
            <Frequencies thrown={thrown.map(one => one.dice)} dice={book.identity.dice} />
          </div>
        </>
      )}
    </section>
  );
}

/** The throws that counted, latest first. */
export function throwsOf(rounds: readonly PastRound[]): Thrown[] {
  return rounds.filter(one => !one.void && one.dice.length > 0).map(asThrown);
}

function asThrown(round: PastRound): Thrown {
  return { dice: round.dice, lit: round.lit ?? [] };
}

/** The mark of a throw on each road; a triple is listed once. */
export function Marks({ thrown, roads, book }: { thrown: Thrown; roads: readonly Road[]; book: BookPage }) {
  const all = roads.map(road => markOf(thrown, road, book));
  const marks = all.some(mark => mark.kind === "triple") ? all.slice(0, 1) : all;
  return (
    <span class="marks">
      {marks.map((mark, index) => (
        <span key={index} class={`mark mark-${mark.kind}`} role="img" aria-label={named(mark.label)} lang="zh-Hant">
          {signOf(mark.label.zh)}
        </span>
      ))}
    </span>
  );
}

/** One character for an area: 任何圍骰 is 圍. */
function signOf(name: string): string {
  return /圍|大|小|單|雙/.exec(name)?.[0] ?? name.slice(0, 1);
}

function Roads({ book, roads, thrown }: { book: BookPage; roads: readonly Road[]; thrown: readonly Thrown[] }) {
  const t = playWords().play;
  const [chosen, setChosen] = useState(0);
  const road = roads[chosen] ?? roads[0];
  if (road === undefined) return null;
  const marks = [...thrown].reverse().map(one => markOf(one, road, book));
  return (
    <>
      {roads.length > 1 && (
        <div class="road-choice">
          <div class="switch" role="group" aria-label={t.road}>
            {roads.map((one, index) => (
              <button key={one.about} type="button" aria-pressed={chosen === index} onClick={() => setChosen(index)}>
                {named(one.first.name)} / {named(one.second.name)}
              </button>
            ))}
          </div>
        </div>
      )}
      <RoadDrawing name={t.beadPlate} beads={beadPlate(marks)} />
      <RoadDrawing name={t.bigRoad} beads={bigRoad(marks)} />
    </>
  );
}

const CELL = 22;
const COLUMNS = 14;

export function RoadDrawing({ name, beads }: { name: string; beads: readonly Bead[] }) {
  const last = Math.max(0, ...beads.map(bead => bead.column));
  const first = Math.max(0, last - COLUMNS + 1);
  const [width, height] = [COLUMNS * CELL, ROWS * CELL];
  const description = listed(beads.map(bead => named(bead.label)));
  return (
    <figure class="road">
      <figcaption>{name}</figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={`${name}: ${description}`}
      >
        <path class="road-grid" d={grid(width, height)} />
        {beads
          .filter(bead => bead.column >= first)
          .map((bead, index) => (
            <g
              key={index}
              class={`bead bead-${bead.kind}`}
              transform={`translate(${(bead.column - first + 0.5) * CELL} ${(bead.row + 0.5) * CELL})`}
            >
              {bead.kind === "triple" ? <path d="M0 -10 L10 0 L0 10 L-10 0 Z" /> : <circle r="9" />}
              <text lang="zh-Hant">{signOf(bead.label.zh)}</text>
            </g>
          ))}
      </svg>
    </figure>
  );
}

function grid(width: number, height: number): string {
  const down = Array.from({ length: COLUMNS + 1 }, (_, at) => `M${at * CELL} 0V${height}`);
  const across = Array.from({ length: ROWS + 1 }, (_, at) => `M0 ${at * CELL}H${width}`);
  return [...down, ...across].join("");
}
