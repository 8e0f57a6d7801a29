/** House policy: registration by visitors, real money at automatic tables, witnesses, approvals, shifts. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import type { components } from "../../api/schema";
import { useRequest } from "../../api/use-request";
import { Button } from "../../components/button";
import { Field, Tick } from "../../components/field";
import { Form } from "../../components/form";
import { useSubmission } from "../../components/form-submission";
import { ProblemNote } from "../../components/problem-note";
import { RequestResult } from "../../components/request-result";
import { officeWords } from "../../i18n/words/office";
import { ConfirmFactor } from "../../shell/second-factor";
import { isManager, setSession } from "../../shell/session";
import { Card } from "./parts";
import { roleName, useRoles } from "./roles";

type Policy = components["schemas"]["PolicyInfo"];

const PARTS = ["registration", "real_money_automatic", "approval_references", "bet_consent"] as const;

export function HousePolicy() {
  const t = officeWords().policy;
  const request = useRequest(() => unwrap(api.GET("/api/v1/policy")), []);
  const submission = useSubmission();
  const [wanted, setWanted] = useState<Policy | null>(null);
  const save = (policy: Policy): void => {
    const { money: _, ...body } = policy;
    setWanted(policy);
    void submission.submit(() => unwrap(api.PUT("/api/v1/policy", { body })), t.saved).finally(request.reload);
  };
  return (
    <Card title={t.title} lead={isManager() ? t.lead : t.onlyManagers}>
      <RequestResult request={request}>
        {policy => (
          <>
            {PARTS.map(part => (
              <label key={part} class="office-check">
                <input
                  type="checkbox"
                  checked={policy[part]}
                  disabled={submission.busy || !isManager()}
                  onChange={event => {
                    save({ ...policy, [part]: event.currentTarget.checked });
                  }}
                />
                <span>
                  <strong>{t.parts[part]}</strong>
                  <span class="soft">{t.explain[part]}</span>
                </span>
              </label>
            ))}
            <label class="office-check">
              <input
                type="checkbox"
                checked={policy.witness === "confirmed"}
                disabled={submission.busy || !isManager()}
                onChange={event => save({ ...policy, witness: event.currentTarget.checked ? "confirmed" : "named" })}
              />
              <span>
                <strong>{t.parts.witness}</strong>
                <span class="soft">{t.explain.witness}</span>
              </span>
            </label>
            {isManager() && <Schedule policy={policy} busy={submission.busy} onSave={save} />}
            {isManager() && <SignInPolicy policy={policy} busy={submission.busy} onSave={save} />}
          </>
        )}
      </RequestResult>
      {submission.problem?.kind === "recent-factor-required" && wanted !== null ? (
        <ConfirmFactor
          onConfirmed={who => {
            setSession(who);
            save(wanted);
          }}
        />
      ) : (
        submission.problem && <ProblemNote problem={submission.problem} />
      )}
    </Card>
  );
}

const PROOFS = ["password", "pin", "factor"] as const;
const MINUTES_MAX = 120;

/** Who signs in with a second factor, and when and how a screen is locked and unlocked. */
function SignInPolicy({ policy, busy, onSave }: { policy: Policy; busy: boolean; onSave: (policy: Policy) => void }) {
  const t = officeWords().policy.signIn;
  const roles = useRoles().filter(one => one.role !== "player" && one.role !== "shooter");
  const [chosen, setChosen] = useState<readonly string[]>(policy.factor_roles);
  const [minutes, setMinutes] = useState(String(policy.lock_minutes));
  const [proofs, setProofs] = useState<readonly (typeof PROOFS)[number][]>(policy.unlock_with);
  const good = /^\d{1,3}$/.test(minutes.trim()) && Number(minutes) <= MINUTES_MAX;
  const save = (): void => {
    const body = { factor_roles: [...chosen], lock_minutes: Number(minutes), unlock_with: [...proofs] };
    if (good) onSave({ ...policy, ...body });
  };
  return (
    <Form class="office-form" onSend={save}>
      <fieldset class="present factor-roles">
        <legend>{t.roles}</legend>
        {roles.map(one => (
          <Tick
            key={one.role}
            label={roleName(one.role, roles)}
            on={chosen.includes(one.role)}
            onChange={on => setChosen(on ? [...chosen, one.role] : chosen.filter(other => other !== one.role))}
          />
        ))}
      </fieldset>
      <Field
        label={t.minutes}
        hint={t.minutesHint}
        value={minutes}
        onValue={setMinutes}
        inputMode="numeric"
        maxLength={3}
        error={good ? null : t.minutesWrong}
      />
      <fieldset class="present">
        <legend>{t.unlock}</legend>
        {PROOFS.map(one => (
          <Tick
            key={one}
            label={t[one]}
            on={proofs.includes(one)}
            onChange={on => setProofs(on ? [...proofs, one] : proofs.filter(other => other !== one))}
          />
        ))}
      </fieldset>
      <div class="buttons">
        <Button type="submit" busy={busy} disabled={!good || proofs.length === 0}>
          {t.save}
        </Button>
      </div>
    </Form>
  );
}

/** When shifts begin, by the house's clock. */
function Schedule({ policy, busy, onSave }: { policy: Policy; busy: boolean; onSave: (policy: Policy) => void }) {
  const t = officeWords().policy.shifts;
  const [times, setTimes] = useState(policy.shifts.join(", "));
  const [timezone, setTimezone] = useState(policy.timezone);
  const shifts = times.split(/[\s,]+/).filter(Boolean);
  return (
    <Form class="office-form" onSend={() => onSave({ ...policy, shifts, timezone: timezone.trim() })}>
      <Field label={t.title} value={times} onValue={setTimes} hint={t.hint} maxLength={200} />
      <Field label={t.timezone} value={timezone} onValue={setTimezone} hint={t.timezoneHint} maxLength={60} />
      <div class="buttons">
        <Button type="submit" busy={busy}>
          {t.save}
        </Button>
      </div>
    </Form>
  );
}
