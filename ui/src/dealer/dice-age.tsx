/** How long the dice may still be used, as time and as a bar that runs down. */

import { useNow } from "../live/use";
import type { Equipment } from "../live/view";
import { spanText } from "../staff/span";
import { words } from "../words";

export function DiceAge({ equipment }: { equipment: Equipment }) {
  const say = words().dealer;
  const now = useNow();
  if (equipment.dice === null || equipment.dice_until === null) return null;
  const until = Date.parse(equipment.dice_until);
  const since = Date.parse(equipment.dice.put_in);
  const left = Math.max(0, until - now);
  const text = left === 0 ? say.diceOver : say.diceLeft(spanText(left));
  return (
    <div class={left === 0 ? "age bad" : "age"}>
      <p>{text}</p>
      <meter min={0} max={until - since} low={(until - since) / 12} value={left} aria-label={text} />
    </div>
  );
}
