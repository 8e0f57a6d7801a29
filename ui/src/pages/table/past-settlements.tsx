/** How bets of a past round were settled, line by line. */

import type { BookPage } from "../../api/types";
import { SettledRows } from "../../layout/settled-wagers";
import type { Line } from "../../live/view";

interface SettlementLinesProps {
  lines: readonly Line[];
  book: BookPage;
  money: string;
  caption: string;
  /** The owner of each line; left out if all are one's own. */
  player?: (line: Line) => string;
}

export function SettlementLines({ lines, book, money, caption, player }: SettlementLinesProps) {
  return (
    <div class="recall-scroll">
      <table class="recall-lines">
        <caption>{caption}</caption>
        <SettledRows lines={lines} book={book} money={money} player={player} />
      </table>
    </div>
  );
}
