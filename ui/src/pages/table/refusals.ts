/** Why a stake was not accepted: found here before the request, or reported by the table. */

import type { Problem } from "../../api/problems";
import { problemWords } from "../../components/problem-note";
import { locale } from "../../i18n";
import { playWords } from "../../i18n/words/play";
import { amountText } from "../../money/amounts";

/** On one area, or on several at once. */
interface Stake {
  wager: string | null;
  amount: number;
}

export type Refusal = Stake &
  (
    | { about: "late" | "early" }
    | { about: "funds"; held: number }
    | { about: "most"; most: number }
    | { about: "problem"; problem: Problem }
  );

export function refusalText(refusal: Refusal, money: string): string {
  const t = playWords().refused;
  const amount = (minor: number): string => amountText(minor, money, locale.value, { short: true });
  switch (refusal.about) {
    case "late":
      return t.late;
    case "early":
      return t.early;
    case "funds":
      return t.funds(amount(refusal.held), amount(refusal.amount));
    case "most":
      return t.most(amount(refusal.most));
    default:
      return problemWords(refusal.problem);
  }
}
