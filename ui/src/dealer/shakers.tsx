/** The shaker in use, and another in its place: an automated one is put away first, as the book asks. */

import { Button } from "../components/button";
import { words } from "../words";
import type { Desk } from "./desk";

type Shaker = "manual" | "automated";

export function Shakers({ desk, idle }: { desk: Desk; idle: boolean }) {
  const say = words().desk;
  const { equipment, put_away } = desk.staff;
  const known = Object.values(desk.book.equipment).flatMap(thing =>
    thing.kind === "shaker" && thing.shaker != null ? [thing.shaker as Shaker] : [],
  );
  const others = known.filter(one => one !== equipment.shaker);
  if (known.length === 0) return null;
  return (
    <li>
      <div>
        <strong>{say.inUse(say.shakers[equipment.shaker] ?? equipment.shaker)}</strong>
        {others.length > 0 && !idle && <p class="soft">{say.betweenRounds}</p>}
      </div>
      {others.length > 0 && idle && (
        <div class="buttons shaker-acts">
          {put_away.map(how => (
            <Button
              key={how}
              disabled={desk.busy}
              onClick={() => void desk.act({ type: "PutAwayShaker", how, dice_removed: how !== "removed" })}
            >
              {say.putAway}: {say.putAwayWays[how] ?? how}
            </Button>
          ))}
          {others.map(shaker => (
            <Button key={shaker} disabled={desk.busy} onClick={() => void desk.act({ type: "UseShaker", shaker })}>
              {say.useShaker(say.shakers[shaker] ?? shaker)}
            </Button>
          ))}
        </div>
      )}
    </li>
  );
}
