/** The most that one's own bets could win together, as computed by the server. */

import { useEffect, useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import type { LiveTable } from "../../live/table";
import type { View } from "../../live/view";

/** Clicks within this time are one request. */
const MOMENT = 300;

/** Null while unknown; requested whenever one's bets change, and at craps with every roll. */
export function useMaxWin(live: LiveTable, view: View): number | null {
  const bets = live.mine.value?.bets ?? [];
  const lying = bets.map(bet => `${bet.id} ${bet.amount} ${bet.point}`).join();
  const [found, setFound] = useState<{ about: string; most: number } | null>(null);
  const about = `${lying} ${view.point} ${JSON.stringify(view.lammers)}`;
  useEffect(() => {
    if (lying === "") return;
    let wanted = true;
    const timer = setTimeout(() => {
      const params = { path: { table: live.id } };
      unwrap(api.GET("/api/v1/tables/{table}/prospect", { params })).then(
        ({ most }) => wanted && setFound({ about, most }),
        () => wanted && setFound(null),
      );
    }, MOMENT);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [about]);
  if (lying === "") return 0;
  return found?.about === about ? found.most : null;
}
