/** The exact figures of every bet: percentages, with fractions on hover or for the whole table. */

import { useMemo, useState } from "preact/hooks";
import type { BookPage, Figure, WagerFigures } from "../../api/types";
import { type Column, Figures } from "../../components/figures";
import { named } from "../../i18n";
import { booksWords } from "../../i18n/words/books";
import { wagersOf } from "../../layout/model";
import { percentage, rounded } from "../../money/figures";
import { printedOdds } from "../../money/odds";

interface FigureTableProps {
  book: BookPage;
  figures: readonly WagerFigures[];
  onWager: (wager: string) => void;
}

export function FigureTable({ book, figures, onWager }: FigureTableProps) {
  const t = booksWords().analysis;
  const [exact, setExact] = useState(false);
  const columns = useMemo((): Column<WagerFigures>[] => {
    const wagers = wagersOf(book);
    const name = (one: WagerFigures): string => {
      const wager = wagers.get(one.wager);
      return wager ? named(wager.name) : one.wager;
    };
    const odds = (one: WagerFigures): string => {
      const wager = wagers.get(one.wager);
      return wager ? printedOdds(wager, one.paytable) : "";
    };
    const figure = (
      id: string,
      title: string,
      of: (one: WagerFigures) => Figure,
      format: (value: number) => string,
    ): Column<WagerFigures> => ({
      id,
      name: title,
      kind: "figure",
      value: one => of(one).value,
      show: one => (exact ? of(one).exact : format(of(one).value)),
      hint: one => (exact ? format(of(one).value) : of(one).exact),
    });
    const breakEven = (one: WagerFigures): Figure | null => {
      const all = Object.values(one.break_even);
      return all.length === 1 ? (all[0] ?? null) : null;
    };
    const tables = figures.some(one => one.paytable !== null);
    const pushes = figures.some(one => one.push_probability.value > 0);
    const rolls = figures.some(one => one.expected_rolls.value !== 1);
    return [
      {
        id: "wager",
        name: t.wager,
        value: name,
        show: one => (
          <button type="button" class="link" onClick={() => onWager(one.wager)}>
            {name(one)}
          </button>
        ),
      },
      ...(tables ? [{ id: "paytable", name: t.paytable, value: (one: WagerFigures) => one.paytable }] : []),
      { id: "pays", name: t.pays, value: odds },
      figure("chance", t.chance, one => one.win_probability, percentage),
      ...(pushes ? [figure("push", t.push, one => one.push_probability, percentage)] : []),
      {
        ...figure("edge", t.edge, one => one.house_edge, percentage),
        show: one => <strong>{exact ? one.house_edge.exact : percentage(one.house_edge.value)}</strong>,
      },
      {
        id: "deviation",
        name: t.deviation,
        kind: "figure",
        value: one => one.standard_deviation,
        show: one => (exact ? `√(${one.variance.exact})` : rounded(one.standard_deviation, 3)),
        hint: one => `√(${one.variance.exact})`,
      },
      ...(rolls
        ? [
            figure(
              "rolls",
              t.rolls,
              one => one.expected_rolls,
              value => rounded(value, 2),
            ),
            figure("per-roll", t.perRoll, one => one.edge_per_roll, percentage),
          ]
        : []),
      {
        id: "break-even",
        name: t.breakEven,
        kind: "figure",
        value: one => breakEven(one)?.value ?? null,
        show: one => {
          const found = breakEven(one);
          return found === null ? "–" : t.toOne(exact ? found.exact : rounded(found.value, 2));
        },
        hint: one => breakEven(one)?.exact,
      },
    ];
  }, [book, figures, exact, t, onWager]);
  return (
    <>
      <fieldset class="switch">
        <legend class="unseen">{t.shownAs}</legend>
        <button type="button" aria-pressed={!exact} onClick={() => setExact(false)}>
          {t.percent}
        </button>
        <button type="button" aria-pressed={exact} onClick={() => setExact(true)}>
          {t.exact}
        </button>
      </fieldset>
      <Figures
        caption={t.table}
        columns={columns}
        rows={figures}
        rowKey={one => `${one.wager} ${one.paytable}`}
        file={`${book.book}-figures`}
        data={figures}
      />
    </>
  );
}
