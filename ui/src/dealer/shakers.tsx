/** The shaker in use, and its replacement: an automated one is put away first, as the book requires. */

import { useState } from "preact/hooks";
import { Button } from "../components/button";
import { Field } from "../components/field";
import { consoleWords } from "../i18n/words/console";
import { exchangeOf, type Shaker } from "../staff/shakers";
import type { Desk } from "./console";

export function Shakers({ desk, idle }: { desk: Desk; idle: boolean }) {
  const t = consoleWords().desk;
  const { equipment } = desk.staff;
  const { known, other, ways, tag, away } = exchangeOf(desk);
  const [name, setName] = useState("");
  if (!known) return null;
  const use = async (shaker: Shaker): Promise<void> => {
    if (await desk.act({ type: "UseShaker", shaker, name: name.trim() })) setName("");
  };
  const own = equipment.shaker as Shaker;
  const named = t.shakers[own] ?? own;
  return (
    <li>
      <div>
        {away === null ? (
          <strong>{t.inUse(tag === "" ? named : `${named} ${tag}`)}</strong>
        ) : (
          <strong class="bad">{t.shakerAway(named, t.shakerStates[away] ?? away)}</strong>
        )}
        {other !== null && !idle && <p class="soft">{t.betweenRounds}</p>}
      </div>
      {idle && (away !== null || (other !== null && ways.length === 0)) && (
        <Field label={t.shakerTag} value={name} onValue={setName} maxLength={60} autocomplete="off" />
      )}
      {away !== null && idle && (
        <Button disabled={desk.busy} onClick={() => void use(own)}>
          {t.bringBack(named)}
        </Button>
      )}
      {other !== null && idle && (
        <div class="buttons shaker-acts">
          {ways.map(how => (
            <Button
              key={how}
              disabled={desk.busy}
              onClick={() => void desk.act({ type: "PutAwayShaker", how, dice_removed: how !== "removed" })}
            >
              {t.putAway}: {t.putAwayWays[how] ?? how}
            </Button>
          ))}
          {ways.length === 0 && (
            <Button disabled={desk.busy} onClick={() => void use(other)}>
              {t.useShaker(t.shakers[other] ?? other)}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}
