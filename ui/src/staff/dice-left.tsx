/** The remaining time of dice, as text and as a bar that runs down. */

import { floorWords } from "../i18n/words/floor";
import { useNow } from "../live/use-table";
import { spanText } from "./durations";

export function DiceLeft({ since, until }: { since: string; until: string }) {
  const t = floorWords();
  const [end, whole] = [Date.parse(until), Date.parse(until) - Date.parse(since)];
  const left = Math.max(0, end - useNow());
  const text = left === 0 ? t.diceOver : t.diceLeft(spanText(left));
  return (
    <span class={left === 0 ? "life bad" : "life"}>
      <span class={left === 0 ? undefined : "soft"}>{text}</span>
      <meter min={0} max={whole} low={whole / 12} value={left} aria-label={text} />
    </span>
  );
}
