/** The rail: chips to choose from, actions, and totals. */

import { useEffect } from "preact/hooks";
import { Amount } from "../../components/amount";
import { Button } from "../../components/button";
import { Chip } from "../../components/chip";
import { locale } from "../../i18n";
import { playWords } from "../../i18n/words/play";
import type { BetKind } from "../../live/view";
import { amountText } from "../../money/amounts";
import type { BetSlip } from "./bet-slip";
import { total } from "./stake-changes";

interface RailProps {
  hand: BetSlip;
  chips: readonly number[];
  /** The value of one of the player's own colour chips, and the amount held in them; null without any. */
  colour: { value: number; held: number } | null;
  /** Whether the book allows tips for the dealers here. */
  tips: boolean;
  money: string;
  balance: number;
  betting: boolean;
  staked: number;
  /** The most that all one's bets could win together; null until the server has sent it. */
  most: number | null;
  onCounter: () => void;
}

export function Rail(props: RailProps) {
  const { hand, chips, money, betting } = props;
  const t = playWords().play;
  useChipKeys(hand, chips);
  const stakes = hand.stakes();
  const nothing = Object.keys(stakes).length === 0;
  return (
    <section class="rail" aria-label={t.rail}>
      <div class="rail-chips" role="group" aria-label={t.chips}>
        {chips.map((chip, index) => (
          <button
            key={chip}
            type="button"
            class="rail-chip"
            aria-pressed={hand.chip.value === chip && hand.kind.value !== "colour"}
            aria-keyshortcuts={String(index + 1)}
            onClick={() => choose(hand, chip)}
          >
            <Chip amount={chip} money={money} size={50} />
            <kbd aria-hidden="true">{index + 1}</kbd>
          </button>
        ))}
        {props.colour !== null && <ColourChip hand={hand} value={props.colour.value} money={money} />}
      </div>
      {props.tips && <For hand={hand} />}
      <div class="rail-acts">
        <Button onClick={() => hand.undo()} disabled={!betting || hand.acts.value.length === 0}>
          {t.undo}
        </Button>
        <Button onClick={() => hand.clear()} disabled={!betting || nothing}>
          {t.clear}
        </Button>
        <Button
          onClick={() => hand.repeat()}
          disabled={!betting || !nothing || Object.keys(hand.previousBets()).length === 0}
        >
          {t.repeat}
          <LastStake hand={hand} money={money} />
        </Button>
        <Button onClick={() => hand.double()} disabled={!betting || Object.keys(hand.doubled()).length === 0}>
          {t.double}
        </Button>
        <Button tone="quiet" onClick={props.onCounter}>
          {playWords().seat.counter}
        </Button>
      </div>
      <dl class="rail-money">
        <div>
          <dt>{t.balance}</dt>
          <dd class="rail-balance">
            <Amount minor={props.balance} money={money} />
          </dd>
        </div>
        {props.colour !== null && (
          <div>
            <dt>{playWords().seat.colourTitle}</dt>
            <dd class="rail-colour">
              <Amount minor={props.colour.held} money={money} />
            </dd>
          </div>
        )}
        <div>
          <dt>{t.staked}</dt>
          <dd class="rail-staked">
            <Amount minor={props.staked} money={money} />
          </dd>
        </div>
        <div>
          <dt>{t.most}</dt>
          <dd class="rail-most">{props.most === null ? "…" : <Amount minor={props.most} money={money} signed />}</dd>
        </div>
      </dl>
    </section>
  );
}

/** Chooses another chip; chips of the rail are not of one's own colour. */
function choose(hand: BetSlip, chip: number): void {
  hand.chip.value = chip;
  if (hand.kind.value === "colour") hand.kind.value = "cash";
}

function ColourChip({ hand, value, money }: { hand: BetSlip; value: number; money: string }) {
  const chosen = hand.kind.value === "colour";
  return (
    <button
      type="button"
      class="rail-chip rail-chip-colour"
      aria-pressed={chosen}
      aria-label={playWords().seat.colourChip(amountText(value, money, locale.value, { short: true }))}
      onClick={() => {
        hand.chip.value = value;
        hand.kind.value = "colour";
      }}
    >
      <Chip amount={value} money={money} size={50} />
    </button>
  );
}

const TIPS: readonly BetKind[] = ["tip in the area", "tip on top"];

/** The beneficiary of the next chip. */
function For({ hand }: { hand: BetSlip }) {
  const t = playWords().seat;
  const now = hand.kind.value;
  return (
    <div class="rail-for">
      <div class="switch" role="group" aria-label={t.bets}>
        <button
          type="button"
          aria-pressed={!TIPS.includes(now)}
          onClick={() => {
            hand.kind.value = "cash";
          }}
        >
          {t.mine}
        </button>
        {TIPS.map(kind => (
          <button
            key={kind}
            type="button"
            aria-pressed={now === kind}
            onClick={() => {
              hand.kind.value = kind;
            }}
          >
            {t.tips[kind]}
          </button>
        ))}
      </div>
    </div>
  );
}

function LastStake({ hand, money }: { hand: BetSlip; money: string }) {
  const sum = total(hand.previousBets());
  return sum > 0 ? (
    <span class="rail-last">
      <Amount minor={sum} money={money} short />
    </span>
  ) : null;
}

/** Keys 1 to 6 choose a chip, unless the focus is in a field. */
function useChipKeys(hand: BetSlip, chips: readonly number[]): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const at = event.target as Element | null;
      if (at?.closest("input, select, textarea, dialog")) return;
      if ((event.ctrlKey || event.metaKey) && event.key === "z") {
        event.preventDefault();
        hand.undo();
      }
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const chip = /^[1-9]$/.test(event.key) ? chips[Number(event.key) - 1] : undefined;
      if (chip !== undefined) choose(hand, chip);
      if (event.key === "Escape") hand.carried.value = null;
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [hand, chips]);
}
