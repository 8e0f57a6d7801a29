/** Steps that need no input from the dealer: they are taken together with the previous step, each recorded separately. */

import { api, unwrap } from "../api/client";
import { sendCommand } from "../live/commands";
import type { Staff, Step, View } from "../live/view";
import { workingRoles } from "../shell/session";
import { mayAct, roleFor } from "../staff/roles";
import { commandOf, type Desk } from "./console";

/** Steps of the equipment, and lammers: the console says where they go, and a roll can still be corrected. */
const BY_ITSELF = new Set(["press deal", "reset", "clear", "mark", "remove lammers"]);
/** Steps that use the dice typed when they were uncovered. */
const WITH_DICE = new Set(["check dice", "announce dice", "enter dice"]);

/** Takes the steps that follow, as long as none needs input; `dice` were typed for them. */
export async function takeFollowUps(desk: Desk, dice: readonly number[]): Promise<void> {
  const { live, book } = desk;
  let last = 0;
  try {
    for (;;) {
      const { view, staff } = await unwrap(api.GET("/api/v1/tables/{table}", { params: { path: { table: live.id } } }));
      const step = view.procedure.find(one => one.id === view.due);
      if (step === undefined || !staff || !follows(desk, view, staff, step, dice)) return;
      const typed = WITH_DICE.has(step.act) && step.act !== "check dice" ? { dice: [...dice] } : {};
      const role = roleFor(live.id, book, step.who);
      const done = await sendCommand(live.id, commandOf(step, typed), {
        seen: view,
        ...(role === undefined ? {} : { role }),
      });
      last = done.sequence;
    }
  } catch {
    // It stays due, and is taken manually.
  } finally {
    await live.showing(last);
    live.refresh();
  }
}

function follows(desk: Desk, view: View, staff: Staff, step: Step, dice: readonly number[]): boolean {
  const { live, book } = desk;
  const rule = book.procedure.round.find(one => one.id === step.id);
  const mine = workingRoles(live.id).some(role => mayAct(book, role, step.who));
  if (!view.open || !mine || (rule?.directed_by ?? []).length > 0 || staff.bets.some(bet => !bet.confirmed))
    return false;
  if (WITH_DICE.has(step.act)) return dice.length > 0;
  // The dice can be corrected until losers are collected: only after that is an empty payment taken automatically.
  if (step.act === "pay winners") return staff.settlement.pay.length === 0;
  return BY_ITSELF.has(step.act);
}
