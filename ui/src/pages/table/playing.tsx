/** The table with all of its parts. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { BookPage } from "../../api/types";
import { Layout } from "../../layout/layout";
import { areaOf, ruledAreas, type Showing } from "../../layout/model";
import { usePastRounds } from "../../live/past-rounds";
import type { LiveTable } from "../../live/table";
import type { Rules, View } from "../../live/view";
import { me, rolesAt } from "../../shell/session";
import { Behalf } from "./behalf";
import { notesOf, tipsOf } from "./bet-notes";
import { BetSlip } from "./bet-slip";
import { OwnBets } from "./bets";
import { Counter } from "./cashier";
import { chipsOf, firstChip } from "./chips";
import { DrawShare } from "./draw";
import { HandBets, OddsOffers, standingOf } from "./hand-bets";
import { TableHeader, useAnnounced } from "./header";
import { History } from "./history";
import { useLayoutHeight } from "./layout-height";
import { useMaxWin } from "./max-win";
import { NoteLine } from "./note-line";
import { Outlook } from "./outlook";
import { PastRoundDialog } from "./past-round";
import { HandStrip } from "./puck";
import { Rail } from "./rail";
import { RefusedStake } from "./refused-stake";
import { chipsShown, reached, resultOf, type Stage, useReveal } from "./reveal";
import { RevealedDice } from "./revealed-dice";
import { useSound } from "./sound";
import { SeatOffer, Spectator } from "./spectator";
import { byArea, opposite, plus, total } from "./stake-changes";
import { useTopUp } from "./top-up";

interface PlayingProps {
  live: LiveTable;
  view: View;
  rules: Rules;
  book: BookPage;
}

/** The number of past rounds on the roads. */
const ROUNDS = 84;

