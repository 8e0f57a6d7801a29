/** A player's own limits and exclusion, which a manager can only extend. */

import { useState } from "preact/hooks";
import { api, told } from "../../api/client";
import type { components } from "../../api/schema";
import { Amount } from "../../components/amount";
import { Button } from "../../components/button";
import { Fact, Facts } from "../../components/facts";
import { Field } from "../../components/field";
import { useSending } from "../../components/form-submission";
import { When } from "../../components/timestamps";
import { officeWords } from "../../i18n/words/office";
import { isManager } from "../../shell/session";
import { ActForm, Card } from "./parts";

type PersonPage = components["schemas"]["PersonPage"];
type HeldLimits = components["schemas"]["HeldLimits"];

/** From this year on an exclusion is permanent. */
const FOR_EVER = "9999";

interface LimitsProps {
  person: PersonPage;
  limits: HeldLimits;
  again: () => void;
}

export function PlayLimits({ person, limits, again }: LimitsProps) {
  const say = officeWords().people;
  const losses = Object.entries(limits.holding.loss_per_day ?? {});
  const stakes = Object.entries(limits.holding.stake_at_once ?? {});
  const seconds = limits.holding.seconds_per_day ?? null;
  return (
    <Card title={say.limits} lead={say.limitsLead}>
      <Facts>
        {stakes.map(([money, amount]) => (
          <Fact key={money} name={say.stakeAtOnce}>
            <Amount minor={amount} money={money} />
          </Fact>
        ))}
        {losses.map(([money, amount]) => (
          <Fact key={money} name={say.lossPerDay}>
            <Amount minor={amount} money={money} />
          </Fact>
        ))}
        {seconds !== null && <Fact name={say.timePerDay}>{say.minutes(Math.round(seconds / 60))}</Fact>}
        {losses.length + stakes.length === 0 && seconds === null && <Fact name={say.limits}>{say.noLimits}</Fact>}
        <Fact name={say.exclusion}>
          {!limits.excluded || limits.excluded_until === null ? (
            say.notExcluded
          ) : limits.excluded_until.startsWith(FOR_EVER) ? (
            say.forEver
          ) : (
            <>
              {say.until} <When at={limits.excluded_until} />
            </>
          )}
        </Fact>
      </Facts>
      {limits.pending.length > 0 && <p class="soft">{say.pending(limits.pending.length)}</p>}
      {isManager() && limits.excluded && !limits.excluded_until?.startsWith(FOR_EVER) && (
        <Longer person={person} again={again} />
      )}
    </Card>
  );
}

function Longer({ person, again }: { person: PersonPage; again: () => void }) {
  const say = officeWords().people;
  const [until, setUntil] = useState("");
  const sending = useSending();
  const lengthen = async (at: string | null): Promise<void> => {
    const params = { path: { name: person.name } };
    const asked = (): Promise<unknown> =>
      told(api.POST("/api/v1/people/{name}/exclusion", { params, body: { until: at } }));
    if (await sending.send(asked, say.longerDone)) again();
  };
  return (
    <ActForm sending={sending} onSend={() => void lengthen(new Date(`${until}T23:59:59`).toISOString())} class="giving">
      <Field label={say.longerUntil} hint={say.longerHint} type="date" value={until} onValue={setUntil} />
      <Button type="submit" busy={sending.busy} disabled={until === ""}>
        {say.longer}
      </Button>
      <Button tone="danger" busy={sending.busy} onClick={() => void lengthen(null)}>
        {say.longerForEver}
      </Button>
    </ActForm>
  );
}
