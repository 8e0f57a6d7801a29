/** Actions on a bet on the layout: take down, move, or rule on. */

import { useState } from "preact/hooks";
import type { Command } from "../api/types";
import { Button } from "../components/button";
import { Choice, Field } from "../components/field";
import { named, words } from "../i18n";
import { consoleWords } from "../i18n/words/console";
import { areaName } from "../layout/model";
import { personName } from "../live/names";
import type { Staff } from "../live/view";
import { amountTyped } from "../money/amounts";
import { betTakingRoles } from "./booking";
import { type Desk, money } from "./console";
import { AmountField, type PanelProps, WagerField } from "./fields";
import { ActForm } from "./panel";

export type StaffBet = Staff["bets"][number];

/** Describes a bet: player, area, amount. */
export function betWords(desk: Desk, bet: Pick<StaffBet, "player" | "wager" | "amount">): string {
  return `${personName(bet.player)} · ${areaName(desk.book, bet.wager)} · ${money(desk, bet.amount)}`;
}

/** Actions on a bet on the shooter's hand; none if it has no state of its own. */
export function standingOf({ staff }: Desk, bet: Pick<StaffBet, "id">): Staff["standing"][number] | undefined {
  return staff.standing.find(one => one.bet === bet.id);
}

export function ChangeBet({ desk, bet, onDone }: PanelProps & { bet: StaffBet }) {
  const t = consoleWords().desk;
  const [amount, setAmount] = useState("");
  const [to, setTo] = useState(bet.wager);
  const part = amount === "" ? null : amountTyped(amount, desk.rules.money);
  const ready = !desk.busy && (amount === "" || part !== null);
  const taking = betTakingRoles(desk);
  const which = { wager: bet.wager, kind: bet.kind, player: bet.player, amount: part, point: bet.point ?? null };
  const standing = standingOf(desk, bet);
  const then = (done: unknown): void => {
    if (done) onDone();
  };
  return (
    <ActForm onGo={() => void desk.act({ type: "TakeDown", ...which }, taking).then(then)}>
      <p>
        <strong>{betWords(desk, bet)}</strong>
      </p>
      {standing !== undefined && <OnHand desk={desk} bet={bet} standing={standing} onDone={onDone} />}
      <AmountField desk={desk} label={t.some} value={amount} onValue={setAmount} />
      <div class="buttons">
        <Button type="submit" tone="main" disabled={!ready || standing?.can_take_down === false}>
          {t.takeDown}
        </Button>
        {standing?.locked && <span class="soft">{standing.locked}</span>}
      </div>
      <WagerField desk={desk} label={t.moveTo} value={to} onValue={setTo} />
      <div class="buttons">
        <Button
          disabled={!ready || to === bet.wager || standing?.can_take_down === false}
          onClick={() => void desk.act({ type: "MoveBet", ...which, to }, taking).then(then)}
        >
          {t.move}
        </Button>
        <Button tone="quiet" onClick={onDone}>
          {words().dialog.cancel}
        </Button>
      </div>
    </ActForm>
  );
}

interface OnHandProps extends PanelProps {
  bet: StaffBet;
  standing: Staff["standing"][number];
}

/** Requests about a bet on the shooter's hand: odds behind it, and calling it on or off. */
function OnHand({ desk, bet, standing, onDone }: OnHandProps) {
  const t = consoleWords().desk;
  const { odds } = standing;
  const go = (command: Command): void => {
    void desk.act(command, betTakingRoles(desk)).then(done => done && onDone());
  };
  const how = standing.working ? "off" : "on";
  return (
    <div class="buttons">
      {odds !== null && odds.room > 0 && (
        <Button
          disabled={desk.busy}
          onClick={() =>
            go({ type: "PlaceBets", player: bet.player, bets: [{ wager: odds.wager, amount: odds.room }] })
          }
        >
          {t.bookOdds(money(desk, odds.room))}
        </Button>
      )}
      {standing.can_call && (
        <Button
          disabled={desk.busy}
          onClick={() => go({ type: "CallBets", how, wagers: [bet.wager], player: bet.player })}
        >
          {how === "on" ? t.callOn : t.callOff}
        </Button>
      )}
    </div>
  );
}

const RETURNED = "";

/** A supervisor's ruling on a bet that was not clearly placed, or was moved. */
export function RuleOnBet({ desk, bet, who, onDone }: PanelProps & { bet: StaffBet; who: readonly string[] }) {
  const t = consoleWords().desk;
  const [stands, setStands] = useState(bet.wager);
  const [text, setText] = useState("");
  const go = async (): Promise<void> => {
    const ruling = { bet: bet.id, treat_as: stands === RETURNED ? null : stands, words: text };
    if (await desk.act({ type: "RuleOnBet", ...ruling }, who)) onDone();
  };
  const areas = desk.book.wagers.map(one => ({ value: one.wager, name: named(one.name) }));
  return (
    <ActForm onGo={() => void go()}>
      <p>
        <strong>{betWords(desk, bet)}</strong>
      </p>
      <Choice
        label={t.treatAs}
        value={stands}
        options={[{ value: RETURNED, name: t.returned }, ...areas]}
        onValue={setStands}
      />
      <Field label={t.reason} value={text} onValue={setText} maxLength={200} hint={t.reasonNeeded} />
      <div class="buttons">
        <Button type="submit" tone="main" disabled={desk.busy || text.trim() === ""}>
          {t.rulingGo}
        </Button>
        <Button onClick={onDone}>{words().dialog.cancel}</Button>
      </div>
    </ActForm>
  );
}
