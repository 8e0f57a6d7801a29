/** The table with everything on it. */

import { useEffect, useMemo, useState } from "preact/hooks";
import { useAsked } from "../../api/asking";
import { api, told } from "../../api/client";
import { asProblem } from "../../api/problems";
import type { BookPage } from "../../api/types";
import { Button, LinkButton } from "../../components/button";
import { CalledNote } from "../../components/called";
import { denominations } from "../../components/chip";
import { toastDone, toastProblem } from "../../components/toasts";
import { Layout } from "../../layout/layout";
import type { Showing } from "../../layout/model";
import { ask } from "../../live/acting";
import { spanOf } from "../../live/limits";
import type { LiveTable } from "../../live/table";
import type { Rules, View } from "../../live/view";
import { amountText } from "../../money/amounts";
import { place } from "../../shell/router";
import { me, rolesAt } from "../../shell/session";
import { locale, named, type Words, words } from "../../words";
import { OwnBets } from "./bets";
import { Counter } from "./counter";
import { DrawShare } from "./draw";
import { Hand } from "./hand";
import { History } from "./history";
import { byArea, kindAt, type Moves, opposite, plus, total, wagerAt } from "./moves";
import { PowerFailed } from "./power";
import { useProspect } from "./prospect";
import { HandStrip } from "./puck";
import { Rail } from "./rail";
import { Recall } from "./recall";
import { chipsShown, reached, resultOf, useStage } from "./reveal";
import { Top, useAnnounced } from "./top";

interface PlayingProps {
  live: LiveTable;
  view: View;
  rules: Rules;
  book: BookPage;
}

/** So many past rounds make the roads. */
const ROUNDS = 84;
const CHIPS = 6;
/** Play money is offered when more than this share of it is gone. */
const FILL_UP = 0.25;

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
    chip: plays && betting && !hand.kind.value.startsWith("tip") ? hand.chip.value : 0,
    swept: seen.swept,
    paid: seen.paid,
  };
  const staked = view.betting && stage === "none" ? own : plus(lying.own, moving);
  const winning = plus(staked, opposite(tipsOf(live, hand)));
  const most = useProspect(live, view);
  const rounds = useRounds(live.id, shown ? (outcome?.sequence ?? 0) : -1);
  const rolls = book.procedure.round.some(step => step.act === "roll");
  const tips = view.automatic === undefined && book.procedure.round.some(step => step.act === "place tip");
  useAnnounced(live, view, { stage, outcome, result, money: rules.money });
  const topUp = useTopUp(live, rules, view);
  const hands = plays
    ? { onBet: (wager: string) => hand.lay(wager), onTakeOff: (wager: string) => hand.takeOff(wager) }
    : {};
  return (
    <section class="page table-page">
      <Top live={live} view={view} rules={rules} book={book} stage={stage} outcome={outcome} result={result} />
      {view.power_failed ? <PowerFailed live={live} book={book} /> : <CalledNote live={live} book={book} />}
      {rolls && (
        <HandStrip view={view} rounds={rounds} shooter={live.mine.value?.shooter ?? false} onRecall={setRecalled} />
      )}
      <Layout {...hands} book={book} showing={showing} />
      <Carrying hand={hand} book={book} money={rules.money} />
      {plays ? (
        <Rail
          hand={hand}
          chips={chips}
          colour={live.mine.value?.colour_value ?? null}
          tips={tips}
          money={rules.money}
          balance={(live.mine.value?.balance ?? 0) - total(hand.moving.value) - seen.withheld}
          betting={betting}
          staked={total(staked)}
          most={most}
          topUp={topUp.offered(total(staked) + seen.withheld) ? topUp.amount : 0}
          busy={topUp.busy}
          onTopUp={topUp.take}
          onCounter={() => setCounter(true)}
        />
      ) : (
        <LooksOn />
      )}
      {plays && view.automatic === undefined && live.mine.value?.balance === 0 && total(own) === 0 && (
        <p class="note">{words().play.buyChips}</p>
      )}
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
            notes={notesOf(live, words())}
          />
        )}
        <History book={book} rounds={rounds} onRecall={setRecalled} />
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
      <p>{signedIn ? say.play.noPlayer : say.play.toPlay}</p>
      {!signedIn && (
        <LinkButton tone="main" href={`/sign-in?to=${encodeURIComponent(place.value.path)}`}>
          {say.shell.signIn}
        </LinkButton>
      )}
    </div>
  );
}

