/** One's own bets as a list: stake, possible win, and the progress of those that last several rolls. */

import type { BookPage, WagerEntry } from "../../api/types";
import { Amount } from "../../components/amount";
import { Rounded } from "../../components/rounding-note";
import { locale, named, words } from "../../i18n";
import { playWords } from "../../i18n/words/play";
import { oddsInWords, winOn } from "../../layout/area-description";
import { areaName, percent, type Showing, share } from "../../layout/model";
import type { Lammers, Ruling } from "../../live/view";
import { oddsWords, printedOdds } from "../../money/odds";
import type { Result } from "./reveal";
import { byArea, type Moves, placeOf } from "./stake-changes";

interface BetsProps {
  book: BookPage;
  showing: Showing;
  /** The stakes that win for the player: tips don't. */
  winning: Moves;
  /** The stakes that may still be taken off. */
  movable: Readonly<Record<string, number>>;
  betting: boolean;
  /** How the last throw settled one's own bets. */
  result: Result | null;
  onTakeAll: (wager: string) => void;
  /** Moves a bet to the next area that is chosen. */
  onCarry: (place: string) => void;
  /** By area: bets other than cash chips, and bets that the dealer must repeat. */
  notes: Readonly<Record<string, string>>;
  /** Bets that were returned by a ruling in this round. */
  returned: readonly Ruling[];
}

/** A track has many odds: the layout shows them all, this list the first and the last. */
const ROWS_IN_WORDS_MAX = 4;

function shortOdds(wager: WagerEntry, showing: Showing): string {
  return wager.rows.length > ROWS_IN_WORDS_MAX
    ? printedOdds(wager, showing.paytables[wager.wager])
    : oddsInWords(wager, showing);
}

export function OwnBets(props: BetsProps) {
  const { book, showing, winning, movable, betting, result, onTakeAll, onCarry, notes, returned } = props;
  const t = playWords().play;
  const bets = book.wagers.filter(one => (showing.own[one.wager] ?? 0) > 0);
  return (
    <section class="panel own-bets" aria-label={t.yours}>
      <h2>{t.yours}</h2>
      {bets.length === 0 && (betting || result === null) && (
        <p class="soft">{betting ? t.noBets : playWords().seat.noneLie}</p>
      )}
      {bets.length === 0 && result !== null && <Settled book={book} result={result} money={showing.money} />}
      {returned.map(ruling => (
        <p key={ruling.bet} class="own-bet-note">
          {areaName(book, ruling.lay_on)} <Amount minor={ruling.amount} money={showing.money} short />:{" "}
          {ruling.paid === null ? playWords().seat.ruledReturned : playWords().seat.ruledPaid}
          {ruling.paid !== null && <Amount minor={ruling.paid} money={showing.money} short signed />}
        </p>
      ))}
      {bets.length > 0 && (
        <ul aria-label={t.yours}>
          {bets.map(wager => (
            <li key={wager.wager}>
              <div class="own-bet">
                <span class="own-bet-name">{named(wager.name)}</span>
                <span class="soft">{shortOdds(wager, showing)}</span>
                {notes[wager.wager] && <span class="own-bet-note">{notes[wager.wager]}</span>}
              </div>
              <div class="own-bet-money">
                <Amount minor={showing.own[wager.wager] ?? 0} money={showing.money} short />
                <span class="soft">
                  {t.upTo}{" "}
                  <Amount minor={winOn(wager, winning[wager.wager] ?? 0, showing)} money={showing.money} short signed />
                </span>
              </div>
              <span class="own-bet-acts">
                <button
                  type="button"
                  class="quiet"
                  disabled={!betting || placeToCarry(movable, wager.wager) === null}
                  title={playWords().seat.move}
                  aria-label={playWords().seat.moveBet(named(wager.name))}
                  onClick={() => onCarry(placeToCarry(movable, wager.wager) ?? wager.wager)}
                >
                  ⇄
                </button>
                <button
                  type="button"
                  class="quiet"
                  disabled={!betting || !(byArea(movable)[wager.wager] ?? 0)}
                  title={t.takeOff(named(wager.name))}
                  aria-label={t.takeOff(named(wager.name))}
                  onClick={() => onTakeAll(wager.wager)}
                >
                  ×
                </button>
              </span>
              <Running wager={wager} showing={showing} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The part of the stakes on an area that can be moved: the player's own bet, if there is no tip on it. */
function placeToCarry(movable: Moves, wager: string): string | null {
  if ((movable[placeOf(wager, "tip on top")] ?? 0) > 0) return null;
  const places = [placeOf(wager), placeOf(wager, "colour")];
  return places.find(place => (movable[place] ?? 0) > 0) ?? null;
}

/** The last round, bet by bet: losers first, as they were collected. */
function Settled({ book, result, money }: { book: BookPage; result: Result; money: string }) {
  const names = new Map(book.wagers.map(one => [one.wager, one.name]));
  return (
    <>
      <h3 class="settled-head">{playWords().play.lastRound}</h3>
      <ul class="settled">
        {result.lines.map(line => {
          const name = names.get(line.wager);
          return (
            <li key={line.bet}>
              <div class="own-bet">
                <span class="own-bet-name">{name ? named(name) : line.wager}</span>
                {line.net > 0 && <span class="soft">{oddsWords(line.pays)}</span>}
                {line.kind.startsWith("tip") && <span class="own-bet-note">{playWords().seat.forDealers}</span>}
              </div>
              <Amount minor={line.net} money={money} short signed />
              <Rounded line={line} money={money} />
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** What is still needed, and the exact current chance. */
export function Running({ wager, showing }: { wager: WagerEntry; showing: Showing }) {
  const t = words();
  const lammers = showing.lammers[wager.wager];
  const chance = showing.chances[wager.wager];
  if (wager.one_roll || (lammers === undefined && chance === undefined)) return null;
  return (
    <div class="own-bet-running">
      {lammers && <Coming lammers={lammers} />}
      {chance !== undefined && !lammers?.paid && (
        <span class="own-chance" title={chance}>
          <meter min={0} max={1} value={share(chance)} aria-label={t.area.chance(percent(chance, locale.value))} />
          {percent(chance, locale.value)}
        </span>
      )}
    </div>
  );
}

function Coming({ lammers }: { lammers: Lammers }) {
  const t = words();
  if (lammers.paid) return <span>{t.area.paid}</span>;
  if (lammers.missing !== undefined) {
    return (
      <span>
        {playWords().play.toCome}{" "}
        {lammers.missing.map(number => (
          <b key={number} class="to-come">
            {number}
          </b>
        ))}
      </span>
    );
  }
  if (lammers.of !== undefined) return <span>{t.area.counted(lammers.count ?? 0, lammers.of)}</span>;
  return lammers.count === undefined ? null : <span>{t.area.count(lammers.count)}</span>;
}
