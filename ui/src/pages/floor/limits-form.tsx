/** Stake limits: a row for all bets, and rows for exceptions. */

import type { BookPage } from "../../api/types";
import { Amount } from "../../components/amount";
import { Button } from "../../components/button";
import { Clauses } from "../../components/clauses";
import { Choice, Field } from "../../components/field";
import { locale, named } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import { amountText } from "../../money/amounts";
import { type Draft, type FieldErrors, type LimitRow, limitNames, limitRow } from "./draft";

interface FormProps {
  book: BookPage;
  draft: Draft;
  wrongs: FieldErrors;
  onDraft: (change: Partial<Draft>) => void;
}

export function LimitsForm({ book, draft, wrongs, onDraft }: FormProps) {
  const t = floorWords();
  const names = limitNames(book);
  const change = (key: number, more: Partial<LimitRow>): void =>
    onDraft({ limits: draft.limits.map(row => (row.key === key ? { ...row, ...more } : row)) });
  const remove = (key: number): void => onDraft({ limits: draft.limits.filter(row => row.key !== key) });
  const free = names.find(one => !draft.limits.some(row => row.name === one.value));
  return (
    <div class="stack">
      <ul class="limit-rows">
        {draft.limits.map(row => {
          const name = names.find(one => one.value === row.name)?.name ?? row.name;
          return (
            <li key={row.key}>
              <Choice
                label={t.limitFor}
                value={row.name}
                options={names}
                onValue={value => change(row.key, { name: value })}
              />
              <Field
                label={t.least}
                value={row.least}
                onValue={least => change(row.key, { least })}
                inputMode="decimal"
                error={wrongs[`limits.${row.key}.least`]}
              />
              <Field
                label={t.most}
                value={row.most}
                onValue={most => change(row.key, { most })}
                inputMode="decimal"
                error={wrongs[`limits.${row.key}.most`] ?? wrongs[`limits.${row.key}.name`]}
              />
              <button
                type="button"
                class="quiet"
                aria-label={t.removeLimit(name)}
                title={t.removeLimit(name)}
                onClick={() => remove(row.key)}
              >
                ×
              </button>
            </li>
          );
        })}
      </ul>
      <div>
        <Button
          disabled={free === undefined}
          onClick={() => free && onDraft({ limits: [...draft.limits, limitRow(free.value)] })}
        >
          {t.addLimit}
        </Button>
      </div>
      <TextLimits book={book} />
      <div class="form-row">
        <Field
          label={book.identity.game === "craps" ? t.payoutCraps : t.payout}
          value={draft.payout}
          onValue={payout => onDraft({ payout })}
          inputMode="decimal"
          hint={t.payoutHint}
          error={wrongs.payout}
        />
      </div>
    </div>
  );
}

/** The limits that the book itself sets, with their clauses. */
function TextLimits({ book }: { book: BookPage }) {
  const t = floorWords();
  const money = book.identity.currency;
  const unit = 10 ** book.decimals;
  const amount = (whole: number | null): string =>
    whole === null ? t.dash : amountText(whole * unit, money, locale.value, { short: true });
  const set = book.wagers.filter(wager => wager.limits !== null);
  if (set.length === 0) return null;
  return (
    <ul class="text-limits soft">
      {set.map(wager => (
        <li key={wager.wager}>
          {t.textLimit(
            named(wager.name),
            amount(wager.limits?.stake_min ?? null),
            amount(wager.limits?.stake_max ?? null),
          )}
          {wager.limits?.payoff_max != null && (
            <>
              {" · "}
              {t.payoffMost} <Amount minor={wager.limits.payoff_max * unit} money={money} short />
            </>
          )}{" "}
          <Clauses clauses={wager.limits?.clause ?? []} />
        </li>
      ))}
    </ul>
  );
}
