/** The effect of each roll on one's own bets, as computed by the server: a strip of totals, with hard and easy ways
 * separate if they differ, and bet by bet on demand. */

import { useState } from "preact/hooks";
import type { BookPage } from "../../api/types";
import { Amount } from "../../components/amount";
import { Dice, totalOf } from "../../components/dice";
import { locale } from "../../i18n";
import { playWords } from "../../i18n/words/play";
import type { Bet, Mine } from "../../live/view";
import { amountText } from "../../money/amounts";
import { betName } from "./hand-bets";

type Throw = Mine["outlook"][number];

/** Throws of one total with the same effect. */
interface Case {
  total: number;
  throws: Throw[];
  label: string;
}

const FACES = [1, 2, 3, 4, 5, 6];

/** Every throw of two dice; the server leaves out those without effect. */
function everyThrow(throws: readonly Throw[]): Throw[] {
  return FACES.flatMap(high =>
    FACES.slice(0, high).map(low => {
      const found = throws.find(one => one.dice[0] === low && one.dice[1] === high);
      return found ?? { dice: [low, high], net: 0, bets: [] };
    }),
  );
}

/** The throws by total, grouped by effect; groups are distinguished by their dice, or as hard and easy. */
export function casesOf(outlook: readonly Throw[]): Case[] {
  const t = playWords().outlook;
  const all = everyThrow(outlook);
  const totals = [...new Set(all.map(one => totalOf(one.dice)))].sort((one, other) => one - other);
  return totals.flatMap(total => {
    const groups = new Map<string, Throw[]>();
    for (const one of all.filter(roll => totalOf(roll.dice) === total)) {
      const key = JSON.stringify([one.net, one.bets]);
      groups.set(key, [...(groups.get(key) ?? []), one]);
    }
    const found = [...groups.values()];
    const hard = found.length === 2 && found.some(throws => throws.every(isPair));
    return found.map(throws => ({
      total,
      throws,
      label:
        found.length === 1
          ? ""
          : hard
            ? throws.every(isPair)
              ? t.hard
              : t.easy
            : throws.map(one => one.dice.join("-")).join(" "),
    }));
  });
}

function isPair({ dice }: Throw): boolean {
  return dice[0] === dice[1];
}

interface OutlookProps {
  outlook: readonly Throw[];
  bets: readonly Bet[];
  book: BookPage;
  money: string;
}

export function Outlook({ outlook, bets, book, money }: OutlookProps) {
  const t = playWords().outlook;
  const [pointed, setPointed] = useState<string | null>(null);
  const cases = casesOf(outlook);
  const key = (one: Case): string => `${one.total} ${one.label}`;
  const selected = cases.find(one => key(one) === pointed);
  return (
    <section class="outlook" aria-label={t.title}>
      <ol>
        {cases.map(one => {
          const net = one.throws[0]?.net ?? 0;
          const tone = net > 0 ? "outlook-wins" : net < 0 ? "outlook-loses" : "outlook-even";
          return (
            <li key={key(one)}>
              <button
                type="button"
                class={`outlook-roll ${tone}`}
                aria-pressed={key(one) === pointed}
                aria-label={t.roll(
                  one.label ? `${one.total} ${one.label}` : String(one.total),
                  amountText(net, money, locale.value, { short: true, signed: true }),
                )}
                onClick={() => setPointed(key(one))}
                onPointerEnter={event => event.pointerType === "mouse" && setPointed(key(one))}
              >
                <strong>{one.total}</strong> {one.label && <small>{one.label}</small>}{" "}
                <Net net={net} money={money} touched={one.throws[0]?.bets.length ?? 0} />
              </button>
            </li>
          );
        })}
      </ol>
      <p class="outlook-bets" aria-live="polite">
        {selected === undefined ? (
          <span class="soft">{t.hint}</span>
        ) : (
          <Effects outcome={selected} bets={bets} book={book} money={money} />
        )}
      </p>
    </section>
  );
}

function Net({ net, money, touched }: { net: number; money: string; touched: number }) {
  if (touched === 0) return <span class="soft">–</span>;
  return <Amount minor={net} money={money} short signed />;
}

function Effects({
  outcome: selected,
  bets,
  book,
  money,
}: {
  outcome: Case;
  bets: readonly Bet[];
  book: BookPage;
  money: string;
}) {
  const t = playWords().outlook;
  const effects = selected.throws[0]?.bets ?? [];
  return (
    <>
      <Dice faces={selected.throws[0]?.dice ?? []} size={18} />
      {effects.length === 0 && <span>{t.nothing}</span>}
      {effects.map(one => {
        const bet = bets.find(own => own.id === one.bet);
        if (bet === undefined) return null;
        return (
          <span key={one.bet}>
            {betName(book, bet)}{" "}
            {one.result === "travels" ? (
              <strong>{t.travels(one.point ?? 0)}</strong>
            ) : one.result === "win" || one.result === "lose" ? (
              <Amount minor={one.net} money={money} short signed />
            ) : (
              <strong>{t.results[one.result] ?? one.result}</strong>
            )}
          </span>
        );
      })}
    </>
  );
}
