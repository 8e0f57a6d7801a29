/** One's own bets on the shooter's hand: odds, on or off, and whether each can come down. */

import type { BookPage } from "../../api/types";
import { Amount } from "../../components/amount";
import { locale } from "../../i18n";
import { playWords } from "../../i18n/words/play";
import { areaName, type Showing } from "../../layout/model";
import type { LiveTable, Travelled } from "../../live/table";
import type { Bet, View } from "../../live/view";
import { amountText } from "../../money/amounts";
import type { BetSlip } from "./bet-slip";
import { Running } from "./bets";

/** A bet by its area, with its number if it has one. */
export function betName(book: BookPage, bet: Pick<Bet, "wager" | "point">): string {
  const name = areaName(book, bet.wager);
  return bet.point === null ? name : `${name} ${bet.point}`;
}

interface OffersProps {
  bets: readonly Bet[];
  book: BookPage;
  hand: BetSlip;
  money: string;
  betting: boolean;
}

interface HandBetsProps extends Omit<OffersProps, "money"> {
  showing: Showing;
}

/** By area: the state of one's bets on the shooter's hand, as shown on the layout. */
export function standingOf(live: LiveTable, view: View): Pick<Showing, "point" | "travelled" | "working"> {
  const own = live.ownTravelled.value;
  const working: Record<string, "on" | "off"> = {};
  for (const bet of live.mine.value?.bets ?? []) {
    if (!bet.working) working[bet.wager] = "off";
    else if (bet.called === "on") working[bet.wager] = "on";
  }
  return { point: view.point, travelled: { own, others: without(view.travelled, own) }, working };
}

function without(all: Travelled, own: Travelled): Travelled {
  const left = ([wager, numbers]: [string, Readonly<Record<string, number>>]) =>
    [
      wager,
      Object.fromEntries(Object.entries(numbers).map(([number, sum]) => [number, sum - (own[wager]?.[number] ?? 0)])),
    ] as const;
  return Object.fromEntries(Object.entries(all).map(left));
}

export function HandBets({ bets, book, hand, showing, betting }: HandBetsProps) {
  const t = playWords().play;
  const order = new Map(book.wagers.map((one, index) => [one.wager, index]));
  const sorted = [...bets].sort((one, other) => (order.get(one.wager) ?? 0) - (order.get(other.wager) ?? 0));
  return (
    <section class="panel own-bets hand-bets" aria-label={t.yours}>
      <h2>{t.yours}</h2>
      <ul>
        {sorted.map(bet => (
          <HandBet key={bet.id} bet={bet} book={book} hand={hand} showing={showing} betting={betting} />
        ))}
      </ul>
    </section>
  );
}

interface HandBetProps extends Omit<HandBetsProps, "bets"> {
  bet: Bet;
}

function HandBet({ bet, book, hand, showing, betting }: HandBetProps) {
  const t = playWords().hand;
  const { money } = showing;
  const wager = book.wagers.find(one => one.wager === bet.wager);
  const name = betName(book, bet);
  const amount = (minor: number): string => amountText(minor, money, locale.value, { short: true });
  return (
    <li class={bet.working ? "hand-bet" : "hand-bet hand-bet-off"}>
      <span class="own-bet-name">{name}</span>
      <Amount minor={bet.amount} money={money} short />
      <span class="hand-bet-acts">
        {bet.odds !== null && bet.odds.room > 0 && (
          <button
            type="button"
            class="odds-offer"
            disabled={!betting}
            aria-label={t.takeOdds(name, amount(bet.odds.room))}
            onClick={() => bet.odds && hand.placeAmount(bet.odds.wager, bet.odds.room)}
          >
            {t.odds(amount(bet.odds.room))}
          </button>
        )}
        {bet.can_call && (
          <button
            type="button"
            class={bet.working ? "on-off on-off-on" : "on-off"}
            disabled={!betting}
            aria-pressed={bet.working}
            aria-label={t.working(name)}
            onClick={() => hand.call(bet, bet.working ? "off" : "on")}
          >
            {bet.working ? playWords().seat.on : playWords().seat.off}
          </button>
        )}
        <button
          type="button"
          class="quiet"
          disabled={!betting || !bet.can_take_down}
          title={bet.locked ?? playWords().play.takeOff(name)}
          aria-label={bet.can_take_down ? playWords().play.takeOff(name) : t.locked(name, bet.locked ?? "")}
          onClick={() => hand.takeDown(bet)}
        >
          {bet.can_take_down ? "×" : "–"}
        </button>
      </span>
      {wager !== undefined && wager.decided !== "phases" && <Running wager={wager} showing={showing} />}
    </li>
  );
}

/** Odds that could be added to one's bets: one tap takes the maximum. */
export function OddsOffers({ bets, book, hand, money, betting }: OffersProps) {
  const t = playWords().hand;
  const offered = bets.filter(bet => bet.odds !== null && bet.odds.standing === 0 && bet.odds.room > 0);
  return (
    <div class="odds-offers">
      {offered.length === 0 && <p class="soft">{t.noOdds}</p>}
      {betting &&
        offered.map(bet => (
          <button
            key={bet.id}
            type="button"
            class="odds-offer"
            onClick={() => bet.odds && hand.placeAmount(bet.odds.wager, bet.odds.room)}
          >
            {t.oddsBehind(betName(book, bet), amountText(bet.odds?.room ?? 0, money, locale.value, { short: true }))}
          </button>
        ))}
    </div>
  );
}
