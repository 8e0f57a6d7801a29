/** What staff do for the player: chips that need consent, and bets placed for them. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import { usePolling } from "../../api/polling";
import { asProblem } from "../../api/problems";
import type { components } from "../../api/schema";
import type { BookPage } from "../../api/types";
import { latestData } from "../../api/use-request";
import { Button } from "../../components/button";
import { toastProblem } from "../../components/toasts";
import { locale, named } from "../../i18n";
import { playWords } from "../../i18n/words/play";
import { sendCommand } from "../../live/commands";
import { personName, rememberNames } from "../../live/names";
import { HOUSE_STREAM, isApproval, useRecordNotifications } from "../../live/record-notifications";
import type { LiveTable } from "../../live/table";
import type { Bet } from "../../live/view";
import { amountText } from "../../money/amounts";
import { me } from "../../shell/session";
import { roleName } from "../../staff/roles";

type ApprovalInfo = components["schemas"]["ApprovalInfo"];

/** The house's stream announces approvals; polling is the fallback. */
const STREAM_POLL_INTERVAL = 15_000;

interface BehalfProps {
  live: LiveTable;
  book: BookPage;
  money: string;
  betting: boolean;
}

export function Behalf({ live, book, money, betting }: BehalfProps) {
  const [seen, setSeen] = useState<Record<number, number>>({});
  const request = usePolling(() => unwrap(api.GET("/api/v1/approvals")).then(rememberNames), STREAM_POLL_INTERVAL);
  useRecordNotifications(HOUSE_STREAM, request.reload, isApproval);
  const waiting = (latestData(request.response)?.approvals ?? []).filter(
    one => one.yours && one.table === live.id && one.player === me.value?.name,
  );
  const placed = betting
    ? (live.mine.value?.bets ?? []).filter(bet => bet.by && bet.behalf && seen[bet.id] !== bet.behalf)
    : [];
  if (waiting.length + placed.length === 0) return null;
  const t = playWords().seat.behalf;
  const amount = (minor: number): string => amountText(minor, money, locale.value, { short: true });
  return (
    <section class="behalf" role="alert" aria-label={t.title}>
      {waiting.map(one => (
        <Consent key={one.id} approval={one} book={book} amount={amount} onDone={request.reload} />
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
  const t = playWords().seat.behalf;
  const [busy, setBusy] = useState(false);
  const who = `${personName(approval.asker)} (${roleName(book, approval.by_role)})`;
  const answer = (agreed: boolean): void => {
    const params = { path: { number: approval.id } };
    const sent: Promise<unknown> = agreed
      ? unwrap(api.POST("/api/v1/approvals/{number}/approve", { params, body: {} }))
      : unwrap(api.POST("/api/v1/approvals/{number}/refuse", { params, body: { words: "" } }));
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
        <strong>{t.asks(who)}</strong> {wanted(approval.command, amount)}
      </p>
      <div class="buttons">
        <Button tone="main" busy={busy} onClick={() => answer(true)}>
          {t.agree}
        </Button>
        <Button disabled={busy} onClick={() => answer(false)}>
          {t.decline}
        </Button>
      </div>
    </div>
  );
}

/** What would be done with one's chips. */
function wanted(command: Record<string, unknown>, amount: (minor: number) => string): string {
  const t = playWords().seat.behalf;
  const minor = typeof command.amount === "number" ? amount(command.amount) : "";
  switch (command.type) {
    case "BuyIn":
      return t.buyIn(minor);
    case "CashOut":
      return t.cashOut(minor);
    case "RecordFound":
      return t.found(minor);
    case "MoveBet":
      return t.move;
    default: {
      const bets = Array.isArray(command.bets) ? (command.bets as { amount: number }[]) : [];
      return t.bets(amount(bets.reduce((sum, one) => sum + one.amount, 0)));
    }
  }
}

function Placed(props: { bet: Bet; area: string; amount: string; table: string; onSeen: () => void }) {
  const t = playWords().seat.behalf;
  const { bet } = props;
  const takeOff = (): void => {
    const command = { type: "TakeDown" as const, wager: bet.wager, amount: bet.behalf ?? null, kind: bet.kind };
    sendCommand(props.table, command, { role: "player" }).catch(thrown => toastProblem(asProblem(thrown)));
  };
  return (
    <div class="behalf-one">
      <p>{t.placed(personName(bet.by ?? ""), props.amount, props.area)}</p>
      <div class="buttons">
        <Button onClick={takeOff}>{t.takeOff}</Button>
        <Button tone="quiet" onClick={props.onSeen}>
          {t.fine}
        </Button>
      </div>
    </div>
  );
}
