/** The bets of a table with their terms, as a table of figures. */

import { useMemo } from "preact/hooks";
import type { WagerEntry } from "../../api/types";
import { type Column, Figures } from "../../components/figures";
import { locale, named } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import { percentage } from "../../money/figures";
import { printedOdds } from "../../money/odds";
import { limitText } from "./draft";
import { choicesIn, edgeOf, useEdges } from "./edges";
import { type FloorDesk, setupIn } from "./table-actions";

/** Every bet with its odds, limits, edge and clause. */
export function WagerTerms({ desk }: { desk: FloorDesk }) {
  const t = floorWords();
  const { book, rules } = desk;
  const chosen = choicesIn(setupIn(desk));
  const figures = useEdges(book, chosen.options);
  const lang = locale.value;
  const columns = useMemo<Column<WagerEntry>[]>(() => {
    const edge = (wager: WagerEntry) => (figures === null ? undefined : edgeOf(figures, book, wager, chosen));
    const limit = (wager: WagerEntry) => rules.limits[wager.wager];
    const pays = (wager: WagerEntry): string => printedOdds(wager, rules.paytables[wager.wager]);
    return [
      { id: "wager", name: t.wager, value: wager => named(wager.name) },
      { id: "pays", name: t.pays, value: pays },
      {
        id: "limits",
        name: t.limits,
        kind: "figure",
        value: wager => limit(wager)?.stake_max ?? null,
        show: wager => {
          const found = limit(wager);
          return found === undefined ? t.dash : limitText(found, rules.money, lang);
        },
      },
      {
        id: "edge",
        name: t.edge,
        kind: "figure",
        value: wager => edge(wager)?.value ?? null,
        show: wager => {
          const found = edge(wager);
          return found === undefined ? t.dash : percentage(found.value);
        },
        hint: wager => edge(wager)?.exact,
      },
      { id: "clause", name: t.clause, value: wager => wager.clauses.join(", ") },
    ];
  }, [figures, book, rules, lang]);
  return (
    <section class="card">
      <h2>{t.termsWagers}</h2>
      <Figures
        caption={t.termsWagers}
        columns={columns}
        rows={book.wagers}
        rowKey={wager => wager.wager}
        file={`${desk.live.id}-terms`}
      />
    </section>
  );
}
