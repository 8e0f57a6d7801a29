/** A group of equal players: their number, bankroll, stop limits, and bets. */

import type { BookPage } from "../../api/types";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { bracketed } from "../../i18n";
import { simulationWords } from "../../i18n/words/simulation";
import { BetRow } from "./bet-row";
import type { ErrorAt } from "./checking";
import { newBet, type PlayersForm, type ScenarioForm } from "./form";

interface PlayersCardProps {
  book: BookPage;
  form: ScenarioForm;
  players: PlayersForm;
  number: number;
  wrong: ErrorAt;
  onPlayers: (players: PlayersForm) => void;
  onPaytable: (wager: string, table: string) => void;
  onRemove: (() => void) | null;
}

export function PlayersCard(props: PlayersCardProps) {
  const { book, form, players, number, wrong, onPlayers, onPaytable, onRemove } = props;
  const t = simulationWords();
  const place = `players[${number}]`;
  const set = (change: Partial<PlayersForm>): void => onPlayers({ ...players, ...change });
  const money = (label: string, key: "bankroll" | "stopLoss" | "stopWin", at: string) => (
    <Field
      label={label}
      value={players[key]}
      onValue={value => set({ [key]: value })}
      error={wrong(`${place}.${at}`)}
      inputMode="decimal"
      {...(key === "bankroll" ? {} : { placeholder: t.optional })}
    />
  );
  return (
    <fieldset class="players-card">
      <legend>{players.name || t.group(number)}</legend>
      {onRemove && (
        <Button tone="quiet" onClick={onRemove} aria-label={t.removePlayers(players.name || t.group(number))}>
          {t.remove}
        </Button>
      )}
      <div class="players-fields">
        <Field
          label={t.name}
          value={players.name}
          onValue={name => set({ name })}
          error={wrong(`${place}.name`)}
          maxLength={60}
        />
        <Field
          label={t.number}
          value={players.count}
          onValue={count => set({ count })}
          error={wrong(`${place}.count`)}
          inputMode="numeric"
        />
        {money(t.bankroll + bracketed(book.identity.currency), "bankroll", "bankroll")}
        {money(t.stopLoss, "stopLoss", "stop_loss")}
        {money(t.stopWin, "stopWin", "stop_win")}
      </div>
      {players.bets.map((bet, index) => (
        <BetRow
          key={index}
          book={book}
          bet={bet}
          number={index + 1}
          place={`${place}.bets[${index + 1}]`}
          wrong={wrong}
          paytable={form.paytables[bet.wager] ?? ""}
          onBet={changed => set({ bets: players.bets.with(index, changed) })}
          onPaytable={table => onPaytable(bet.wager, table)}
          onRemove={
            players.bets.length > 1 ? () => set({ bets: players.bets.filter((_, other) => other !== index) }) : null
          }
        />
      ))}
      <Button tone="quiet" onClick={() => set({ bets: [...players.bets, newBet(book)] })}>
        + {t.addBet}
      </Button>
    </fieldset>
  );
}
