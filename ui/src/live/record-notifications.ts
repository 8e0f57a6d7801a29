/** Notifies pages of new entries in a record, so that they reload instead of polling. */

import { useEffect, useRef } from "preact/hooks";
import { Stream } from "./stream";

/** The house's own record: people, approvals, the server. */
export const HOUSE_STREAM = "/api/v1/house/stream";

/** During a flood of entries a page requests no more often than this, in milliseconds. */
const INTERVAL_MIN = 300;

/** The live stream at this address; null to stop. Every new connection notifies, too: something may have been missed. */
export function useRecordNotifications(
  path: string | null,
  onNotify: () => void,
  wanted: (kind: string) => boolean = every,
): void {
  const latest = useRef(onNotify);
  latest.current = onNotify;
  useEffect(() => {
    if (path === null) return;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const notify = (): void => {
      timer ??= setTimeout(() => {
        timer = null;
        latest.current();
      }, INTERVAL_MIN);
    };
    let stream: Stream | null = null;
    // A browser has few connections to a server: a hidden page closes its own.
    const listen = (): void => {
      const seen = document.visibilityState === "visible";
      if (seen === (stream !== null)) return;
      stream?.stop();
      stream = seen ? listening(path, kind => wanted(kind) && notify(), notify) : null;
    };
    listen();
    document.addEventListener("visibilitychange", listen);
    return () => {
      document.removeEventListener("visibilitychange", listen);
      stream?.stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [path]);
}

function listening(path: string, onEntry: (kind: string) => void, onHead: () => void): Stream {
  const stream = new Stream(path, {
    frame: ({ event, id }) => {
      if (event === "head") onHead();
      else if (id !== null) onEntry(event);
    },
    connection: () => undefined,
    after: () => null,
  });
  stream.start();
  return stream;
}

/** Whether an entry of the house is about an act that waits, or waited, for a second person. */
export function isApproval(kind: string): boolean {
  return kind.startsWith("Approval");
}

function every(): boolean {
  return true;
}
