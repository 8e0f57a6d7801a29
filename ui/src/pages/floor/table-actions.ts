/** The commands of a table's page: each in a role of the person that may give it. */

import { useState } from "preact/hooks";
import { asProblem } from "../../api/problems";
import type { Command, Setup } from "../../api/types";
import { toastDone, toastProblem } from "../../components/toasts";
import { floorWords } from "../../i18n/words/floor";
import { sendCommand } from "../../live/commands";
import type { LiveTable } from "../../live/table";
import type { AtTable } from "../../staff/at-table";

export interface FloorDesk extends AtTable {
  busy: boolean;
  /** Whether the signed-in person may ever give such a command here. */
  may: (command: Command["type"]) => boolean;
  act: (command: Command, role?: string | null) => Promise<boolean>;
}

type Acting = Pick<FloorDesk, "busy" | "act">;

/** Commands for what the screen shows; an automatic table advances all the time, so its step is not sent. */
export function useFloorActing(live: LiveTable): Acting {
  const [busy, setBusy] = useState(false);
  const seen = live.view.value;
  const staff = live.staff.value;
  const act = async (command: Command, role?: string | null): Promise<boolean> => {
    const acting = role ?? staff?.may[command.type];
    if (busy || seen === null) return false;
    setBusy(true);
    try {
      const done = await sendCommand(live.id, command, {
        ...(acting === undefined ? {} : { role: acting }),
        ...(seen.automatic === undefined ? { seen } : {}),
      });
      if (done.approval) toastDone(floorWords().parked);
      return true;
    } catch (thrown) {
      toastProblem(asProblem(thrown));
      return false;
    } finally {
      live.refresh();
      setBusy(false);
    }
  };
  return { busy, act };
}

/** The set-up in force. */
export function setupIn(desk: Pick<FloorDesk, "rules">): Setup {
  return desk.rules.setup as Setup;
}
