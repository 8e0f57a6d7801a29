/** The rail: chips to choose from, what can be done with them, and what is at stake. */

import { useEffect } from "preact/hooks";
import { Amount } from "../../components/amount";
import { Button } from "../../components/button";
import { Chip } from "../../components/chip";
import { words } from "../../words";
import { type Hand, total } from "./hand";

interface RailProps {
  hand: Hand;
  chips: readonly number[];
  money: string;
  balance: number;
  betting: boolean;
  staked: number;
  /** The most that one of the areas could win. */
  best: number;
  /** How much play money can be taken; nothing where none is given. */
  topUp: number;
  onTopUp: () => void;
  busy: boolean;
}

export function Rail(props: RailProps) {
  const { hand, chips, money, betting } = props;
  const say = words().play;
  useChipKeys(hand, chips);
  const stakes = hand.stakes();
  const nothing = Object.keys(stakes).length === 0;
  return (
    <section class="rail" aria-label={say.rail}>
      <div class="rail-chips" role="group" aria-label={say.chips}>
        {chips.map((chip, index) => (
          <button
            key={chip}
            type="button"
            class="rail-chip"
            aria-pressed={hand.chip.value === chip}
            aria-keyshortcuts={String(index + 1)}
            onClick={() => {
              hand.chip.value = chip;
            }}
          >
            <Chip amount={chip} money={money} size={50} />
            <kbd aria-hidden="true">{index + 1}</kbd>
          </button>
        ))}
      </div>
      <div class="rail-acts">
        <Button onClick={() => hand.undo()} disabled={!betting || hand.acts.value.length === 0}>
          {say.undo}
        </Button>
        <Button onClick={() => hand.clear()} disabled={!betting || nothing}>
          {say.clear}
        </Button>
        <Button
          onClick={() => hand.repeat()}
          disabled={!betting || !nothing || Object.keys(hand.last.value).length === 0}
        >
          {say.repeat}
          <LastStake hand={hand} money={money} />
        </Button>
        <Button onClick={() => hand.double()} disabled={!betting || nothing}>
          {say.double}
        </Button>
      </div>
      <dl class="rail-money">
        <div>
          <dt>{say.balance}</dt>
          <dd class="rail-balance">
            <Amount minor={props.balance} money={money} />
          </dd>
        </div>
        <div>
          <dt>{say.staked}</dt>
          <dd class="rail-staked">
            <Amount minor={props.staked} money={money} />
          </dd>
        </div>
        <div>
          <dt>{say.best}</dt>
          <dd>
            <Amount minor={props.best} money={money} signed />
          </dd>
        </div>
      </dl>
      {props.topUp > 0 && (
        <Button tone="main" busy={props.busy} onClick={props.onTopUp}>
          {say.topUp} <Amount minor={props.topUp} money={money} short />
        </Button>
      )}
    </section>
  );
}

function LastStake({ hand, money }: { hand: Hand; money: string }) {
  const sum = total(hand.last.value);
  return sum > 0 ? (
    <span class="rail-last">
      <Amount minor={sum} money={money} short />
    </span>
  ) : null;
}

/** 1 to 6 choose a chip, wherever the focus is but in a field. */
function useChipKeys(hand: Hand, chips: readonly number[]): void {
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
      if (chip !== undefined) hand.chip.value = chip;
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [hand, chips]);
}
