/** House policy: registration by visitors, real money at automatic tables, witnesses, approvals, shifts. */

import { useState } from "preact/hooks";
import { api, told } from "../../api/client";
import type { components } from "../../api/schema";
import { useAsked } from "../../api/use-request";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { Form } from "../../components/form";
import { useSending } from "../../components/form-submission";
import { ProblemNote } from "../../components/problem-note";
import { Told } from "../../components/request-result";
import { officeWords } from "../../i18n/words/office";
import { isManager } from "../../shell/session";
import { Card } from "./parts";

type Policy = components["schemas"]["PolicyInfo"];

const PARTS = ["registration", "real_money_automatic", "approval_references", "bet_consent"] as const;

export function HousePolicy() {
  const say = officeWords().policy;
  const asking = useAsked(() => told(api.GET("/api/v1/policy")), []);
  const sending = useSending();
  const save = ({ money: _, ...body }: Policy): void => {
    void sending.send(() => told(api.PUT("/api/v1/policy", { body })), say.saved).finally(asking.again);
  };
  return (
    <Card title={say.title} lead={isManager() ? say.lead : say.onlyManagers}>
      <Told asking={asking}>
        {policy => (
          <>
            {PARTS.map(part => (
              <label key={part} class="office-check">
                <input
                  type="checkbox"
                  checked={policy[part]}
                  disabled={sending.busy || !isManager()}
                  onChange={event => {
                    save({ ...policy, [part]: event.currentTarget.checked });
                  }}
                />
                <span>
                  <strong>{say.parts[part]}</strong>
                  <span class="soft">{say.explain[part]}</span>
                </span>
              </label>
            ))}
            <label class="office-check">
              <input
                type="checkbox"
                checked={policy.witness === "confirmed"}
                disabled={sending.busy || !isManager()}
                onChange={event => save({ ...policy, witness: event.currentTarget.checked ? "confirmed" : "named" })}
              />
              <span>
                <strong>{say.parts.witness}</strong>
                <span class="soft">{say.explain.witness}</span>
              </span>
            </label>
            {isManager() && <Schedule policy={policy} busy={sending.busy} onSave={save} />}
          </>
        )}
      </Told>
      {sending.problem && <ProblemNote problem={sending.problem} />}
    </Card>
  );
}

/** When shifts begin, by the house's clock. */
function Schedule({ policy, busy, onSave }: { policy: Policy; busy: boolean; onSave: (policy: Policy) => void }) {
  const say = officeWords().policy.shifts;
  const [times, setTimes] = useState(policy.shifts.join(", "));
  const [timezone, setTimezone] = useState(policy.timezone);
  const shifts = times.split(/[\s,]+/).filter(Boolean);
  return (
    <Form class="office-form" onSend={() => onSave({ ...policy, shifts, timezone: timezone.trim() })}>
      <Field label={say.title} value={times} onValue={setTimes} hint={say.hint} maxLength={200} />
      <Field label={say.timezone} value={timezone} onValue={setTimezone} hint={say.timezoneHint} maxLength={60} />
      <div class="buttons">
        <Button type="submit" busy={busy}>
          {say.save}
        </Button>
      </div>
    </Form>
  );
}
