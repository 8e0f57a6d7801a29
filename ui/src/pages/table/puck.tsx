/** At craps: the puck with the point, and the shooter's rolls of this hand. */

import { useEffect, useRef } from "preact/hooks";
import { Dice, totalOf } from "../../components/dice";
import { Puck } from "../../components/puck";
import { playWords } from "../../i18n/words/play";
import type { PastRound } from "../../live/past-rounds";
import type { View } from "../../live/view";

/** The name of a roll that ends a hand. */
const OVER = "seven-out";

/** The rolls since the dice changed hands, first one first. */
export function rollsOfHand(rounds: readonly PastRound[]): PastRound[] {
  const ended = rounds.findIndex(one => one.call === OVER);
  return rolled(ended < 0 ? rounds : rounds.slice(0, ended));
}

/** The rolls of the previous hand, with the seven that ended it. */
function rollsOfLastHand(rounds: readonly PastRound[]): PastRound[] {
  const ended = rounds.findIndex(one => one.call === OVER);
  if (ended < 0) return [];
  const before = rounds.slice(ended);
  const start = before.findIndex((one, index) => index > 0 && one.call === OVER);
  return rolled(start < 0 ? before : before.slice(0, start));
}

function rolled(rounds: readonly PastRound[]): PastRound[] {
  return rounds.filter(one => !one.void && one.dice.length > 0).reverse();
}

interface HandProps {
  view: View;
  rounds: readonly PastRound[];
  shooter?: boolean;
  /** Without it nothing can be pressed: a display board. */
  onRecall?: (round: number) => void;
}

/** The puck, followed by the rolls. */
export function HandStrip({ view, rounds, shooter = false, onRecall }: HandProps) {
  const t = playWords().seat;
  const hand = rollsOfHand(rounds);
  const board = onRecall === undefined;
  // On a board the last hand stays until the next one begins.
  const last = board && hand.length === 0 ? rollsOfLastHand(rounds) : [];
  const rolls = last.length > 0 ? last : hand;
  const row = useRef<HTMLOListElement>(null);
  const newest = rolls.at(-1)?.number;
  useEffect(() => {
    if (row.current !== null) row.current.scrollLeft = row.current.scrollWidth;
  }, [newest]);
  return (
    <section class="hand" aria-label={t.hand}>
      <Puck point={view.point} />
      <div class="hand-rolls">
        <p class="hand-head">
          <strong>{last.length > 0 ? playWords().board.lastHand : t.hand}</strong>
          <span class="soft">{rolls.length === 0 ? t.noRolls : t.rolls(rolls.length)}</span>
          {shooter && <span class="tag">{t.shooter}</span>}
          {board && !view.has_shooter && view.automatic === undefined && (
            <span class="tag">{playWords().board.noShooter}</span>
          )}
        </p>
        {rolls.length > 0 && (
          <ol ref={row}>
            {rolls.map((roll, index) => (
              <li key={roll.number}>
                <Roll roll={roll} last={index === rolls.length - 1} onRecall={onRecall} />
              </li>
            ))}
          </ol>
        )}
      </div>
    </section>
  );
}

interface RollProps {
  roll: PastRound;
  last: boolean;
  onRecall: ((round: number) => void) | undefined;
}

function Roll({ roll, last, onRecall }: RollProps) {
  const puck = (
    <>
      <Dice faces={roll.dice} size={20} />
      <strong>{totalOf(roll.dice)}</strong>
    </>
  );
  const look = last ? "roll roll-last" : "roll";
  if (onRecall === undefined) return <span class={look}>{puck}</span>;
  return (
    <button type="button" class={look} onClick={() => onRecall(roll.number)}>
      {puck}
    </button>
  );
}
