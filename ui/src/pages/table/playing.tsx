/** The table with everything on it. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { BookPage } from "../../api/types";
import { LinkButton } from "../../components/button";
import { CalledNotes } from "../../components/called-irregularities";
import { words } from "../../i18n";
import { playWords } from "../../i18n/words/play";
import { Layout } from "../../layout/layout";
import { ruledAreas, type Showing } from "../../layout/model";
import { usePast } from "../../live/past-rounds";
import type { LiveTable } from "../../live/table";
import type { Rules, View } from "../../live/view";
import { place } from "../../shell/router";
import { me, rolesAt } from "../../shell/session";
import { Behalf } from "./behalf";
import { notesOf, tipsOf } from "./bet-notes";
import { Hand } from "./bet-slip";
import { OwnBets } from "./bets";
import { Counter } from "./cashier";
import { chipsOf, firstChip } from "./chips";
import { DrawShare } from "./draw";
import { Top, useAnnounced } from "./header";
import { History } from "./history";
import { useRoom } from "./layout-height";
import { useProspect } from "./max-win";
import { Carrying } from "./moving-bet";
import { Recall } from "./past-round";
import { PowerFailed } from "./power";
import { HandStrip } from "./puck";
import { Rail } from "./rail";
import { chipsShown, reached, resultOf, useStage } from "./reveal";
import { byArea, inColour, opposite, plus, total } from "./stake-changes";
import { useTopUp } from "./top-up";

interface PlayingProps {
  live: LiveTable;
  view: View;
  rules: Rules;
  book: BookPage;
}

/** So many past rounds make the roads. */
const ROUNDS = 84;

export function Playing({ live, view, rules, book }: PlayingProps) {
  const hand = useHand(live);
  const stage = useStage(live);
  const [recalled, setRecalled] = useState<number | null>(null);
  const [counter, setCounter] = useState(false);
  const outcome = live.outcome.value;
  const owns = (bet: number): boolean => hand.owns(bet);
  const shown = reached(stage, "lit") || stage === "none";
  const chips = useMemo(() => chipsOf(rules), [rules]);
  useEffect(() => {
    if (!chips.includes(hand.chip.value)) hand.chip.value = firstChip(chips, rules);
  }, [chips, hand, rules]);

  const lying = { own: live.ownStakes.value, all: live.stakes.value };
  const seen = chipsShown(stage, outcome, lying, owns);
  const moving = byArea(hand.moving.value);
  const own = plus(seen.own, moving);
  const result = reached(stage, "paid") || stage === "none" ? resultOf(outcome, owns) : null;
  const betting = view.betting && !view.power_failed;
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
  };
  const staked = view.betting && stage === "none" ? own : plus(lying.own, moving);
  const winning = plus(staked, opposite(tipsOf(live, hand.moving.value)));
  const most = useProspect(live, view);
  const rounds = usePast(live.id, ROUNDS, shown ? (outcome?.sequence ?? 0) : null);
  const rolls = book.procedure.round.some(step => step.act === "roll");
  const tips = view.automatic === undefined && book.procedure.round.some(step => step.act === "place tip");
  useAnnounced(live, view, { stage, outcome, result, money: rules.money });
  const page = useRef<HTMLElement>(null);
  const room = useRoom(page);
  const topUp = useTopUp(live, rules, view);
  const purse = live.mine.value?.purse ?? null;
  const coloured = total(inColour(hand.moving.value));
  const hands =
    plays && view.open && view.ready
      ? { onBet: (wager: string) => hand.lay(wager), onTakeOff: (wager: string) => hand.takeOff(wager) }
      : {};
  return (
    <section class="page table-page" ref={page}>
      <Top live={live} view={view} rules={rules} book={book} stage={stage} outcome={outcome} result={result} />
      {view.power_failed ? <PowerFailed live={live} book={book} /> : <CalledNotes view={view} book={book} />}
      {rolls && (
        <HandStrip view={view} rounds={rounds} shooter={live.mine.value?.shooter ?? false} onRecall={setRecalled} />
      )}
      <div class={book.layout.blocks.length === 1 ? "table-body table-body-one" : "table-body"}>
        <div class="table-main">
          <Layout {...hands} book={book} showing={showing} room={room} facility={rules.setup.facility} />
          <Carrying hand={hand} book={book} money={rules.money} />
          {plays && (view.automatic === undefined || !rules.play_money) && (
            <Behalf live={live} book={book} money={rules.money} betting={betting} />
          )}
          {plays ? (
            <Rail
              hand={hand}
              chips={chips}
              colour={
                purse === null ? null : { value: purse.value, held: purse.held - coloured - seen.withheld.colour }
              }
              tips={tips}
              money={rules.money}
              balance={(live.mine.value?.balance ?? 0) - total(hand.moving.value) + coloured - seen.withheld.cash}
              betting={betting}
              staked={total(staked)}
              most={most}
              topUp={topUp.offered(total(staked) + seen.withheld.cash + seen.withheld.colour) ? topUp.amount : 0}
              busy={topUp.busy}
              onTopUp={topUp.take}
              onCounter={() => setCounter(true)}
            />
          ) : (
            <LooksOn />
          )}
          {plays && view.automatic === undefined && live.mine.value?.balance === 0 && total(own) === 0 && (
            <p class="note">{playWords().play.buyChips}</p>
          )}
        </div>
        <div class={plays ? "table-below" : "table-below table-below-alone"}>
          {plays && (
            <OwnBets
              book={book}
              showing={{ ...showing, own: staked }}
              winning={winning}
              movable={hand.stakes()}
              betting={betting}
              result={result}
              onTakeAll={wager => hand.takeAll(wager)}
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
      <Recall
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

function LooksOn() {
  const say = words();
  const signedIn = (me.value ?? null) !== null;
  return (
    <div class="looks-on">
      <p>{signedIn ? playWords().play.noPlayer : playWords().play.toPlay}</p>
      {!signedIn && (
        <LinkButton tone="main" href={`/sign-in?to=${encodeURIComponent(place.value.path)}`}>
          {say.shell.signIn}
        </LinkButton>
      )}
    </div>
  );
}

function useHand(live: LiveTable): Hand {
  const hand = useMemo(() => new Hand(live), [live]);
  useEffect(() => hand.listen(), [hand]);
  return hand;
}

function litOf(live: LiveTable, stage: string): ReadonlySet<string> {
  const outcome = live.outcome.value;
  if (stage === "tumbling") return new Set();
  return stage !== "none" && outcome && outcome.lit.length > 0 ? new Set(outcome.lit) : live.lit.value;
}
