/** The table of a page, for as long as the page is shown. */

import { useEffect, useRef, useState } from "preact/hooks";
import { sessionEnded } from "../api/client";
import { me } from "../shell/session";
import { serverNow } from "./clock";
import { LiveTable } from "./table";

/** Restarts when the table or the signed-in person changes, because each sees different data. */
export function useLiveTable(id: string): LiveTable {
  const who = me.value?.name ?? null;
  const [live, setLive] = useState(() => new LiveTable(id));
  useEffect(() => {
    const next = new LiveTable(id);
    setLive(next);
    void next.start();
    return () => next.stop();
  }, [id, who]);
  const lost = sessionEnded.value;
  const before = useRef(lost);
  useEffect(() => {
    if (before.current && !lost) live.reconnect();
    before.current = lost;
  }, [lost, live]);
  return live;
}

const LOOK = 15_000;

/** The server's clock, read a few times per minute. */
export function useNow(): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), LOOK);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Whole seconds until a time of the server's clock; null without one. */
export function useSecondsLeft(until: number | null): number | null {
  const [left, setLeft] = useState<number | null>(null);
  useEffect(() => {
    if (until === null) {
      setLeft(null);
      return;
    }
    const look = (): void => setLeft(Math.max(0, Math.ceil((until - serverNow()) / 1000)));
    look();
    const timer = setInterval(look, 200);
    return () => clearInterval(timer);
  }, [until]);
  return left;
}
