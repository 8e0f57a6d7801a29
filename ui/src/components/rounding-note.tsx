/** How the net of a settled bet was rounded, beside its amount; nothing if it is exact. */

import { playWords } from "../i18n/words/play";
import type { Line } from "../live/view";
import { exactText } from "../money/amounts";

export function roundedWords(line: Pick<Line, "exact" | "favour">, money: string): string {
  if (!line.exact || !line.favour) return "";
  return playWords().play.rounded[line.favour](exactText(line.exact, money));
}

export function Rounded({ line, money }: { line: Pick<Line, "exact" | "favour">; money: string }) {
  const says = roundedWords(line, money);
  return says === "" ? null : <small class="soft"> {says}</small>;
}
