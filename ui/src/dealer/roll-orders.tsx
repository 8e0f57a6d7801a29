/** What the crew does after a roll, besides collecting and paying: the stick's call, the puck, and bets that travel. */

import { totalOf } from "../components/dice";
import { consoleWords } from "../i18n/words/console";
import { areaName } from "../layout/model";
import { personName } from "../live/names";
import type { Entry } from "../live/view";
import { type Desk, hasAct } from "./console";

interface Rolled {
  dice: number[];
  call: string;
  bets: { bet: number; point: number | null }[] | undefined;
}

/** What the stick person calls for a roll. */
export function stickCall(dice: readonly number[], call: string): string {
  const say = consoleWords().stick;
  const total = totalOf(dice);
  switch (call) {
    case "natural":
      return say.natural(total);
    case "craps":
      return say.craps(total);
    case "point set":
      return say.set(total);
    case "point made":
      return say.made(total);
    case "seven-out":
      return say.out;
    default:
      return total % 2 === 0 && total > 2 && total < 12
        ? dice[0] === dice[1]
          ? say.hard(total)
          : say.easy(total)
        : say.plain(total);
  }
}

/** The last roll that this console has seen; it stays until the next one. */
function rolledIn(desk: Desk): Rolled | null {
  const entry = desk.live.entries.value.findLast((one: Entry) => one.kind === "Rolled" || one.kind === "DiceCorrected");
  if (entry === undefined) return null;
  const event = entry.event ?? {};
  return { dice: event.dice as number[], call: event.call as string, bets: event.bets as Rolled["bets"] };
}

export function RollOrders({ desk }: { desk: Desk }) {
  const say = consoleWords().stick;
  const rolled = hasAct(desk.book, "roll") ? rolledIn(desk) : null;
  if (rolled === null) return null;
  const { call } = rolled;
  const moved = (rolled.bets ?? []).flatMap(({ bet, point }) => {
    const found = desk.staff.bets.find(one => one.id === bet);
    return found === undefined || point === null ? [] : [{ ...found, point }];
  });
  return (
    <section class="card roll-orders" aria-label={say.title}>
      <p class="stick-call">{stickCall(rolled.dice, call)}</p>
      <ul>
        {call === "point set" && <li>{say.puckOn(totalOf(rolled.dice))}</li>}
        {(call === "point made" || call === "seven-out") && <li>{say.puckOff}</li>}
        {moved.map(bet => (
          <li key={bet.id}>{say.move(personName(bet.player), areaName(desk.book, bet.wager), bet.point)}</li>
        ))}
      </ul>
    </section>
  );
}
