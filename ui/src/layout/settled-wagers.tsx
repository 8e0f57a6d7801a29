/** How bets were settled, row by row: area, stake, odds, result, and clauses. */

import type { ComponentChildren } from "preact";
import type { BookPage } from "../api/types";
import { Amount } from "../components/amount";
import { Rounded } from "../components/rounding-note";
import type { Line } from "../live/view";
import { oddsWords } from "../money/odds";
import { address } from "../shell/router";
import { areaName } from "./model";

interface SettledRowsProps {
  lines: readonly Line[];
  book: BookPage;
  money: string;
  /** The owner of each line; left out if all are one's own. */
  player?: ((line: Line) => ComponentChildren) | undefined;
}

export function SettledRows({ lines, book, money, player }: SettledRowsProps) {
  return (
    <tbody>
      {lines.map(line => (
        <tr key={line.bet}>
          {player && <td>{player(line)}</td>}
          <th scope="row">{areaName(book, line.wager)}</th>
          <td class="figure">
            <Amount minor={line.stake} money={money} />
          </td>
          <td>{line.net < 0 ? "" : oddsWords(line.pays)}</td>
          <td class="figure">
            <Amount minor={line.net} money={money} signed />
            <Rounded line={line} money={money} />
          </td>
          <td>
            <a class="clause" href={`${address`/books/${book.book}`}#register`}>
              {line.clauses?.join(", ")}
            </a>
          </td>
        </tr>
      ))}
    </tbody>
  );
}
