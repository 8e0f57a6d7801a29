/** One's own second factors: list, add, remove, and new recovery codes. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import type { components } from "../../api/schema";
import type { Me } from "../../api/types";
import { useRequest } from "../../api/use-request";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { useSubmission } from "../../components/form-submission";
import { ProblemNote } from "../../components/problem-note";
import { RequestResult } from "../../components/request-result";
import { Timestamp } from "../../components/timestamps";
import { toastDone } from "../../components/toasts";
import { factorsWords } from "../../i18n/words/factors";
import { EnrolFactor, RecoveryCodes } from "../../shell/enrol-factor";
import { ConfirmFactor } from "../../shell/second-factor";
import { setSession } from "../../shell/session";
import { Card } from "./parts";

type Factor = components["schemas"]["FactorInfo"];

export function Factors() {
  const t = factorsWords();
  const request = useRequest(() => unwrap(api.GET("/api/v1/me/factors")), []);
  const [adding, setAdding] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const submission = useSubmission();
  const added = (who: Me): void => {
    setSession(who);
    setAdding(false);
    toastDone(t.added);
    request.reload();
  };
  const remove = async (factor: Factor): Promise<void> => {
    await unwrap(api.DELETE("/api/v1/me/factors/{factor_id}", { params: { path: { factor_id: factor.id } } }));
    request.reload();
  };
  const renew = async (): Promise<void> =>
    setCodes((await unwrap(api.POST("/api/v1/me/factors/recovery-codes"))).codes);
  return (
    <Card title={t.title} lead={t.lead}>
      <RequestResult request={request}>
        {mine => (
          <>
            {mine.required && <p>{t.required}</p>}
            {mine.factors.length === 0 && <p class="soft">{t.none}</p>}
            <ul class="own-list">
              {mine.factors.map(one => (
                <li key={one.id}>
                  <span>
                    <strong>{one.name}</strong>
                    <br />
                    <span class="soft">
                      {t.kinds[one.kind] ?? one.kind}
                      {one.used && (
                        <>
                          {" · "}
                          {t.used} <Timestamp at={one.used} />
                        </>
                      )}
                    </span>
                  </span>
                  <Button
                    busy={submission.busy}
                    aria-label={`${t.remove}: ${one.name}`}
                    onClick={() => void submission.submit(() => remove(one), t.removed)}
                  >
                    {t.remove}
                  </Button>
                </li>
              ))}
            </ul>
            {mine.factors.length > 0 && <p class="soft">{t.codesLeft(mine.recovery_codes)}</p>}
            {submission.problem &&
              (submission.problem.kind === "recent-factor-required" ? (
                <ConfirmAgain onDone={() => void submission.submit(async () => undefined)} />
              ) : (
                <ProblemNote problem={submission.problem} />
              ))}
            <div class="buttons">
              <Button tone={mine.factors.length === 0 ? "main" : "plain"} onClick={() => setAdding(true)}>
                {t.enrol.title}
              </Button>
              {mine.factors.length > 0 && (
                <Button busy={submission.busy} onClick={() => void submission.submit(renew)}>
                  {t.newCodes}
                </Button>
              )}
            </div>
          </>
        )}
      </RequestResult>
      <Dialog open={adding} title={t.enrol.title} onClose={() => setAdding(false)}>
        {adding && <EnrolFactor onDone={added} />}
      </Dialog>
      <Dialog open={codes !== null} title={t.newCodes} onClose={() => setCodes(null)}>
        {codes !== null && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
      </Dialog>
    </Card>
  );
}

/** The confirmation that a sensitive action requires; then it can be repeated. */
export function ConfirmAgain({ onDone }: { onDone: () => void }) {
  const t = factorsWords().confirm;
  return (
    <div class="note">
      <p>{t.again}</p>
      <ConfirmFactor
        onConfirmed={who => {
          setSession(who);
          onDone();
        }}
      />
    </div>
  );
}
