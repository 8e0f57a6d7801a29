/** One bet of a group: a bet of the book, and its strategy. */

import type { BookPage } from "../../api/types";
import { Button } from "../../components/button";
import { Choice, Field } from "../../components/field";
import { named } from "../../i18n";
import { simulationWords } from "../../i18n/words/simulation";
import type { ErrorAt } from "./checking";
import { type BetForm, PLANS } from "./form";
import { WagerChoice } from "./wager-choice";

interface BetRowProps {
  book: BookPage;
  bet: BetForm;
  place: string;
  number: number;
  wrong: ErrorAt;
  paytable: string;
  onBet: (bet: BetForm) => void;
  onPaytable: (table: string) => void;
  onRemove: (() => void) | null;
}

export function BetRow({ book, bet, place, number, wrong, paytable, onBet, onPaytable, onRemove }: BetRowProps) {
  const t = simulationWords();
  const wager = book.wagers.find(one => one.wager === bet.wager);
  const tables = wager?.paytables.map(one => one.paytable).filter(name => name !== null) ?? [];
  const set = (change: Partial<BetForm>): void => onBet({ ...bet, ...change });
  return (
    <fieldset class="bet-row">
      <legend class="unseen">{t.bet(number)}</legend>
      <WagerChoice
        book={book}
        value={bet.wager}
        onValue={value => set({ wager: value })}
        error={wrong(`${place}.wager`)}
      />
      <Choice
        label={t.plan}
        value={bet.plan}
        options={PLANS.map(plan => ({ value: plan, name: t.plans[plan] }))}
        onValue={plan => set({ plan })}
      />
      {bet.plan === "list" ? (
        <Field
          label={t.stakes}
          value={bet.stakes}
          onValue={stakes => set({ stakes })}
          error={
            wrong(`${place}.stakes`) ?? firstOf(bet.stakes.split(",").length, at => wrong(`${place}.stakes[${at}]`))
          }
          placeholder="5, 10, 15"
        />
      ) : (
        <Field
          label={bet.plan === "progression" ? t.firstStake : t.stake}
          value={bet.stake}
          onValue={stake => set({ stake })}
          error={wrong(`${place}.stake`)}
          inputMode="decimal"
        />
      )}
      {bet.plan === "progression" && (
        <>
          <Field
            label={t.factor}
            value={bet.factor}
            onValue={factor => set({ factor })}
            error={wrong(`${place}.factor`)}
            inputMode="decimal"
          />
          <Choice
            label={t.after}
            value={bet.after}
            options={(["loss", "win"] as const).map(after => ({ value: after, name: t.afters[after] }))}
            onValue={after => set({ after })}
          />
          <Field
            label={t.limit}
            value={bet.limit}
            onValue={limit => set({ limit })}
            error={wrong(`${place}.limit`)}
            inputMode="decimal"
          />
        </>
      )}
      {tables.length > 1 && (
        <Choice
          label={t.paytable}
          value={paytable || (tables[0] ?? "")}
          options={tables.map(table => ({ value: table, name: table }))}
          onValue={onPaytable}
        />
      )}
      {onRemove && (
        <div class="bet-remove">
          <Button
            tone="quiet"
            onClick={onRemove}
            aria-label={t.removeBet(wager ? named(wager.name) : bet.wager)}
            title={t.remove}
          >
            ×
          </Button>
        </div>
      )}
    </fieldset>
  );
}

function firstOf(count: number, find: (at: number) => string | undefined): string | undefined {
  for (let at = 1; at <= count; at += 1) {
    const found = find(at);
    if (found !== undefined) return found;
  }
  return undefined;
}
