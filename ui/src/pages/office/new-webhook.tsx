/** A new webhook: its address and topics. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import type { components } from "../../api/schema";
import { Button } from "../../components/button";
import { Field, Tick } from "../../components/field";
import { useSubmission } from "../../components/form-submission";
import { words } from "../../i18n";
import { webhooksWords } from "../../i18n/words/webhooks";
import { ActForm } from "./parts";

type Topic = components["schemas"]["DeliveryInfo"]["topic"];

const TOPICS: readonly Topic[] = ["settlements", "alarms", "approvals"];

export function NewWebhook({ onMade, onCancel }: { onMade: (secret: string) => void; onCancel: () => void }) {
  const t = webhooksWords();
  const submission = useSubmission();
  const [url, setUrl] = useState("");
  const [topics, setTopics] = useState<readonly Topic[]>(["settlements"]);
  const add = async (): Promise<void> => {
    const body = { url: url.trim(), topics: [...topics] };
    onMade((await unwrap(api.POST("/api/v1/webhooks", { body }))).secret);
  };
  return (
    <ActForm sending={submission} onSend={() => void submission.submit(add)}>
      <Field
        label={t.add.url}
        hint={t.add.urlHint}
        value={url}
        onValue={setUrl}
        autocapitalize="none"
        autocomplete="off"
        maxLength={1_000}
      />
      <fieldset class="present">
        <legend>{t.add.topics}</legend>
        {TOPICS.map(one => (
          <Tick
            key={one}
            label={t.topics[one]}
            on={topics.includes(one)}
            onChange={on => setTopics(before => (on ? [...before, one] : before.filter(other => other !== one)))}
          />
        ))}
      </fieldset>
      <div class="buttons">
        <Button
          type="submit"
          tone="main"
          busy={submission.busy}
          disabled={url.trim().length < 8 || topics.length === 0}
        >
          {t.add.submit}
        </Button>
        <Button onClick={onCancel}>{words().dialog.cancel}</Button>
      </div>
    </ActForm>
  );
}
