/** The last results in one line, with the most and least frequent totals: always visible if the roads are not. */

import type { BookPage } from "../../api/types";
import { totalOf } from "../../components/dice";
import { playWords } from "../../i18n/words/play";
import type { PastRound } from "../../live/past-rounds";
import { hotAndCold } from "./frequencies";
import { Marks, throwsOf } from "./history";
import { roadsOf } from "./roads";

const RESULTS_MAX = 24;

export function RoadStrip({ book, rounds }: { book: BookPage; rounds: readonly PastRound[] }) {
  const t = playWords().seat;
  const thrown = throwsOf(rounds);
  const { hot, cold } = hotAndCold(
    thrown.map(one => one.dice),
    book.identity.dice,
  );
  const roads = roadsOf(book).slice(0, 1);
  return (
    <div class="road-strip">
      {hot.length + cold.length > 0 && (
        <p class="road-few">
          <span class="soft">{t.hot}</span> {hot.map(one => one.total).join(" ") || "–"}{" "}
          <span class="soft">{t.cold}</span> {cold.map(one => one.total).join(" ") || "–"}
        </p>
      )}
      <ol aria-label={playWords().play.history}>
        {thrown.slice(0, RESULTS_MAX).map((one, index) => (
          <li key={index}>
            <b>{totalOf(one.dice)}</b>
            <Marks thrown={one} roads={roads} book={book} />
          </li>
        ))}
      </ol>
    </div>
  );
}
