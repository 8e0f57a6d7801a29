/** The result of a run: the house, the players, their plots, results of bets, simulated beside exact figures. */

import type { BookPage, RunResult } from "../../api/types";
import { locale } from "../../i18n";
import { amountText } from "../../money/amounts";
import type { Money } from "./result-figures";
import { HouseSection } from "./result-house";
import { PlayersSection } from "./result-players";
import { Checked, Ends } from "./result-wagers";

export function Result({ result, book }: { result: RunResult; book: BookPage | null }) {
  const money: Money = (minor, signed = true) =>
    amountText(Math.round(minor), result.currency, locale.value, { signed, short: true });
  return (
    <>
      <HouseSection result={result} money={money} />
      <PlayersSection result={result} money={money} />
      <Checked result={result} book={book} />
      <Ends result={result} book={book} />
    </>
  );
}
