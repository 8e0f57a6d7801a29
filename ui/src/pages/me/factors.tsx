/** One's own second factors: list, add, remove, and new recovery codes. */

import { useState } from "preact/hooks";
import { api, told } from "../../api/client";
import type { components } from "../../api/schema";
import type { Me } from "../../api/types";
import { useAsked } from "../../api/use-request";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { useSending } from "../../components/form-submission";
import { ProblemNote } from "../../components/problem-note";
import { Told } from "../../components/request-result";
import { When } from "../../components/timestamps";
import { toastDone } from "../../components/toasts";
import { factorsWords } from "../../i18n/words/factors";
import { EnrolFactor, RecoveryCodes } from "../../shell/enrol-factor";
import { ConfirmFactor } from "../../shell/second-factor";
import { enter } from "../../shell/session";
import { Card } from "./parts";

type Factor = components["schemas"]["FactorInfo"];

export function Factors() {
  const say = factorsWords();
  const asking = useAsked(() => told(api.GET("/api/v1/me/factors")), []);
  const [adding, setAdding] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const sending = useSending();
  const added = (who: Me): void => {
    enter(who);
    setAdding(false);
    toastDone(say.added);
    asking.again();
  };
  const remove = async (factor: Factor): Promise<void> => {
    await told(api.DELETE("/api/v1/me/factors/{factor_id}", { params: { path: { factor_id: factor.id } } }));
    asking.again();
  };
  const renew = async (): Promise<void> => setCodes((await told(api.POST("/api/v1/me/factors/recovery-codes"))).codes);
  return (
    <Card title={say.title} lead={say.lead}>
      <Told asking={asking}>
        {mine => (
          <>
            {mine.required && <p>{say.required}</p>}
            {mine.factors.length === 0 && <p class="soft">{say.none}</p>}
            <ul class="own-list">
              {mine.factors.map(one => (
                <li key={one.id}>
                  <span>
                    <strong>{one.name}</strong>
                    <br />
                    <span class="soft">
                      {say.kinds[one.kind] ?? one.kind}
                      {one.used && (
                        <>
                          {" · "}
                          {say.used} <When at={one.used} />
                        </>
                      )}
                    </span>
                  </span>
                  <Button
                    busy={sending.busy}
                    aria-label={`${say.remove}: ${one.name}`}
                    onClick={() => void sending.send(() => remove(one), say.removed)}
                  >
                    {say.remove}
                  </Button>
                </li>
              ))}
            </ul>
            {mine.factors.length > 0 && <p class="soft">{say.codesLeft(mine.recovery_codes)}</p>}
            {sending.problem &&
              (sending.problem.kind === "recent-factor-required" ? (
                <Again onDone={() => void sending.send(async () => undefined)} />
              ) : (
                <ProblemNote problem={sending.problem} />
              ))}
            <div class="buttons">
              <Button tone={mine.factors.length === 0 ? "main" : "plain"} onClick={() => setAdding(true)}>
                {say.enrol.title}
              </Button>
              {mine.factors.length > 0 && (
                <Button busy={sending.busy} onClick={() => void sending.send(renew)}>
                  {say.newCodes}
                </Button>
              )}
            </div>
          </>
        )}
      </Told>
      <Dialog open={adding} title={say.enrol.title} onClose={() => setAdding(false)}>
        {adding && <EnrolFactor onDone={added} />}
      </Dialog>
      <Dialog open={codes !== null} title={say.newCodes} onClose={() => setCodes(null)}>
        {codes !== null && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
      </Dialog>
    </Card>
  );
}

/** The confirmation that a sensitive action requires; then it can be repeated. */
export function Again({ onDone }: { onDone: () => void }) {
  const say = factorsWords().confirm;
  return (
    <div class="note">
      <p>{say.again}</p>
      <ConfirmFactor
        onConfirmed={who => {
          enter(who);
          onDone();
        }}
      />
    </div>
  );
}
