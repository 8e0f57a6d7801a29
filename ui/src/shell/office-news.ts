/** Pending approvals and alarms of all tables, requested once and shown in the header and on the floor. */

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, unwrap } from "../api/client";
import { usePolling } from "../api/polling";
import type { AlarmInfo } from "../api/types";
import { latestData } from "../api/use-request";
import { me, oversees } from "./session";

const APPROVALS_EVERY = 10_000;
const ALARMS_EVERY = 30_000;

export interface OfficeNews {
  /** Approvals that the person may give. */
  approvals: number;
  /** Those that the signed-in person may give. */
  yours: number;
  /** Empty unless the person oversees the house. */
  alarms: readonly AlarmInfo[];
}

export const officeNews = signal<OfficeNews>({ approvals: 0, yours: 0, alarms: [] });

/** Keeps the news up to date while the caller is mounted. */
export function useOfficeNews(): OfficeNews {
  const sees = oversees.value;
  const who = me.value?.name;
  const waiting = usePolling(() => unwrap(api.GET("/api/v1/approvals")), APPROVALS_EVERY, [who]);
  const raised = usePolling(() => (sees ? unwrap(api.GET("/api/v1/alarms")) : Promise.resolve(null)), ALARMS_EVERY, [
    who,
    sees,
  ]);
  const approvals = latestData(waiting.response)?.approvals;
  const alarms = latestData(raised.response)?.alarms;
  useEffect(() => {
    officeNews.value = {
      approvals: approvals?.length ?? 0,
      yours: approvals?.filter(one => one.yours).length ?? 0,
      alarms: alarms ?? [],
    };
  }, [approvals, alarms]);
  return officeNews.value;
}
