/** The dice in a shaker, and their remaining time. */

import { floorWords } from "../../i18n/words/floor";
import { useNow } from "../../live/use-table";
import { DiceLeft } from "../../staff/dice-left";
import { spanText } from "../../staff/durations";

interface DiceInUse {
  set: string;
  put_in: string;
  until: string | null;
}

/** One line and a bar that runs down; no bar if the book sets no limit. */
export function DiceLife({ dice }: { dice: DiceInUse | null }) {
  const t = floorWords();
  const now = useNow();
  if (dice === null) return <span class="bad">{t.noDice}</span>;
  return (
    <>
      {dice.set}{" "}
      {dice.until === null ? (
        <span class="soft">{t.diceSince(spanText(now - Date.parse(dice.put_in)))}</span>
      ) : (
        <DiceLeft since={dice.put_in} until={dice.until} />
      )}
    </>
  );
}
