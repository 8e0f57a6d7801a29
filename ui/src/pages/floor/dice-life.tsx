/** The dice in a shaker, and how long they may still be used. */

import { useNow } from "../../live/use";
import { spanText } from "../../staff/span";
import { words } from "../../words";

interface DiceInUse {
  set: string;
  put_in: string;
  until: string | null;
}

/** One line and a bar that runs down; nothing to run down where the book sets no time. */
export function DiceLife({ dice }: { dice: DiceInUse | null }) {
  const say = words().floor;
  const now = useNow();
  if (dice === null) return <span class="bad">{say.noDice}</span>;
  const since = Date.parse(dice.put_in);
  if (dice.until === null) {
    return (
      <>
        {dice.set} <span class="soft">{say.diceSince(spanText(now - since))}</span>
      </>
    );
  }
  const until = Date.parse(dice.until);
  const left = Math.max(0, until - now);
  const text = left === 0 ? say.diceOver : say.diceLeft(spanText(left));
  return (
    <span class={left === 0 ? "life bad" : "life"}>
      {dice.set} <span class={left === 0 ? undefined : "soft"}>{text}</span>
      <meter min={0} max={until - since} low={(until - since) / 12} value={left} aria-label={text} />
    </span>
  );
}
