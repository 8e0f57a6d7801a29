/** What the crew does after a roll, besides collecting and paying: the stick's call, the puck, and travelling bets. */

import type { BookPage } from "../api/types";
import { totalOf } from "../components/dice";
import { listed } from "../i18n";
import { consoleWords } from "../i18n/words/console";
import { areaName } from "../layout/model";
import { personName } from "../live/names";
import type { Entry } from "../live/view";
import { type Desk, hasAct } from "./console";

interface Rolled {
  dice: readonly number[];
  call: string;
  /** The effect of the roll on each bet; a bet that did not travel has no point. */
  bets: { bet: number; point?: number | null }[] | undefined;
  /** The areas that got a lammer. */
  marked: readonly string[];
  /** Whether lammers were removed. */
  cleared: boolean;
}

/** Returns the stick person's call for a roll; without a line bet on the layout, a seven takes all. */
export function stickCall(dice: readonly number[], call: string, line = true): string {
  const t = consoleWords().stick;
  const total = totalOf(dice);
  switch (call) {
    case "natural":
      return t.natural(total);
    case "craps":
      return t.craps(total);
    case "point set":
      return t.set(total);
    case "point made":
      return t.made(total);
    case "seven-out":
      return line ? t.out : t.outAll;
    default:
      return total % 2 === 0 && total > 2 && total < 12
        ? dice[0] === dice[1]
          ? t.hard(total)
          : t.easy(total)
        : t.plain(total);
  }
}

/** The last roll with its results, as far as this console has seen it; it stays until the next one. */
function rolledIn({ live, book, staff }: Desk): Rolled | null {
  const entries = live.entries.value;
  const at = entries.findLastIndex((one: Entry) => one.kind === "Rolled" || one.kind === "DiceCorrected");
  const event = entries[at]?.event;
  if (event == null) {
    const last = staff.hand.at(-1);
    return last === undefined ? null : { ...last, bets: undefined, marked: [], cleared: false };
  }
  const after = entries.slice(at).flatMap(one => (one.kind === "StepTaken" && one.event ? [one.event] : []));
  const areasOf = (act: string): string[] =>
    after.flatMap(one => (isAct(book, one.step, act) ? ((one.areas as string[] | undefined) ?? []) : []));
  return {
    dice: event.dice as number[],
    call: (event.call as string | undefined) ?? staff.hand.at(-1)?.call ?? "",
    bets: event.bets as Rolled["bets"],
    marked: areasOf("mark"),
    cleared: [...areasOf("remove lammers"), ...areasOf("collect losers")].length > 0,
  };
}

function isAct(book: BookPage, step: unknown, act: string): boolean {
  return book.procedure.round.some(one => one.id === step && one.act === act);
}

/** Where lammers go: on the number thrown, or one place further where places are counted. */
function lammerWords({ book }: Desk, { dice, marked }: Rolled): string[] {
  const t = consoleWords().stick;
  const isCounted = (wager: string): boolean => book.wagers.find(one => one.wager === wager)?.decided === "count";
  const names = (wagers: readonly string[]): string => listed(wagers.map(one => areaName(book, one)));
  const [counted, numbered] = [marked.filter(isCounted), marked.filter(one => !isCounted(one))];
  return [
    ...(numbered.length > 0 ? [t.lammer(totalOf(dice), names(numbered))] : []),
    ...(counted.length > 0 ? [t.lammerNext(names(counted))] : []),
  ];
}

export function RollOrders({ desk }: { desk: Desk }) {
  const t = consoleWords().stick;
  const rolled = hasAct(desk.book, "roll") ? rolledIn(desk) : null;
  if (rolled === null) return null;
  const { call } = rolled;
  const line = desk.book.wagers.some(one => one.decided === "phases");
  const moved = (rolled.bets ?? []).flatMap(({ bet, point }) => {
    const found = desk.staff.bets.find(one => one.id === bet);
    return found === undefined || point == null ? [] : [{ ...found, point }];
  });
  return (
    <section class="card roll-orders" aria-label={t.title}>
      <p class="stick-line">
        <span class="due-mark">{t.title}</span>
        <span class="stick-call">{stickCall(rolled.dice, call, line)}</span>
      </p>
      <ul>
        {call === "point set" && <li>{t.puckOn(totalOf(rolled.dice))}</li>}
        {(call === "point made" || call === "seven-out") && <li>{t.puckOff}</li>}
        {lammerWords(desk, rolled).map(one => (
          <li key={one}>{one}</li>
        ))}
        {rolled.cleared && <li>{t.lammersOff}</li>}
        {moved.map(bet => (
          <li key={bet.id}>{t.move(personName(bet.player), areaName(desk.book, bet.wager), bet.point)}</li>
        ))}
      </ul>
    </section>
  );
}
