/** What came before: dice and totals, bead plate and big road, how often each face came. The dice remember nothing. */

import { useState } from "preact/hooks";
import type { BookPage } from "../../api/types";
import { Dice, DieMark } from "../../components/dice";
import { named, words } from "../../words";
import { type Bead, beadPlate, bigRoad, faceCounts, hasRoads, parityMark, ROWS, rangeMark, totalOf } from "./roads";

export interface PastRound {
  number: number;
  dice: readonly number[];
  void?: boolean;
  corrected?: boolean;
}

interface HistoryProps {
  book: BookPage;
  /** The latest first. */
  rounds: readonly PastRound[];
  onRecall: (round: number) => void;
}

const STRIP = 14;

export function History({ book, rounds, onRecall }: HistoryProps) {
  const say = words();
  const roads = hasRoads(book);
  const thrown = rounds.filter(one => !one.void && one.dice.length > 0);
  return (
    <section class="panel history" aria-label={say.play.history}>
      <header>
        <h2>{say.play.history}</h2>
        <p class="soft">{say.shell.dicegovern}</p>
      </header>
      {rounds.length === 0 && <p class="soft">{say.lobby.noResults}</p>}
      {rounds.length > 0 && (
        <>
          <ol class="strip">
            {rounds.slice(0, STRIP).map(round => (
              <li key={round.number}>
                <button type="button" class="strip-round" onClick={() => onRecall(round.number)}>
                  <span class="unseen">{say.play.recall(round.number)}</span>
                  <Dice faces={round.dice} size={22} />
                  {round.void ? (
                    <span class="strip-total">{say.lobby.void}</span>
                  ) : (
                    <span class="strip-total">
                      {totalOf(round.dice)}
                      {roads && <Marks dice={round.dice} book={book} />}
                    </span>
                  )}
                </button>
              </li>
            ))}
          </ol>
          <div class="roads">
            {roads && <Roads book={book} thrown={thrown.map(one => one.dice)} />}
            <Faces thrown={thrown.map(one => one.dice)} />
          </div>
        </>
      )}
    </section>
  );
}

function Marks({ dice, book }: { dice: readonly number[]; book: BookPage }) {
  const [range, parity] = [rangeMark(dice, book), parityMark(dice)];
  const marks = range.kind === "triple" ? [range] : [range, parity];
  return (
    <span class="marks">
      {marks.map((mark, index) => (
        <span key={index} class={`mark mark-${mark.kind}`} role="img" aria-label={named(mark.label)} lang="zh-Hant">
          {mark.label.zh.slice(0, 1)}
        </span>
      ))}
    </span>
  );
}

type About = "range" | "parity";

function Roads({ book, thrown }: { book: BookPage; thrown: readonly (readonly number[])[] }) {
  const say = words().play;
  const [about, setAbout] = useState<About>("range");
  const marks = [...thrown].reverse().map(dice => (about === "range" ? rangeMark(dice, book) : parityMark(dice)));
  return (
    <>
      <div class="road-choice">
        <div class="switch" role="group" aria-label={say.road}>
          {(["range", "parity"] as const).map(one => (
            <button key={one} type="button" aria-pressed={about === one} onClick={() => setAbout(one)}>
              {say.roads[one]}
            </button>
          ))}
        </div>
      </div>
      <Road name={say.beadPlate} beads={beadPlate(marks)} />
      <Road name={say.bigRoad} beads={bigRoad(marks)} />
    </>
  );
}

const CELL = 22;
const COLUMNS = 14;

function Road({ name, beads }: { name: string; beads: readonly Bead[] }) {
  const last = Math.max(0, ...beads.map(bead => bead.column));
  const first = Math.max(0, last - COLUMNS + 1);
  const [width, height] = [COLUMNS * CELL, ROWS * CELL];
  const told = beads.map(bead => named(bead.label)).join(", ");
  return (
    <figure class="road">
      <figcaption>{name}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={`${name}: ${told}`}>
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
              <text lang="zh-Hant">{bead.label.zh.slice(0, 1)}</text>
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

/** How often each face came: for who asks, not for who believes it matters. */
function Faces({ thrown }: { thrown: readonly (readonly number[])[] }) {
  const say = words().play;
  const counts = faceCounts(thrown);
  const most = Math.max(1, ...counts);
  const label = counts.map((count, index) => `${index + 1}: ${count}`).join(", ");
  return (
    <figure class="road">
      <figcaption>{say.faces(thrown.length)}</figcaption>
      <svg
        viewBox="0 0 216 132"
        width="216"
        height="132"
        role="img"
        aria-label={`${say.faces(thrown.length)}: ${label}`}
      >
        {counts.map((count, index) => (
          <g key={index} transform={`translate(${index * 36 + 4} 0)`}>
            <rect class="face-bar" x="4" y={96 - (count / most) * 78} width="20" height={(count / most) * 78} rx="2" />
            <text class="face-count" x="14" y={88 - (count / most) * 78}>
              {count}
            </text>
            <DieMark face={index + 1} x={2} y={104} size={24} />
          </g>
        ))}
      </svg>
    </figure>
  );
}
