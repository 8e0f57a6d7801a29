/** Pending approvals at this table. */

import { useEffect, useRef } from "preact/hooks";
import { api, unwrap } from "../api/client";
import { usePolling } from "../api/polling";
import { asProblem } from "../api/problems";
import type { components } from "../api/schema";
import { latestData } from "../api/use-request";
import { Button } from "../components/button";
import { toastDone, toastProblem } from "../components/toasts";
import { named } from "../i18n";
import { consoleWords } from "../i18n/words/console";
import { personName, rememberNames } from "../live/names";
import { me } from "../shell/session";
import { stepText } from "../staff/at-table";
import { roleNames } from "../staff/roles";
import { type Desk, money } from "./console";

/** Approvals belong to the house, not the table. A console doesn't open a second stream for them: a browser has six
 * connections to a server, and a person may have several consoles open. */
const POLL_INTERVAL = 3_000;
const ANY_STAFF = "staff";

type Data = components["schemas"]["ApprovalInfo"];
type Answer = "approve" | "refuse" | "withdraw";

export function Approvals({ desk }: { desk: Desk }) {
  const t = consoleWords().dealer;
  const { response, reload } = usePolling(
    () => unwrap(api.GET("/api/v1/approvals")).then(rememberNames),
    POLL_INTERVAL,
    [desk.view.step, desk.busy],
  );
  const all = latestData(response)?.approvals ?? [];
  const here = all.filter(one => one.table === desk.live.id && one.standing === "waiting");
  useDeclined(desk, latestData(response)?.finished ?? null);
  if (here.length === 0) return null;
  const answer = (number: string, way: Answer): void => {
    const params = { path: { number } };
    const sent: Promise<unknown> =
      way === "approve"
        ? unwrap(api.POST("/api/v1/approvals/{number}/approve", { params, body: {} }))
        : way === "refuse"
          ? unwrap(api.POST("/api/v1/approvals/{number}/refuse", { params, body: { words: "" } }))
          : unwrap(api.POST("/api/v1/approvals/{number}/withdraw", { params }));
    sent.catch(thrown => toastProblem(asProblem(thrown))).finally(reload);
  };
  return (
    <section class="card card-wanted approvals" aria-label={t.approvals}>
      <h2>{t.approvals}</h2>
      <ul class="rules">
        {here.map(one => (
          <li key={one.id}>
            <div>
              <strong>{commandWords(desk, one.command)}</strong>
              <p class="soft">
                {one.asker === me.value?.name
                  ? consoleWords().desk.yoursWaits(waitsFor(desk, one.needs, one.player))
                  : t.asked(personName(one.asker))}
                {one.words && ` · ${one.words}`}
              </p>
            </div>
            <div class="buttons">
              {one.yours && (
                <>
                  <Button tone="main" onClick={() => answer(one.id, "approve")}>
                    {t.approve}
                  </Button>
                  <Button onClick={() => answer(one.id, "refuse")}>{t.refuse}</Button>
                </>
              )}
              {one.asker === me.value?.name && (
                <Button tone="quiet" onClick={() => answer(one.id, "withdraw")}>
                  {consoleWords().desk.withdrawAsk}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Notifies the person once that a request of theirs was declined. */
function useDeclined(desk: Desk, finished: readonly Data[] | null): void {
  const seen = useRef<Set<string> | null>(null);
  const mine = (finished ?? []).filter(
    one => one.table === desk.live.id && one.standing === "refused" && one.asker === me.value?.name,
  );
  useEffect(() => {
    if (finished === null) return;
    for (const one of mine) {
      if (seen.current !== null && !seen.current.has(one.id))
        toastDone(consoleWords().desk.declined(personName(one.by ?? ""), commandWords(desk, one.command)));
    }
    seen.current = new Set(mine.map(one => one.id));
  }, [finished === null, mine.map(one => one.id).join(" ")]);
}

function waitsFor(desk: Desk, needs: readonly string[], player: string | null): string {
  const t = consoleWords().desk;
  if (player !== null) return t.consentOf(personName(player));
  return needs.includes(ANY_STAFF) ? t.anyStaff : roleNames(desk.book, needs);
}

/** Describes a request: a step in the book's words, money with its amount. */
function commandWords(desk: Desk, command: Record<string, unknown>): string {
  const type = String(command.type ?? "");
  const name = consoleWords().desk.commands[type] ?? type;
  if (type === "TakeStep") return named(stepText(desk.book, String(command.step), name));
  const parts = [name];
  if (typeof command.amount === "number") parts.push(money(desk, command.amount));
  if (typeof command.player === "string") parts.push(personName(command.player));
  return parts.join(" · ");
}
