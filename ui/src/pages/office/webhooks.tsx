/** Webhooks and the state of their deliveries; managers add, test, pause and remove them. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import { usePolling } from "../../api/polling";
import type { components } from "../../api/schema";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Fact, Facts } from "../../components/facts";
import { useSubmission } from "../../components/form-submission";
import { OneTimeSecret } from "../../components/one-time-secret";
import { PageHead } from "../../components/page-head";
import { ProblemNote } from "../../components/problem-note";
import { RequestResult } from "../../components/request-result";
import { Timestamp } from "../../components/timestamps";
import { bracketed, sentences, words } from "../../i18n";
import { counted } from "../../i18n/numbers";
import { webhooksWords } from "../../i18n/words/webhooks";
import { isManager } from "../../shell/session";
import { NewWebhook } from "./new-webhook";
import { Deliveries } from "./webhook-deliveries";

type Webhook = components["schemas"]["WebhookInfo"];
type Outcome = components["schemas"]["DeliveryOutcome"];

const POLL_INTERVAL = 5_000;
/** The highest number that the server counts to. */
const PENDING_MAX = 200;

export function Webhooks() {
  const t = webhooksWords();
  const request = usePolling(() => unwrap(api.GET("/api/v1/webhooks")), POLL_INTERVAL);
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const shut = (): void => {
    setAdding(false);
    setSecret(null);
  };
  const made = (text: string): void => {
    setAdding(false);
    setSecret(text);
    request.reload();
  };
  return (
    <div class="office webhooks">
      <PageHead title={t.title} lead={sentences(t.lead, !isManager() && t.onlyManagers)}>
        {isManager() && (
          <Button tone="main" onClick={() => setAdding(true)}>
            {t.add.title}
          </Button>
        )}
      </PageHead>
      <RequestResult request={request}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <div class="note office-empty">
              <strong>{t.none}</strong>
              <p class="soft">{t.noneMore}</p>
            </div>
          ) : (
            <ul class="office-list">
              {webhooks.map(one => (
                <li key={one.id}>
                  <OneWebhook webhook={one} onChange={request.reload} onSecret={setSecret} />
                </li>
              ))}
            </ul>
          )
        }
      </RequestResult>
      <Dialog open={adding} title={t.add.title} onClose={shut}>
        {adding && <NewWebhook onMade={made} onCancel={shut} />}
      </Dialog>
      <Dialog open={secret !== null} title={t.secret.title} onClose={shut}>
        {secret !== null && (
          <OneTimeSecret
            lead={t.secret.lead}
            label={t.secret.title}
            text={secret}
            done={words().dialog.close}
            onDone={shut}
          />
        )}
      </Dialog>
    </div>
  );
}

interface OneWebhookProps {
  webhook: Webhook;
  onChange: () => void;
  onSecret: (secret: string) => void;
}

function OneWebhook({ webhook, onChange, onSecret }: OneWebhookProps) {
  const t = webhooksWords();
  const state = stateOf(webhook);
  const bad = webhook.failing_since !== null;
  const since = webhook.failing_since;
  return (
    <section class={state === "failing" ? "card office-card card-wanted" : "card office-card"} aria-label={webhook.url}>
      <header class="webhook-head">
        <h2>{webhook.url}</h2>
        <span class={`tag webhook-${state}`}>{t.state[state]}</span>
      </header>
      <p class="office-meta">
        {webhook.topics.map(one => t.topics[one] ?? one).join(" · ")} · {t.added} <Timestamp at={webhook.since} />
      </p>
      <Facts>
        <Fact name={t.facts.last}>{webhook.last === null ? t.facts.never : <Timestamp at={webhook.last} />}</Fact>
        <Fact name={t.facts.delivered}>{counted(webhook.delivered)}</Fact>
        <Fact name={t.facts.pending}>
          {webhook.pending >= PENDING_MAX ? t.facts.orMore(webhook.pending) : counted(webhook.pending)}
        </Fact>
        {since !== null && (
          <Fact name={t.facts.failingSince} hint={t.facts.tried(webhook.failures)}>
            <Timestamp at={since} />
          </Fact>
        )}
      </Facts>
      {bad && <p class="webhook-why">{t.reasons[webhook.reason ?? ""] ?? webhook.error}</p>}
      {isManager() && <Acts webhook={webhook} onChange={onChange} onSecret={onSecret} />}
      <Deliveries id={webhook.id} changes={`${webhook.delivered} ${webhook.failures}`} />
    </section>
  );
}

