/** The idle lock: reports input to the server, which decides, and notices when the server has locked. */

import { api, locked, unwrap } from "../api/client";
import { me, setSession } from "./session";

const INPUT = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"] as const;
const SECOND = 1_000;
/** How often to ask the server whether it has locked the screen, once the time is up. */
const CHECK = 5 * SECOND;

let input = 0;
let sent = 0;
let checked = 0;

/** Follows the person's input while the page is open. */
export function watchInput(): void {
  for (const kind of INPUT) {
    document.addEventListener(
      kind,
      () => {
        if (!locked.peek()) input = Date.now();
      },
      { capture: true, passive: true },
    );
  }
  input = sent = Date.now();
  setInterval(tick, SECOND);
}

function tick(): void {
  const lock = me.peek()?.lock;
  if (!lock || locked.peek()) return;
  const now = Date.now();
  if (input > sent && now - sent >= Math.min(15 * SECOND, lock.minutes * 3 * SECOND)) {
    sent = now;
    void unwrap(api.POST("/api/v1/me/activity")).catch(() => undefined);
  }
  // Another window of the same session may be in use: the server knows.
  if (now - Math.max(input, sent) >= lock.minutes * 60 * SECOND && now - checked >= CHECK) {
    checked = now;
    void unwrap(api.GET("/api/v1/me")).then(
      who => {
        if (who.lock?.locked) setSession(who);
      },
      () => undefined,
    );
  }
}

/** Locks the screen immediately. */
export async function lockScreen(): Promise<void> {
  await unwrap(api.POST("/api/v1/me/lock"));
  locked.value = true;
}
