/** What the house allows: registration by visitors, real money at automatic tables. */

import { useAsked } from "../../api/asking";
import { api, told } from "../../api/client";
import { ProblemNote } from "../../components/problem-note";
import { useSending } from "../../components/sending";
import { Told } from "../../components/told";
import { isManager } from "../../shell/session";
import { words } from "../../words";
import { Card } from "./parts";

const PARTS = ["registration", "real_money_automatic"] as const;

export function HousePolicy() {
  const say = words().office.policy;
  const asking = useAsked(() => told(api.GET("/api/v1/policy")), []);
  const sending = useSending();
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
                    const body = {
                      registration: policy.registration,
                      real_money_automatic: policy.real_money_automatic,
                      [part]: event.currentTarget.checked,
                    };
                    void sending.send(() => told(api.PUT("/api/v1/policy", { body })), say.saved).finally(asking.again);
                  }}
                />
                <span>
                  <strong>{say.parts[part]}</strong>
                  <span class="soft">{say.explain[part]}</span>
                </span>
              </label>
            ))}
          </>
        )}
      </Told>
      {sending.problem && <ProblemNote problem={sending.problem} />}
    </Card>
  );
}
