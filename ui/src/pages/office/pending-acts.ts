/** Descriptions of acts that wait for a second person: what will happen once they are approved. */

import type { components } from "../../api/schema";
import { locale } from "../../i18n";
import { officeWords } from "../../i18n/words/office";
import { personName, tableLabel } from "../../live/names";
import { amountText } from "../../money/amounts";

export type ApprovalInfo = components["schemas"]["ApprovalInfo"];

/** The kind of act, in a word or two. */
export function actName(approval: ApprovalInfo): string {
  const t = officeWords().acts;
  const type = String(approval.command.type ?? "");
  return t.names[type] ?? type;
}

/** The effect of approving it. Amounts need the table's money. */
export function actWords(approval: ApprovalInfo, money: string | null): string {
  const t = officeWords().acts;
  const command = approval.command;
  const amount =
    typeof command.amount === "number" && money !== null ? amountText(command.amount, money, locale.value) : "";
  switch (command.type) {
    case "Fill":
      return t.fill(amount, tableLabel(approval.table));
    case "Credit":
      return t.credit(amount, tableLabel(approval.table));
    case "CollectDrop":
      return t.drop(tableLabel(approval.table));
    case "Count":
      return command.when === "opening"
        ? t.opening(amount, tableLabel(approval.table))
        : t.closing(amount, tableLabel(approval.table));
    case "TakeStep":
      return stepText(String(command.step ?? ""), tableLabel(approval.table), diceOf(command.dice));
    case "BuyIn":
      return t.buyIn(amount, personName(String(command.player)));
    case "CashOut":
      return t.cashOut(amount, personName(String(command.player)));
    default:
      return approval.player === null ? "" : t.forPlayer(personName(approval.player));
  }
}

function diceOf(dice: unknown): string {
  return Array.isArray(dice) ? dice.join("-") : "";
}

function stepText(step: string, table: string, dice: string): string {
  const t = officeWords().acts;
  return dice === "" ? t.step(step, table) : t.stepDice(step, table, dice);
}
