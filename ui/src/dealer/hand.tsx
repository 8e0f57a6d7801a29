/** A hand of craps: the puck, the rolls so far, and the shooter. */

import { useState } from "preact/hooks";
import { Button } from "../components/button";
import { Dice } from "../components/dice";
import { Field } from "../components/field";
import { Puck } from "../components/puck";
import { consoleWords } from "../i18n/words/console";
import { personName } from "../live/names";
import { Person } from "../staff/person";
import { type Desk, hasAct } from "./console";
import { PanelButtons, type PanelProps, PlayerField, PlayerKeys } from "./fields";
import { ActForm } from "./panel";

export function Hand({ desk }: { desk: Desk }) {
  const t = consoleWords().desk;
  if (!hasAct(desk.book, "roll")) return null;
  const { point } = desk.view;
  const { hand, shooter } = desk.staff;
  return (
    <section class="card" aria-label={t.hand}>
      <p class="hand-now">
        <Puck point={point} />
        <span>{point === null ? t.comeOut : t.pointIs(point)}</span>
        {shooter !== null && (
          <span class="hand-shooter">
            <span class="soft">{consoleWords().dealer.shooter}</span>{" "}
            <strong>
              <Person name={shooter} />
            </strong>
          </span>
        )}
      </p>
      {hand.length === 0 ? (
        <p class="soft">{t.noRolls}</p>
      ) : (
        <ol class="called-rolls" aria-label={t.rolls}>
          {hand.map((roll, place) => (
            <li key={place} class={`called-roll called-${roll.call.replace(" ", "-")}`}>
              <Dice faces={roll.dice} size={20} />
              <strong>{roll.dice.reduce((sum, face) => sum + face, 0)}</strong>
              <span>{t.calls[roll.call] ?? roll.call}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** The next shooter: one press for a known player, or for the next along the rail. */
export function NewShooter({ desk }: { desk: Desk }) {
  const t = consoleWords().dealer;
  const [name, setName] = useState("");
  const { offered } = desk.staff;
  const give = (shooter: string): void => void desk.act({ type: "NewShooter", shooter });
  if (offered !== null) {
    return (
      <div class="buttons">
        <Button disabled={desk.busy} onClick={() => void desk.act({ type: "RefuseDice", player: offered })}>
          {consoleWords().desk.refusesDice(personName(offered))}
        </Button>
      </div>
    );
  }
  return (
    <ActForm onGo={() => give(name.trim())}>
      <p>{t.noShooter}</p>
      <PlayerKeys desk={desk} value={name} onValue={give} />
      <div class="act-line">
        <PlayerField desk={desk} label={t.newShooter} value={name} onValue={setName} />
        <Button type="submit" tone="main" disabled={desk.busy || name.trim() === ""}>
          {t.newShooterGo}
        </Button>
      </div>
    </ActForm>
  );
}

/** Calling a no roll. */
export function NoRoll({ desk, onDone }: PanelProps) {
  const t = consoleWords().desk;
  const [text, setText] = useState("");
  const go = async (): Promise<void> => {
    if (await desk.act({ type: "CallNoRoll", words: text })) onDone();
  };
  return (
    <ActForm onGo={() => void go()}>
      <p>{t.noRollHint}</p>
      <fieldset class="quick">
        <legend class="unseen">{t.reason}</legend>
        {t.noRollReasons.map(one => (
          <button key={one} type="button" aria-pressed={one === text} onClick={() => setText(one)}>
            {one}
          </button>
        ))}
      </fieldset>
      <Field label={t.reason} value={text} onValue={setText} maxLength={200} />
      <PanelButtons desk={desk} ready={text.trim() !== ""} name={t.noRollGo} danger onDone={onDone} />
    </ActForm>
  );
}
