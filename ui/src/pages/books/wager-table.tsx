/** All bets of a book: when each wins, its odds and its clause. */

import { useMemo, useState } from "preact/hooks";
import type { BookPage, WagerEntry } from "../../api/types";
import { Choice } from "../../components/field";
import { type Column, Figures } from "../../components/figures";
import { named } from "../../i18n";
import { booksWords } from "../../i18n/words/books";
import { oddsWords, payTable } from "../../money/odds";

/** The rows of a bet that don't simply lose. */
export function payingRows(wager: WagerEntry, paytable?: string | null): { row: string; pays: string }[] {
  const table = payTable(wager, paytable);
  return wager.rows.flatMap(row => {
    const pays = table?.pays[row];
    return pays !== undefined && (table?.gains[row]?.value ?? -1) > -1 ? [{ row, pays: oddsWords(pays) }] : [];
  });
}

export function WagerTable({ book }: { book: BookPage }) {
  const t = booksWords().books;
  const [chosen, setChosen] = useState<Record<string, string>>({});
  const groups = Object.entries(book.groups).filter(([, group]) => group.paytables.length > 1);
  const columns = useMemo((): Column<WagerEntry>[] => {
    const tableOf = (wager: WagerEntry): string | undefined => chosen[wager.group ?? ""];
    const rows = (wager: WagerEntry) => payingRows(wager, tableOf(wager));
    return [
      { id: "wager", name: t.wager, value: one => named(one.name), show: one => <strong>{named(one.name)}</strong> },
      {
        id: "wins", // on the same line as its pay: in separate cells, long conditions would end up beside other pays
        name: `${t.wins} · ${t.pays}`,
        value: one =>
          rows(one)
            .map(({ row, pays }) => `${one.wins[row]}: ${pays}`)
            .join("; "),
        show: one => (
          <ul class="book-lines">
            {rows(one).map(({ row, pays }) => (
              <li key={row}>
                {one.wins[row]} · <strong>{pays}</strong>
              </li>
            ))}
          </ul>
        ),
      },
      {
        id: "clause",
        name: t.clause,
        value: one => one.clauses.join(", "),
        show: one => <span class="clause">{one.clauses.join(", ")}</span>,
      },
    ];
  }, [t, chosen]);
  return (
    <>
      {groups.length > 0 && (
        <div class="choices">
          {groups.map(([id, group]) => (
            <Choice
              key={id}
              label={t.paytableOf(named(group.name))}
              value={chosen[id] ?? group.paytables[0] ?? ""}
              options={group.paytables.map(one => ({ value: one, name: one }))}
              onValue={value => setChosen({ ...chosen, [id]: value })}
            />
          ))}
        </div>
      )}
      <Figures
        caption={t.wagersTitle}
        columns={columns}
        rows={book.wagers}
        rowKey={one => one.wager}
        file={`${book.book}-wagers`}
      />
    </>
  );
}
