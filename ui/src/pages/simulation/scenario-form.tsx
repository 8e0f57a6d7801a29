/** The form that composes a scenario. */

import type { BookPage } from "../../api/types";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { simulationWords } from "../../i18n/words/simulation";
import type { ErrorAt } from "./checking";
import { newPlayers, type ScenarioForm } from "./form";
import { Limits } from "./limits";
import { PlayersCard } from "./players-card";

interface ScenarioFormProps {
  book: BookPage;
  form: ScenarioForm;
  wrong: ErrorAt;
  onForm: (form: ScenarioForm) => void;
}

export function ScenarioFields({ book, form, wrong, onForm }: ScenarioFormProps) {
  const t = simulationWords();
  const set = (change: Partial<ScenarioForm>): void => onForm({ ...form, ...change });
  const pace = book.identity.game === "craps" ? t.perHour.rolls : t.perHour.rounds;
  const fields = [
    ["hours", t.hours, "hours"],
    ["perHour", pace, "rolls_per_hour"],
    ["tables", t.tables, "tables"],
    ["nights", t.count, "nights"],
    ["seed", t.seed, "seed"],
  ] as const;
  return (
    <div class="scenario-form">
      <fieldset class="night-fields">
        <legend>{t.night}</legend>
        {fields.map(([key, label, place]) => (
          <Field
            key={key}
            label={label}
            value={form[key]}
            onValue={value => set({ [key]: value })}
            error={wrong(place)}
            inputMode="decimal"
          />
        ))}
        <p class="soft seed-hint">{t.seedHint}</p>
      </fieldset>
      {form.players.map((players, index) => (
        <PlayersCard
          key={players.key}
          book={book}
          form={form}
          players={players}
          number={index + 1}
          wrong={wrong}
          onPlayers={changed => set({ players: form.players.with(index, changed) })}
          onPaytable={(wager, table) => set({ paytables: { ...form.paytables, [wager]: table } })}
          onRemove={
            form.players.length > 1 ? () => set({ players: form.players.filter((_, other) => other !== index) }) : null
          }
        />
      ))}
      <p>
        <Button
          onClick={() =>
            set({ players: [...form.players, newPlayers(book, `${t.players} ${form.players.length + 1}`)] })
          }
        >
          + {t.addPlayers}
        </Button>
      </p>
      <Limits book={book} limits={form.limits} wrong={wrong} onLimits={limits => set({ limits })} />
    </div>
  );
}
