/** A player's own limits and exclusion, which a manager can only extend. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import type { components } from "../../api/schema";
import { Amount } from "../../components/amount";
import { Button } from "../../components/button";
import { Fact, Facts } from "../../components/facts";
import { Field } from "../../components/field";
import { useSubmission } from "../../components/form-submission";
import { Timestamp } from "../../components/timestamps";
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
  reload: () => void;
}

export function PlayLimits({ person, limits, reload }: LimitsProps) {
  const t = officeWords().people;
  const losses = Object.entries(limits.holding.loss_per_day ?? {});
  const stakes = Object.entries(limits.holding.stake_at_once ?? {});
  const seconds = limits.holding.seconds_per_day ?? null;
  return (
    <Card title={t.limits} lead={t.limitsLead}>
      <Facts>
        {stakes.map(([money, amount]) => (
          <Fact key={money} name={t.stakeAtOnce}>
            <Amount minor={amount} money={money} />
          </Fact>
        ))}
        {losses.map(([money, amount]) => (
          <Fact key={money} name={t.lossPerDay}>
            <Amount minor={amount} money={money} />
          </Fact>
        ))}
        {seconds !== null && <Fact name={t.timePerDay}>{t.minutes(Math.round(seconds / 60))}</Fact>}
        {losses.length + stakes.length === 0 && seconds === null && <Fact name={t.limits}>{t.noLimits}</Fact>}
        <Fact name={t.exclusion}>
          {!limits.excluded || limits.excluded_until === null ? (
            t.notExcluded
          ) : limits.excluded_until.startsWith(FOR_EVER) ? (
            t.forEver
          ) : (
            <>
              {t.until} <Timestamp at={limits.excluded_until} />
            </>
          )}
        </Fact>
      </Facts>
      {limits.pending.length > 0 && <p class="soft">{t.pending(limits.pending.length)}</p>}
      {isManager() && limits.excluded && !limits.excluded_until?.startsWith(FOR_EVER) && (
        <Longer person={person} reload={reload} />
      )}
    </Card>
  );
}

function Longer({ person, reload }: { person: PersonPage; reload: () => void }) {
  const t = officeWords().people;
  const [until, setUntil] = useState("");
  const submission = useSubmission();
  const lengthen = async (at: string | null): Promise<void> => {
    const params = { path: { name: person.name } };
    const response = (): Promise<unknown> =>
      unwrap(api.POST("/api/v1/people/{name}/exclusion", { params, body: { until: at } }));
    if (await submission.submit(response, t.longerDone)) reload();
  };
  return (
    <ActForm
      sending={submission}
      onSend={() => void lengthen(new Date(`${until}T23:59:59`).toISOString())}
      class="giving"
    >
      <Field label={t.longerUntil} hint={t.longerHint} type="date" value={until} onValue={setUntil} />
      <Button type="submit" busy={submission.busy} disabled={until === ""}>
        {t.longer}
      </Button>
      <Button tone="danger" busy={submission.busy} onClick={() => void lengthen(null)}>
        {t.longerForEver}
      </Button>
    </ActForm>
  );
}