export function Playing({ live, view, rules, book }: PlayingProps) {
  const hand = useHand(live);
  const reveal = useReveal(live, view);
  const { stage } = reveal;
  const [pointed, setPointed] = useState<string | null>(null);
  const [recalled, setRecalled] = useState<number | null>(null);
  const [counter, setCounter] = useState(false);
  const outcome = live.outcome.value;
  const owns = (bet: number): boolean => hand.owns(bet);
  const isRevealed = reached(stage, "lit") || stage === "none";
  const chips = useMemo(() => chipsOf(rules), [rules]);
  useEffect(() => {
    if (!chips.includes(hand.chip.value)) hand.chip.value = firstChip(chips, rules);
  }, [chips, hand, rules]);

  const lying = { own: live.ownStakes.value, all: live.areaStakes.value };
  const seen = chipsShown(stage, outcome, lying, owns, line => areaOf(book, line.wager, hand.numberOf(line.bet)));
  const moving = byArea(hand.moving.value);
  const own = plus(seen.own, moving);
  const result = reached(stage, "paid") || stage === "none" ? resultOf(outcome, owns) : null;
  const betting = view.betting && !view.power_failed;
  const rolls = book.procedure.round.some(step => step.act === "roll");
  // Bets of the base game of craps belong to the hand: each has its own odds, calls and number.
  const onHand = rolls && book.wagers.some(one => one.decided === "phases");
  const bets = live.mine.value?.bets ?? [];
  const plays = live.mine.value !== null && rolesAt(live.id).includes("player");
  const showing: Showing = {
    lit: litOf(live, stage),
    lammers: view.lammers,
    chances: view.chances,
    own,
    others: seen.others,
    money: rules.money,
    paytables: rules.paytables,
    limits: rules.limits,
    chip: plays && betting && !hand.kind.value.startsWith("tip") ? hand.chip.value : 0,
    swept: seen.swept,
    paid: seen.paid,
    ruled: ruledAreas(live),
    pending: moving,
    doubtful: live.connection.value !== "live",
    refused: hand.refusal.value,
    ...(rolls ? standingOf(live, view) : {}),
  };
  const travelled = Object.values(live.ownTravelled.value).reduce((sum, one) => sum + total(one), 0);
  const left = plus(lying.own, moving);
  // Until the eye has seen a bet settled, it is at stake.
  const staked = reached(stage, "paid") ? left : own;
  const winning = plus(staked, opposite(tipsOf(live, hand.moving.value)));
  const prospect = useMaxWin(live, view);
  const most = useRef(prospect);
  if (stage === "none" || reached(stage, "paid")) most.current = prospect;
  const rounds = usePastRounds(live.id, ROUNDS, isRevealed ? (outcome?.sequence ?? 0) : null);
  const tips = view.automatic === undefined && book.procedure.round.some(step => step.act === "place tip");
  useAnnounced(live, view, { book, reveal, outcome, result, money: rules.money });
  useSound(reveal, (result?.net ?? 0) > 0);
  const page = useRef<HTMLElement>(null);
  const main = useRef<HTMLDivElement>(null);
  const room = useLayoutHeight(page);
  const topUp = useTopUp(live, rules, view);
  const purse = live.mine.value?.purse ?? null;
  const offered = plays && topUp.offered(total(left) + travelled + seen.withheld.cash + seen.withheld.colour);
  const [offering, setOffering] = useState(false);
  const hands =
    plays && view.open && view.ready
      ? { onBet: (wager: string) => hand.placeChip(wager), onTakeOff: (wager: string) => hand.removeChip(wager) }
      : plays || me.value !== null
        ? {}
        : { onBet: () => setOffering(true) };
  return (
    <section class="page table-page" ref={page}>
      <TableHeader live={live} view={view} rules={rules} book={book} reveal={reveal} rounds={rounds} result={result} />
      {rolls && (
        <div class="hand-line">
          <HandStrip view={view} rounds={rounds} shooter={live.mine.value?.shooter ?? false} onRecall={setRecalled} />
          {plays && onHand && <OddsOffers bets={bets} book={book} hand={hand} money={rules.money} betting={betting} />}
        </div>
      )}
      <div class={book.layout.blocks.length === 1 ? "table-body table-body-one" : "table-body"}>
        <div class="table-main" ref={main}>
          <RefusedStake hand={hand} book={book} money={rules.money} around={main} />
          <RevealedDice dice={outcome?.dice ?? []} reveal={reveal} />
          <Layout
            {...hands}
            book={book}
            showing={showing}
            room={room}
            facility={rules.setup.facility}
            info={false}
            onPoint={setPointed}
          />
          {plays && onHand && (
            <Outlook outlook={live.mine.value?.outlook ?? []} bets={bets} book={book} money={rules.money} />
          )}
          {plays && (view.automatic === undefined || !rules.play_money) && (
            <Behalf live={live} book={book} money={rules.money} betting={betting} />
          )}
          <div class="table-foot">
            <NoteLine
              live={live}
              view={view}
              book={book}
              hand={hand}
              showing={showing}
              pointed={pointed}
              plays={plays}
              topUp={{ ...topUp, amount: offered ? topUp.amount : 0 }}
            />
            {plays ? (
              <Rail
                hand={hand}
                chips={chips}
                colour={
                  purse === null ? null : { value: purse.value, held: hand.available("colour") - seen.withheld.colour }
                }
                tips={tips}
                money={rules.money}
                balance={hand.available("cash") - seen.withheld.cash}
                betting={betting}
                staked={total(staked) + travelled}
                most={most.current}
                onCounter={() => setCounter(true)}
              />
            ) : (
              <Spectator live={live} view={view} rules={rules} book={book} />
            )}
          </div>
        </div>
        <div class={plays ? "table-below" : "table-below table-below-alone"}>
          {plays && onHand && bets.length > 0 && (
            <HandBets bets={bets} book={book} hand={hand} showing={showing} betting={betting} />
          )}
          {plays && !(onHand && bets.length > 0) && (
            <OwnBets
              book={book}
              showing={{ ...showing, own: staked }}
              winning={winning}
              movable={hand.stakes()}
              betting={betting}
              result={result}
              onTakeAll={wager => hand.removeAll(wager)}
              onCarry={place => {
                hand.carried.value = place;
              }}
              notes={notesOf(live, book)}
              returned={live.mine.value?.rulings.filter(one => one.stands_on === null || one.paid !== null) ?? []}
            />
          )}
          <History
            book={book}
            rounds={rounds}
            disputed={view.disputed}
            claims={live.mine.value?.claims.filter(one => one.upheld !== null) ?? []}
            onRecall={setRecalled}
          />
        </div>
      </div>
      {plays && view.automatic !== undefined && <DrawShare live={live} view={view} />}
      {plays && (
        <Counter open={counter} onClose={() => setCounter(false)} live={live} view={view} rules={rules} book={book} />
      )}
      <SeatOffer open={offering} onClose={() => setOffering(false)} live={live} view={view} rules={rules} book={book} />
      <PastRoundDialog
        table={live.id}
        round={recalled}
        book={book}
        money={rules.money}
        paytables={rules.paytables}
        player={live.mine.value?.player ?? null}
        disputed={view.disputed}
        onClose={() => setRecalled(null)}
      />
    </section>
  );
}

function useHand(live: LiveTable): BetSlip {
  const hand = useMemo(() => new BetSlip(live), [live]);
  useEffect(() => hand.listen(), [hand]);
  return hand;
}

function litOf(live: LiveTable, stage: Stage): ReadonlySet<string> {
  const outcome = live.outcome.value;
  if (stage === "shaking" || stage === "falling") return new Set();
  return stage !== "none" && outcome && outcome.lit.length > 0 ? new Set(outcome.lit) : live.lit.value;
}
