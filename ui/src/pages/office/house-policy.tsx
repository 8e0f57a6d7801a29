/** House policy: registration by visitors, real money at automatic tables, witnesses who confirm. */

import { useAsked } from "../../api/asking";
import { api, told } from "../../api/client";
import type { components } from "../../api/schema";
import { ProblemNote } from "../../components/problem-note";
import { useSending } from "../../components/sending";
import { Told } from "../../components/told";
import { isManager } from "../../shell/session";
import { words } from "../../words";
import { Card } from "./parts";

type Policy = components["schemas"]["PolicyTold"];

const PARTS = ["registration", "real_money_automatic"] as const;

export function HousePolicy() {
  const say = words().office.policy;
  const asking = useAsked(() => told(api.GET("/api/v1/policy")), []);
  const sending = useSending();
  const save = ({ registration, real_money_automatic, witness }: Policy): void => {
    const body = { registration, real_money_automatic, witness };
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
          </>
        )}
      </Told>
      {sending.problem && <ProblemNote problem={sending.problem} />}
    </Card>
  );
}
