/** A new webhook: its address and topics. */

import { useState } from "preact/hooks";
import { api, told } from "../../api/client";
import type { components } from "../../api/schema";
import { Button } from "../../components/button";
import { Field, Tick } from "../../components/field";
import { useSending } from "../../components/form-submission";
import { words } from "../../i18n";
import { webhooksWords } from "../../i18n/words/webhooks";
import { ActForm } from "./parts";

type Topic = components["schemas"]["DeliveryInfo"]["topic"];

const TOPICS: readonly Topic[] = ["settlements", "alarms", "approvals"];

export function NewWebhook({ onMade, onCancel }: { onMade: (secret: string) => void; onCancel: () => void }) {
  const say = webhooksWords();
  const sending = useSending();
  const [url, setUrl] = useState("");
  const [topics, setTopics] = useState<readonly Topic[]>(["settlements"]);
  const add = async (): Promise<void> => {
    const body = { url: url.trim(), topics: [...topics] };
    onMade((await told(api.POST("/api/v1/webhooks", { body }))).secret);
  };
  return (
    <ActForm sending={sending} onSend={() => void sending.send(add)}>
      <Field
        label={say.add.url}
        hint={say.add.urlHint}
        value={url}
        onValue={setUrl}
        autocapitalize="none"
        autocomplete="off"
        maxLength={1_000}
      />
      <fieldset class="present">
        <legend>{say.add.topics}</legend>
        {TOPICS.map(one => (
          <Tick
            key={one}
            label={say.topics[one]}
            on={topics.includes(one)}
            onChange={on => setTopics(before => (on ? [...before, one] : before.filter(other => other !== one)))}
          />
        ))}
      </fieldset>
      <div class="buttons">
        <Button type="submit" tone="main" busy={sending.busy} disabled={url.trim().length < 8 || topics.length === 0}>
          {say.add.submit}
        </Button>
        <Button onClick={onCancel}>{words().dialog.cancel}</Button>
      </div>
    </ActForm>
  );
}
