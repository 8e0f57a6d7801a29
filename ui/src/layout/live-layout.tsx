/** The current layout of a table, read-only: everyone's stakes, lights, lammers, chances. */

import type { BookPage } from "../api/types";
import type { LiveTable } from "../live/table";
import type { Rules, View } from "../live/view";
import { Layout, type LayoutProps } from "./layout";
import { ruledAreas } from "./model";

interface LiveLayoutProps extends Pick<LayoutProps, "paged" | "onBet" | "enter"> {
  live: LiveTable;
  view: View;
  rules: Rules;
  book: BookPage;
  /** The area chosen for a bet. */
  chosen?: string | null;
}

export function LiveLayout({ live, view, rules, book, chosen = null, ...more }: LiveLayoutProps) {
  return (
    <Layout
      {...more}
      book={book}
      info={false}
      facility={more.paged ? undefined : rules.setup.facility}
      showing={{
        lit: live.lit.value,
        lammers: view.lammers,
        chances: view.chances,
        others: live.areaStakes.value,
        money: rules.money,
        paytables: rules.paytables,
        ruled: ruledAreas(live),
        chosen,
        ...(view.cover === null ? { point: view.point, travelled: { own: {}, others: view.travelled } } : {}),
      }}
    />
  );
}
