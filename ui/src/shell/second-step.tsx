/** The second step of signing in: confirm with a second factor, or set up the first one. */

import { asProblem } from "../api/problems";
import type { Me } from "../api/types";
import { Button } from "../components/button";
import { toastProblem } from "../components/toasts";
import { factorsWords } from "../i18n/words/factors";
import { EnrolFactor } from "./enrol-factor";
import { ConfirmFactor } from "./second-factor";
import { me, openedUnconfirmed, setSession, signOut } from "./session";

export default function SecondStep() {
  const t = factorsWords();
  const enrols = me.value?.second_factor === "enrol";
  const done = (who: Me): void => {
    if (openedUnconfirmed.peek() && location.pathname !== "/sign-in") location.reload();
    else setSession(who);
  };
  const leave = async (): Promise<void> => {
    try {
      await signOut();
    } catch (thrown) {
      toastProblem(asProblem(thrown));
    }
  };
  return (
    <>
      <h1>{enrols ? t.enrol.title : t.confirm.title}</h1>
      {enrols && <p class="lead">{t.enrol.lead}</p>}
      {enrols ? <EnrolFactor onDone={done} /> : <ConfirmFactor onConfirmed={done} />}
      {!enrols && <p class="soft">{t.confirm.lost}</p>}
      <p class="sign-ways">
        <Button tone="quiet" onClick={() => void leave()}>
          {t.confirm.signOut}
        </Button>
      </p>
    </>
  );
}
