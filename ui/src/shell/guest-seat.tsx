/** Playing with one click: a guest seat with play money, if the house lets visitors register. */

import { api, unwrap } from "../api/client";
import { useRequest } from "../api/use-request";
import { Button } from "../components/button";
import { ProblemNote } from "../components/problem-note";
import { playWords } from "../i18n/words/play";
import { address, go } from "./router";
import { me, setSession } from "./session";
import { useAttempt } from "./sign-in-form";

/** Whether the viewer may play as a guest: nobody is signed in, and the house lets visitors register. */
export function useGuestsWelcome(): boolean {
  const nobody = me.value === null;
  const { response } = useRequest(() => (nobody ? unwrap(api.GET("/api/v1/policy")) : Promise.resolve(null)), [nobody]);
  return nobody && response.state === "loaded" && response.data?.registration === true;
}

export function GuestSeat({ table }: { table: string }) {
  const { busy, problem, attempt } = useAttempt(guest => {
    setSession(guest);
    go(address`/tables/${table}`);
  });
  return (
    <>
      <Button
        tone="main"
        busy={busy}
        onClick={() => void attempt(() => unwrap(api.POST("/api/v1/guest", { body: { table } })))}
      >
        {playWords().guest.sit}
      </Button>
      {problem && <ProblemNote problem={problem} />}
    </>
  );
}
