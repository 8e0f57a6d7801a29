/** Webhooks and the state of their deliveries; managers add, test, pause and remove them. */

import { useState } from "preact/hooks";
import { api, told } from "../../api/client";
import { usePolled } from "../../api/polling";
import type { components } from "../../api/schema";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Fact, Facts } from "../../components/facts";
import { useSending } from "../../components/form-submission";
import { PageHead } from "../../components/page-head";
import { ProblemNote } from "../../components/problem-note";
import { Told } from "../../components/request-result";
import { ShownOnce } from "../../components/shown-once";
import { When } from "../../components/timestamps";
import { words } from "../../i18n";
import { counted } from "../../i18n/numbers";
import { webhooksWords } from "../../i18n/words/webhooks";
import { isManager } from "../../shell/session";
import { NewWebhook } from "./new-webhook";
import { Deliveries } from "./webhook-deliveries";

type Webhook = components["schemas"]["WebhookInfo"];
type Outcome = components["schemas"]["DeliveryOutcome"];

const EVERY = 5_000;
/** The highest number that the server counts to. */
const PENDING_MAX = 200;

export function Webhooks() {
  const say = webhooksWords();
  const asking = usePolled(() => told(api.GET("/api/v1/webhooks")), EVERY);
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const shut = (): void => {
    setAdding(false);
    setSecret(null);
  };
  const made = (text: string): void => {
    setAdding(false);
    setSecret(text);
    asking.again();
  };
  return (
    <div class="office webhooks">
      <PageHead title={say.title} lead={isManager() ? say.lead : `${say.lead} ${say.onlyManagers}`}>
        {isManager() && (
          <Button tone="main" onClick={() => setAdding(true)}>
            {say.add.title}
          </Button>
        )}
      </PageHead>
      <Told asking={asking}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <div class="note office-empty">
              <strong>{say.none}</strong>
              <p class="soft">{say.noneMore}</p>
            </div>
          ) : (
            <ul class="office-list">
              {webhooks.map(one => (
                <li key={one.id}>
                  <OneWebhook webhook={one} onChange={asking.again} onSecret={setSecret} />
                </li>
              ))}
            </ul>
          )
        }
      </Told>
      <Dialog open={adding} title={say.add.title} onClose={shut}>
        {adding && <NewWebhook onMade={made} onCancel={shut} />}
      </Dialog>
      <Dialog open={secret !== null} title={say.secret.title} onClose={shut}>
        {secret !== null && (
          <ShownOnce
            lead={say.secret.lead}
            label={say.secret.title}
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
  const say = webhooksWords();
  const state = stateOf(webhook);
  const bad = webhook.failing_since !== null;
  const since = webhook.failing_since;
  return (
    <section class={state === "failing" ? "card office-card card-wanted" : "card office-card"} aria-label={webhook.url}>
      <header class="webhook-head">
        <h2>{webhook.url}</h2>
        <span class={`tag webhook-${state}`}>{say.state[state]}</span>
      </header>
      <p class="office-meta">
        {webhook.topics.map(one => say.topics[one] ?? one).join(" · ")} · {say.added} <When at={webhook.since} />
      </p>
      <Facts>
        <Fact name={say.facts.last}>{webhook.last === null ? say.facts.never : <When at={webhook.last} />}</Fact>
        <Fact name={say.facts.delivered}>{counted(webhook.delivered)}</Fact>
        <Fact name={say.facts.pending}>
          {webhook.pending >= PENDING_MAX ? say.facts.orMore(webhook.pending) : counted(webhook.pending)}
        </Fact>
        {since !== null && (
          <Fact name={say.facts.failingSince} hint={say.facts.tried(webhook.failures)}>
            <When at={since} />
          </Fact>
        )}
      </Facts>
      {bad && <p class="webhook-why">{say.reasons[webhook.reason ?? ""] ?? webhook.error}</p>}
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
  const say = webhooksWords();
  const sending = useSending();
  const [asks, setAsks] = useState<"remove" | "secret" | null>(null);
  const [tested, setTested] = useState<Outcome | null>(null);
  const params = { path: { webhook_id: webhook.id } };
  const test = async (): Promise<void> => {
    setTested(null);
    setTested(await told(api.POST("/api/v1/webhooks/{webhook_id}/test", { params })));
  };
  const toggle = async (): Promise<void> => {
    if (webhook.paused) await told(api.POST("/api/v1/webhooks/{webhook_id}/resume", { params }));
    else await told(api.POST("/api/v1/webhooks/{webhook_id}/pause", { params }));
    onChange();
  };
  const remove = async (): Promise<void> => {
    await told(api.DELETE("/api/v1/webhooks/{webhook_id}", { params }));
    setAsks(null);
    onChange();
  };
  const change = async (): Promise<void> => {
    const made = await told(api.POST("/api/v1/webhooks/{webhook_id}/secret", { params }));
    setAsks(null);
    onSecret(made.secret);
  };
  return (
    <>
      <div class="buttons">
        <Button busy={sending.busy} onClick={() => void sending.send(test)}>
          {say.test.send}
        </Button>
        <Button
          busy={sending.busy}
          onClick={() => void sending.send(toggle, webhook.paused ? say.pause.resumed : say.pause.paused)}
        >
          {webhook.paused ? say.pause.resume : say.pause.pause}
        </Button>
        <Button onClick={() => setAsks("secret")}>{say.secret.change}</Button>
        <Button tone="danger" onClick={() => setAsks("remove")}>
          {say.remove.remove}
        </Button>
      </div>
      <div role="status">{tested !== null && <Tested outcome={tested} />}</div>
      {sending.problem && <ProblemNote problem={sending.problem} />}
      <Dialog open={asks === "remove"} title={say.remove.remove} onClose={() => setAsks(null)}>
        <p>{say.remove.sure(webhook.url)}</p>
        <div class="buttons">
          <Button tone="danger" busy={sending.busy} onClick={() => void sending.send(remove, say.remove.removed)}>
            {say.remove.remove}
          </Button>
          <Button onClick={() => setAsks(null)}>{words().dialog.cancel}</Button>
        </div>
      </Dialog>
      <Dialog open={asks === "secret"} title={say.secret.change} onClose={() => setAsks(null)}>
        <p>{say.secret.sure(webhook.url)}</p>
        <div class="buttons">
          <Button tone="main" busy={sending.busy} onClick={() => void sending.send(change)}>
            {say.secret.change}
          </Button>
          <Button onClick={() => setAsks(null)}>{words().dialog.cancel}</Button>
        </div>
      </Dialog>
    </>
  );
}

function Tested({ outcome }: { outcome: Outcome }) {
  const say = webhooksWords();
  if (outcome.reason === null) return <p class="note">{say.test.accepted(outcome.status ?? 0)}</p>;
  return (
    <p class="note note-bad">
      <strong>{say.test.failed}</strong> {say.reasons[outcome.reason] ?? outcome.error}
      {outcome.status !== null && ` (${outcome.status})`}
    </p>
  );
}