function stateOf(webhook: Webhook): "paused" | "failing" | "waiting" | "good" {
  if (webhook.paused) return "paused";
  if (webhook.failures > 0) return "failing";
  return webhook.pending > 0 ? "waiting" : "good";
}

function Acts({ webhook, onChange, onSecret }: OneWebhookProps) {
  const t = webhooksWords();
  const submission = useSubmission();
  const [asks, setAsks] = useState<"remove" | "secret" | null>(null);
  const [tested, setTested] = useState<Outcome | null>(null);
  const params = { path: { webhook_id: webhook.id } };
  const test = async (): Promise<void> => {
    setTested(null);
    setTested(await unwrap(api.POST("/api/v1/webhooks/{webhook_id}/test", { params })));
  };
  const toggle = async (): Promise<void> => {
    if (webhook.paused) await unwrap(api.POST("/api/v1/webhooks/{webhook_id}/resume", { params }));
    else await unwrap(api.POST("/api/v1/webhooks/{webhook_id}/pause", { params }));
    onChange();
  };
  const remove = async (): Promise<void> => {
    await unwrap(api.DELETE("/api/v1/webhooks/{webhook_id}", { params }));
    setAsks(null);
    onChange();
  };
  const change = async (): Promise<void> => {
    const made = await unwrap(api.POST("/api/v1/webhooks/{webhook_id}/secret", { params }));
    setAsks(null);
    onSecret(made.secret);
  };
  return (
    <>
      <div class="buttons">
        <Button busy={submission.busy} onClick={() => void submission.submit(test)}>
          {t.test.send}
        </Button>
        <Button
          busy={submission.busy}
          onClick={() => void submission.submit(toggle, webhook.paused ? t.pause.resumed : t.pause.paused)}
        >
          {webhook.paused ? t.pause.resume : t.pause.pause}
        </Button>
        <Button onClick={() => setAsks("secret")}>{t.secret.change}</Button>
        <Button tone="danger" onClick={() => setAsks("remove")}>
          {t.remove.remove}
        </Button>
      </div>
      <div role="status">{tested !== null && <Tested outcome={tested} />}</div>
      {submission.problem && <ProblemNote problem={submission.problem} />}
      <Dialog open={asks === "remove"} title={t.remove.remove} onClose={() => setAsks(null)}>
        <p>{t.remove.sure(webhook.url)}</p>
        <div class="buttons">
          <Button tone="danger" busy={submission.busy} onClick={() => void submission.submit(remove, t.remove.removed)}>
            {t.remove.remove}
          </Button>
          <Button onClick={() => setAsks(null)}>{words().dialog.cancel}</Button>
        </div>
      </Dialog>
      <Dialog open={asks === "secret"} title={t.secret.change} onClose={() => setAsks(null)}>
        <p>{t.secret.sure(webhook.url)}</p>
        <div class="buttons">
          <Button tone="main" busy={submission.busy} onClick={() => void submission.submit(change)}>
            {t.secret.change}
          </Button>
          <Button onClick={() => setAsks(null)}>{words().dialog.cancel}</Button>
        </div>
      </Dialog>
    </>
  );
}

function Tested({ outcome }: { outcome: Outcome }) {
  const t = webhooksWords();
  if (outcome.reason === null) return <p class="note">{t.test.accepted(outcome.status ?? 0)}</p>;
  return (
    <p class="note note-bad">
      <strong>{t.test.failed}</strong> {t.reasons[outcome.reason] ?? outcome.error}
      {outcome.status !== null && bracketed(String(outcome.status))}
    </p>
  );
}
