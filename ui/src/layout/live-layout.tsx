/** The layout of a table as it stands now, to look at: everybody's stakes, lights, lammers, chances. */

import type { BookPage } from "../api/types";
import type { LiveTable } from "../live/table";
import type { Rules, View } from "../live/view";
import { Layout } from "./layout";
import { ruledAreas } from "./model";

export function LiveLayout(props: { live: LiveTable; view: View; rules: Rules; book: BookPage }) {
  const { live, view, rules, book } = props;
  return (
    <Layout
      book={book}
      info={false}
      facility={rules.setup.facility}
      showing={{
        lit: live.lit.value,
        lammers: view.lammers,
        chances: view.chances,
        others: live.areaStakes.value,
        money: rules.money,
        paytables: rules.paytables,
        ruled: ruledAreas(live),
        ...(view.cover === null ? { point: view.point, travelled: { own: {}, others: view.travelled } } : {}),
      }}
    />
  );
}
