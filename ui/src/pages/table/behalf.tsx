/** What staff do for the player: chips that need consent, and bets placed for them. */

import { useState } from "preact/hooks";
import { api, told } from "../../api/client";
import { usePolled } from "../../api/polling";
import { asProblem } from "../../api/problems";
import type { components } from "../../api/schema";
import type { BookPage } from "../../api/types";
import { known } from "../../api/use-request";
import { Button } from "../../components/button";
import { toastProblem } from "../../components/toasts";
import { locale, named } from "../../i18n";
import { playWords } from "../../i18n/words/play";
import { ask } from "../../live/commands";
import { noted, personName } from "../../live/names";
import { HOUSE_STREAM, isApproval, useBell } from "../../live/record-notifications";
import type { LiveTable } from "../../live/table";
import type { Bet } from "../../live/view";
import { amountText } from "../../money/amounts";
import { me } from "../../shell/session";
import { roleName } from "../../staff/roles";

type ApprovalInfo = components["schemas"]["ApprovalInfo"];

/** The house's stream announces approvals; polling is the fallback. */
const SELDOM = 15_000;

interface BehalfProps {
  live: LiveTable;
  book: BookPage;
  money: string;
  betting: boolean;
}

export function Behalf({ live, book, money, betting }: BehalfProps) {
  const [seen, setSeen] = useState<Record<number, number>>({});
  const asking = usePolled(() => told(api.GET("/api/v1/approvals")).then(noted), SELDOM);
  useBell(HOUSE_STREAM, asking.again, isApproval);
  const waiting = (known(asking.asked)?.approvals ?? []).filter(
    one => one.yours && one.table === live.id && one.player === me.value?.name,
  );
  const placed = betting
    ? (live.mine.value?.bets ?? []).filter(bet => bet.by && bet.behalf && seen[bet.id] !== bet.behalf)
    : [];
  if (waiting.length + placed.length === 0) return null;
  const say = playWords().seat.behalf;
  const amount = (minor: number): string => amountText(minor, money, locale.value, { short: true });
  return (
    <section class="behalf" role="alert" aria-label={say.title}>
      {waiting.map(one => (
        <Consent key={one.id} approval={one} book={book} amount={amount} onDone={asking.again} />
      ))}
      {placed.map(bet => (
        <Placed
          key={bet.id}
          bet={bet}
          area={areaName(book, bet.wager)}
          amount={amount(bet.behalf ?? 0)}
          table={live.id}
          onSeen={() => setSeen({ ...seen, [bet.id]: bet.behalf ?? 0 })}
        />
      ))}
    </section>
  );
}

function areaName(book: BookPage, wager: string): string {
  const found = book.wagers.find(one => one.wager === wager);
  return found === undefined ? wager : named(found.name);
}

interface ConsentProps {
  approval: ApprovalInfo;
  book: BookPage;
  amount: (minor: number) => string;
  onDone: () => void;
}

function Consent({ approval, book, amount, onDone }: ConsentProps) {
  const say = playWords().seat.behalf;
  const [busy, setBusy] = useState(false);
  const who = `${personName(approval.asker)} (${roleName(book, approval.by_role)})`;
  const answer = (agreed: boolean): void => {
    const params = { path: { number: approval.id } };
    const sent: Promise<unknown> = agreed
      ? told(api.POST("/api/v1/approvals/{number}/approve", { params, body: {} }))
      : told(api.POST("/api/v1/approvals/{number}/refuse", { params, body: { words: "" } }));
    setBusy(true);
    sent
      .catch(thrown => toastProblem(asProblem(thrown)))
      .finally(() => {
        setBusy(false);
        onDone();
      });
  };
  return (
    <div class="behalf-one">
      <p>
        <strong>{say.asks(who)}</strong> {wanted(approval.command, amount)}
      </p>
      <div class="buttons">
        <Button tone="main" busy={busy} onClick={() => answer(true)}>
          {say.agree}
        </Button>
        <Button disabled={busy} onClick={() => answer(false)}>
          {say.decline}
        </Button>
      </div>
    </div>
  );
}

/** What would be done with one's chips. */
function wanted(command: Record<string, unknown>, amount: (minor: number) => string): string {
  const say = playWords().seat.behalf;
  const minor = typeof command.amount === "number" ? amount(command.amount) : "";
  switch (command.type) {
    case "BuyIn":
      return say.buyIn(minor);
    case "CashOut":
      return say.cashOut(minor);
    case "RecordFound":
      return say.found(minor);
    case "MoveBet":
      return say.move;
    default: {
      const bets = Array.isArray(command.bets) ? (command.bets as { amount: number }[]) : [];
      return say.bets(amount(bets.reduce((sum, one) => sum + one.amount, 0)));
    }
  }
}

function Placed(props: { bet: Bet; area: string; amount: string; table: string; onSeen: () => void }) {
  const say = playWords().seat.behalf;
  const { bet } = props;
  const takeOff = (): void => {
    const command = { type: "TakeDown" as const, wager: bet.wager, amount: bet.behalf ?? null, kind: bet.kind };
    ask(props.table, command, { role: "player" }).catch(thrown => toastProblem(asProblem(thrown)));
  };
  return (
    <div class="behalf-one">
      <p>{say.placed(personName(bet.by ?? ""), props.amount, props.area)}</p>
      <div class="buttons">
        <Button onClick={takeOff}>{say.takeOff}</Button>
        <Button tone="quiet" onClick={props.onSeen}>
          {say.fine}
        </Button>
      </div>
    </div>
  );
}
