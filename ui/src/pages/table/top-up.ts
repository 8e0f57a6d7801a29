/** Play money, up to the amount that the table gives. */

import { useEffect, useRef, useState } from "preact/hooks";
import { asProblem } from "../../api/problems";
import { toastDone, toastProblem } from "../../components/toasts";
import { locale } from "../../i18n";
import { playWords } from "../../i18n/words/play";
import { sendCommand } from "../../live/commands";
import type { LiveTable } from "../../live/table";
import type { Rules, View } from "../../live/view";
import { amountText } from "../../money/amounts";
import { me } from "../../shell/session";

/** It is offered when more than this share of it is gone. */
const FILL_UP = 0.25;

export function useTopUp(live: LiveTable, rules: Rules, view: View) {
  const [busy, setBusy] = useState(false);
  const stack = rules.play_money ? (view.automatic?.run.play_stack ?? 0) : 0;
  const mine = live.mine.value;
  const amount = Math.max(0, stack - (mine === null ? stack : mine.balance + (mine.purse?.held ?? 0)));
  const take = async (): Promise<void> => {
    setBusy(true);
    try {
      await sendCommand(live.id, { type: "BuyIn", amount }, { role: "player" });
      toastDone(playWords().play.toppedUp(amountText(amount, rules.money, locale.value, { short: true })));
    } catch (thrown) {
      toastProblem(asProblem(thrown));
    } finally {
      setBusy(false);
    }
  };
  // A guest gets play money at once; people with an account take it when they want to.
  const arrives =
    me.value?.session?.by === "guest" && mine?.balance === 0 && mine.bets.length === 0 && amount === stack;
  const arrived = useRef(false);
  useEffect(() => {
    if (!arrives || arrived.current || amount === 0) return;
    arrived.current = true;
    void take();
  }, [arrives]);
  /** Not while most of it is left, in the rail or on the layout. */
  const offered = (lying: number): boolean => amount > 0 && amount - lying > stack * FILL_UP;
  return { amount, offered, busy, take };
}
