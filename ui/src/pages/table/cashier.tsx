/** The cashier: get and return play money, and buy colour chips. */

import { useState } from "preact/hooks";
import { asProblem } from "../../api/problems";
import type { BookPage, Command } from "../../api/types";
import { Amount } from "../../components/amount";
import { BookText } from "../../components/book-sentence";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Field } from "../../components/field";
import { Form } from "../../components/form";
import { toastDone, toastProblem } from "../../components/toasts";
import { locale, words } from "../../i18n";
import { playWords } from "../../i18n/words/play";
import { sendCommand } from "../../live/commands";
import type { LiveTable } from "../../live/table";
import type { Rules, View } from "../../live/view";
import { amountText, amountTyped } from "../../money/amounts";

interface CounterProps {
  live: LiveTable;
  view: View;
  rules: Rules;
  book: BookPage;
}

/** The engine's name for chips of one player only. */
const COLOUR = "colour-chips";

export function hasColourChips(book: BookPage): boolean {
  return book.equipment[COLOUR] !== undefined;
}

export function Counter(props: CounterProps & { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={props.open} title={playWords().seat.counterTitle} onClose={props.onClose}>
      <Desk {...props} />
    </Dialog>
  );
}

function Desk({ live, view, rules, book }: CounterProps) {
  const t = playWords().seat;
  const [busy, setBusy] = useState(false);
  const held = live.mine.value?.balance ?? 0;
  const purse = live.mine.value?.purse ?? null;
  const stack = rules.play_money ? (view.automatic?.run.play_stack ?? 0) : 0;
  const short = (minor: number): string => amountText(minor, rules.money, locale.value, { short: true });
  /** Each command only after the previous one has succeeded. */
  const act = async (commands: Command[], done: string): Promise<void> => {
    setBusy(true);
    try {
      for (const command of commands) await sendCommand(live.id, command, { role: "player" });
      toastDone(done);
    } catch (thrown) {
      toastProblem(asProblem(thrown));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="counter">
      <p class="counter-held">
        <span class="soft">{t.held}</span> <Amount minor={held} money={rules.money} />
      </p>
      {stack === 0 && <p class="note">{t.atTable}</p>}
      {stack > 0 && (
        <>
          <Sum
            title={t.buy}
            hint={held >= stack ? t.buyFull(short(stack)) : t.buyHint(short(stack))}
            most={Math.max(0, stack - held - (purse?.held ?? 0))}
            all={t.fill}
            money={rules.money}
            busy={busy}
            onSum={amount => void act([{ type: "BuyIn", amount }], t.bought(short(amount)))}
          />
          <Sum
            title={t.cashOut}
            hint={t.cashOutHint}
            most={held}
            all={t.all}
            money={rules.money}
            busy={busy}
            onSum={amount => void act([{ type: "CashOut", amount }], t.cashed(short(amount)))}
          />
          {hasColourChips(book) && <ColourChips live={live} rules={rules} book={book} busy={busy} act={act} />}
          {purse !== null && purse.held > 0 && (
            <Sum
              title={t.redeem}
              hint={t.redeemHint(t.colours[purse.colour] ?? purse.colour, short(purse.value))}
              most={purse.held}
              all={t.all}
              money={rules.money}
              busy={busy}
              onSum={amount => void act(redeemed(amount), t.redeemed(short(amount)))}
            />
          )}
        </>
      )}
    </div>
  );
}

/** Colour chips are redeemed for cash, which is changed into chips of the rail. */
function redeemed(amount: number): Command[] {
  return [
    { type: "CashOut", amount, kind: "colour" },
    { type: "BuyIn", amount },
  ];
}

interface SumProps {
  title: string;
  hint: string;
  most: number;
  /** What all of it is called. */
  all: string;
  money: string;
  busy: boolean;
  onSum: (amount: number) => void;
}

function Sum({ title, hint, most, all, money, busy, onSum }: SumProps) {
  const t = playWords().seat;
  const [text, setText] = useState("");
  const typed = text === "" ? null : amountTyped(text, money);
  const wrong = text !== "" && typed === null ? t.wrongAmount : null;
  const over = typed !== null && typed > most ? t.tooMuch(amountText(most, money, locale.value)) : null;
  return (
    <Form
      class="counter-sum"
      onSend={() => {
        if (typed !== null) onSum(typed);
        setText("");
      }}
    >
      <h3>{title}</h3>
      <Field
        label={t.amount}
        value={text}
        onValue={setText}
        inputMode="decimal"
        hint={hint}
        error={wrong ?? over}
        autocomplete="off"
        disabled={most === 0}
      />
      <div class="buttons">
        <Button type="submit" busy={busy} disabled={!typed || over !== null}>
          {title}
        </Button>
        <Button tone="quiet" disabled={busy || most === 0} onClick={() => onSum(most)}>
          {all} <Amount minor={most} money={money} short />
        </Button>
      </div>
    </Form>
  );
}

interface ColourProps {
  live: LiveTable;
  rules: Rules;
  book: BookPage;
  busy: boolean;
  act: (commands: Command[], done: string) => Promise<void>;
}

/** Chips without a printed value: the player sets it. They are bought with chips of the rail. */
function ColourChips({ live, rules, book, busy, act }: ColourProps) {
  const t = words();
  const [value, setValue] = useState("");
  const [count, setCount] = useState("20");
  const mine = live.mine.value;
  const purse = mine?.purse ?? null;
  const worth = purse?.value ?? amountTyped(value, rules.money) ?? 0;
  const chips = /^\d{1,4}$/.test(count) ? Number(count) : 0;
  const sum = worth * chips;
  const held = mine?.balance ?? 0;
  const marker = worth > Math.min(...Object.values(rules.limits).map(one => one.stake_min));
  const short = (minor: number): string => amountText(minor, rules.money, locale.value, { short: true });
  const rule = book.equipment[COLOUR];
  const change: Command[] = [
    { type: "CashOut", amount: sum },
    { type: "BuyIn", amount: sum, colour_value: worth },
  ];
  return (
    <Form class="counter-sum" onSend={() => void act(change, playWords().seat.colourDone(short(worth)))}>
      <h3>{playWords().seat.colourTitle}</h3>
      <p class="soft">
        {purse === null
          ? rule !== undefined && <BookText text={rule.says} />
          : playWords().seat.colourNow(
              playWords().seat.colours[purse.colour] ?? purse.colour,
              short(purse.value),
              short(purse.held),
            )}{" "}
        <span class="clause">{t.problem.clause((rule?.clause ?? []).join(", "))}</span>
      </p>
      {purse !== null && <p class="note">{playWords().seat.colourStays}</p>}
      <div class="counter-pair">
        {purse === null && (
          <Field
            label={playWords().seat.colourValue}
            value={value}
            onValue={setValue}
            inputMode="decimal"
            autocomplete="off"
            error={value !== "" && worth === 0 ? playWords().seat.wrongAmount : null}
          />
        )}
        <Field
          label={playWords().seat.colourCount}
          value={count}
          onValue={setCount}
          inputMode="numeric"
          autocomplete="off"
        />
      </div>
      {worth > 0 && marker && <p class="soft">{playWords().seat.colourMarker}</p>}
      {sum > held && <p class="error">{playWords().seat.tooMuch(short(held))}</p>}
      <div class="buttons">
        <Button type="submit" busy={busy} disabled={sum === 0 || sum > held || marker}>
          {playWords().seat.colourGo(short(sum))}
        </Button>
      </div>
    </Form>
  );
}