/** A bet is on its way to another area: which one is asked for. */
function Carrying({ hand, book, money }: { hand: Hand; book: BookPage; money: string }) {
  const say = words().seat;
  const from = hand.carried.value;
  const wager = from === null ? undefined : book.wagers.find(one => one.wager === wagerAt(from));
  if (from === null || wager === undefined) return null;
  const amount = amountText(hand.stakes()[from] ?? 0, money, locale.value, { short: true });
  return (
    <div class="carrying" role="status">
      <p>{say.carrying(named(wager.name), amount)}</p>
      <Button
        tone="quiet"
        onClick={() => {
          hand.carried.value = null;
        }}
      >
        {say.keep}
      </Button>
    </div>
  );
}

/** What else is to be said of the bets that lie: whose chips they are, and whether the dealer has repeated them. */
function notesOf(live: LiveTable, say: Words): Record<string, string> {
  const notes: Record<string, string[]> = {};
  for (const bet of live.mine.value?.bets ?? []) {
    const said = [
      ...(bet.kind === "colour" ? [say.seat.colour] : []),
      ...(bet.kind.startsWith("tip") ? [say.seat.tips[bet.kind] ?? bet.kind] : []),
      ...(bet.confirmed ? [] : [say.seat.waiting]),
    ];
    if (said.length > 0) notes[bet.wager] = [...(notes[bet.wager] ?? []), ...said];
  }
  return Object.fromEntries(Object.entries(notes).map(([wager, said]) => [wager, [...new Set(said)].join(", ")]));
}

/** What lies for the dealers: it wins nothing for who laid it. */
function tipsOf(live: LiveTable, hand: Hand): Moves {
  let tips: Record<string, number> = {};
  for (const bet of live.mine.value?.bets ?? []) {
    if (bet.kind.startsWith("tip")) tips = plus(tips, { [bet.wager]: bet.amount });
  }
  const moving = Object.entries(hand.moving.value).filter(([place]) => kindAt(place).startsWith("tip"));
  return plus(tips, byArea(Object.fromEntries(moving)));
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

/** The chips that fit between the least and the most of all areas. */
function chipsOf(rules: Rules): number[] {
  const limits = spanOf(rules);
  return limits ? denominations(limits.least, limits.most ?? Infinity, rules.money).slice(0, CHIPS) : [];
}

/** The least one that may lie alone on most areas. */
function firstChip(chips: readonly number[], rules: Rules): number {
  const least = Math.min(...Object.values(rules.limits).map(one => one.stake_min));
  return chips.find(chip => chip >= least) ?? chips[0] ?? least;
}

/** Past rounds, the latest first; asked for again when another has been shown. */
function useRounds(table: string, about: number) {
  const [latest, setLatest] = useState(about);
  useEffect(() => {
    if (about >= 0) setLatest(about);
  }, [about]);
  const params = { path: { table }, query: { limit: ROUNDS } };
  const { asked } = useAsked(() => told(api.GET("/api/v1/tables/{table}/rounds", { params })), [table, latest]);
  if (asked.state === "here") return asked.told.rounds;
  return asked.state === "failed" ? (asked.before?.rounds ?? []) : [];
}

/** Play money, up to what the table gives. */
function useTopUp(live: LiveTable, rules: Rules, view: View) {
  const [busy, setBusy] = useState(false);
  const stack = rules.play_money ? (view.automatic?.run.play_stack ?? 0) : 0;
  const amount = Math.max(0, stack - (live.mine.value?.balance ?? stack));
  const take = async (): Promise<void> => {
    setBusy(true);
    try {
      await ask(live.id, { type: "BuyIn", amount }, { role: "player" });
      toastDone(words().play.toppedUp(amountText(amount, rules.money, locale.value, { short: true })));
    } catch (thrown) {
      toastProblem(asProblem(thrown));
    } finally {
      setBusy(false);
    }
  };
  /** Not as long as most of it is there, in the rail or on the layout. */
  const offered = (lying: number): boolean => amount > 0 && amount - lying > stack * FILL_UP;
  return { amount, offered, busy, take };
}
