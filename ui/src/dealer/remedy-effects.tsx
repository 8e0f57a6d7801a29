/** The effects of a remedy, from the table's record: the entries that followed the call. */

import { Button } from "../components/button";
import { named } from "../i18n";
import { consoleWords } from "../i18n/words/console";
import { playWords } from "../i18n/words/play";
import type { Entry, Line } from "../live/view";
import { stepText, thingName } from "../staff/at-table";
import { betWords, type StaffBet } from "./change-bet";
import type { Desk } from "./console";

/** The entries that resulted from a call; null until the record has arrived. */
export function effectsOf(entries: readonly Entry[], until: number): Entry[] | null {
  const last = entries.findIndex(entry => entry.sequence === until);
  if (last < 0) return null;
  const called = entries.slice(0, last + 1).findLastIndex(entry => entry.kind === "IrregularityCalled");
  return called < 0 ? null : entries.slice(called + 1, last + 1);
}

interface EffectsProps {
  desk: Desk;
  remedy: string;
  until: number;
  /** The bets on the layout when it was called. */
  bets: readonly StaffBet[];
  onDone: () => void;
}

export function Effects({ desk, remedy, until, bets, onDone }: EffectsProps) {
  const t = consoleWords().desk;
  const effects = effectsOf(desk.live.entries.value, until);
  const then = t.afterwards[remedy];
  const nothing = effects !== null && effects.length === 0;
  return (
    <div class="act-form effects" role="status">
      <h3>{t.did}</h3>
      {nothing && <p>{t.didNothing}</p>}
      {(effects ?? []).map(entry => (
        <Effect key={entry.sequence} desk={desk} entry={entry} bets={bets} />
      ))}
      {nothing && <p class="soft">{playWords().remedies[remedy] ?? remedy}</p>}
      {then !== undefined && <p>{then}</p>}
      <div class="buttons">
        <Button tone="main" onClick={onDone}>
          {t.close}
        </Button>
      </div>
    </div>
  );
}

function Effect({ desk, entry, bets }: { desk: Desk; entry: Entry; bets: readonly StaffBet[] }) {
  const t = consoleWords().desk;
  const event = entry.event ?? {};
  switch (entry.kind) {
    case "RoundVoided":
      return (
        <>
          <p>{t.didVoid(Number(event.round))}</p>
          {(event.undone as Line[] | undefined)?.length ? <p>{t.didUndo((event.undone as Line[]).length)}</p> : null}
          <Returned desk={desk} numbers={event.returned as number[]} bets={bets} />
        </>
      );
    case "WagersReturned":
      return <Returned desk={desk} numbers={event.returned as number[]} bets={bets} />;
    case "BettingReopened":
      return <p>{t.didReopen}</p>;
    case "EquipmentFailed":
      return (
        <p>
          {t.didFail(thingName(desk.book, String(event.equipment)))} {event.cease === true && t.didCease}
        </p>
      );
    case "StepWaived":
      return <p>{t.didWaive(named(stepText(desk.book, String(event.step), String(event.step))))}</p>;
    case "PowerFailed":
      return <p>{t.didPower}</p>;
    default:
      return null;
  }
}

function Returned({ desk, numbers, bets }: { desk: Desk; numbers: readonly number[]; bets: readonly StaffBet[] }) {
  const t = consoleWords().desk;
  const back = bets.filter(bet => numbers.includes(bet.id));
  return (
    <div>
      <p>{t.didReturn(numbers.length)}</p>
      <ul class="returned">
        {back.map(bet => (
          <li key={bet.id}>{betWords(desk, bet)}</li>
        ))}
      </ul>
    </div>
  );
}
