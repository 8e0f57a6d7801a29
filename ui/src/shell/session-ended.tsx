/** Shown when the session has ended while a page is open: the page stays, and the person can sign in again on it. */

import { useEffect, useState } from "preact/hooks";
import { sessionEnded } from "../api/client";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { toastDone } from "../components/toasts";
import { words } from "../i18n";
import { address } from "./router";
import { me, setSession } from "./session";
import { PasswordSignIn } from "./sign-in-form";

export function SessionEnded({ path }: { path: string }) {
  const t = words().shell;
  const [open, setOpen] = useState(false);
  const over = sessionEnded.value && path !== "/sign-in" && !me.value?.second_factor;
  useEffect(() => {
    // A toast behind an open dialog could be read, but not pressed.
    setOpen(over && document.querySelector("dialog[open]") !== null);
  }, [over]);
  return (
    <>
      {over && (
        <div class="note note-bad ended" role="alert">
          <p>{t.ended}</p>
          <Button tone="main" onClick={() => setOpen(true)}>
            {t.signInAgain}
          </Button>
        </div>
      )}
      <Dialog open={open} title={t.signInAgain} onClose={() => setOpen(false)}>
        <div class="act-form">
          <p>{t.endedStays}</p>
          <PasswordSignIn
            known={me.value?.name ?? ""}
            onEntered={who => {
              setSession(who);
              setOpen(false);
              toastDone(t.backIn);
            }}
          />
          <p>
            <a href={address`/sign-in?to=${path}`} onClick={() => setOpen(false)}>
              {t.otherWays}
            </a>
          </p>
        </div>
      </Dialog>
    </>
  );
}
