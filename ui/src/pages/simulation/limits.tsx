/** The house's own limits, bet by bet. */

import type { BookPage } from "../../api/types";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { simulationWords } from "../../i18n/words/simulation";
import { areaName } from "../../layout/model";
import type { ErrorAt } from "./checking";
import type { LimitForm } from "./form";
import { WagerChoice } from "./wager-choice";

interface LimitsProps {
  book: BookPage;
  limits: readonly LimitForm[];
  wrong: ErrorAt;
  onLimits: (limits: LimitForm[]) => void;
}

export function Limits({ book, limits, wrong, onLimits }: LimitsProps) {
  const t = simulationWords();
  const free = book.wagers.find(wager => limits.every(one => one.wager !== wager.wager));
  return (
    <details class="limits" open={limits.length > 0}>
      <summary>{t.limits}</summary>
      <p class="soft">{t.limitsLead}</p>
      {limits.map((limit, index) => {
        const set = (change: Partial<LimitForm>): void =>
          onLimits(limits.map((one, other) => (other === index ? { ...one, ...change } : one)));
        return (
          <div class="bet-row" key={index}>
            <WagerChoice
              book={book}
              value={limit.wager}
              onValue={wager => set({ wager })}
              error={wrong(`limits.${limit.wager}`)}
            />
            <Field
              label={t.least}
              value={limit.least}
              onValue={least => set({ least })}
              error={wrong(`limits.${limit.wager}.least`)}
              inputMode="decimal"
            />
            <Field
              label={t.greatest}
              value={limit.greatest}
              onValue={greatest => set({ greatest })}
              error={wrong(`limits.${limit.wager}.greatest`)}
              inputMode="decimal"
            />
            <div class="bet-remove">
              <Button
                tone="quiet"
                onClick={() => onLimits(limits.filter((_, other) => other !== index))}
                aria-label={t.removeLimit(areaName(book, limit.wager))}
                title={t.remove}
              >
                ×
              </Button>
            </div>
          </div>
        );
      })}
      {free && (
        <Button tone="quiet" onClick={() => onLimits([...limits, { wager: free.wager, least: "", greatest: "" }])}>
          + {t.addLimit}
        </Button>
      )}
    </details>
  );
}
