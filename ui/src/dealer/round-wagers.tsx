/** The bets of a round: those on the layout, and those already collected or paid. */

import { Tick } from "../components/field";
import { consoleWords } from "../i18n/words/console";
import { betWords, type StaffBet } from "./change-bet";
import type { Desk } from "./console";

export function roundWagers(desk: Desk): StaffBet[] {
  return [...desk.staff.bets, ...desk.staff.taken].sort((one, other) => one.id - other.id);
}

/** Describes a bet, and whether it was settled. */
export function wagerWords(desk: Desk, bet: StaffBet): string {
  const settled = desk.staff.taken.some(one => one.id === bet.id);
  return settled ? consoleWords().desk.settledAlready(betWords(desk, bet)) : betWords(desk, bet);
}

interface ChooseProps {
  desk: Desk;
  chosen: readonly number[];
  onChosen: (chosen: readonly number[]) => void;
}

export function ChooseWagers({ desk, chosen, onChosen }: ChooseProps) {
  return (
    <fieldset class="present">
      <legend>{consoleWords().desk.whichWagers}</legend>
      {roundWagers(desk).map(bet => (
        <Tick
          key={bet.id}
          label={wagerWords(desk, bet)}
          on={chosen.includes(bet.id)}
          onChange={on => onChosen(on ? [...chosen, bet.id] : chosen.filter(id => id !== bet.id))}
        />
      ))}
    </fieldset>
  );
}
