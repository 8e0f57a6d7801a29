/** How wagers of a past round were settled, line by line. */

import type { BookPage } from "../../api/types";
import { Amount } from "../../components/amount";
import { wagersOf } from "../../layout/model";
import type { Line } from "../../live/view";
import { oddsWords } from "../../money/odds";
import { address } from "../../shell/router";
import { named } from "../../words";

interface RecalledLinesProps {
  lines: readonly Line[];
  book: BookPage;
  money: string;
  caption: string;
  /** Whose a line is; left out where all are one's own. */
  player?: (line: Line) => string;
}

export function RecalledLines({ lines, book, money, caption, player }: RecalledLinesProps) {
  const wagers = wagersOf(book);
  return (
    <div class="recall-scroll">
      <table class="recall-lines">
        <caption>{caption}</caption>
        <tbody>
          {lines.map(line => {
            const wager = wagers.get(line.wager);
            return (
              <tr key={line.bet}>
                {player && <td>{player(line)}</td>}
                <th scope="row">{wager ? named(wager.name) : line.wager}</th>
                <td class="figure">
                  <Amount minor={line.stake} money={money} />
                </td>
                <td>{oddsWords(line.pays)}</td>
                <td class="figure">
                  <Amount minor={line.net} money={money} signed />
                </td>
                <td>
                  <a class="clause" href={`${address`/books/${book.book}`}#register`}>
                    {line.clauses?.join(", ")}
                  </a>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
