/** The dice and how long they may still be used, inspections, and what has failed; who deals. */

import { useEffect, useState } from "preact/hooks";
import { api, told } from "../api/client";
import { asProblem } from "../api/problems";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { toastProblem } from "../components/toasts";
import { Layout } from "../layout/layout";
import { serverNow } from "../live/clock";
import type { Equipment as Things } from "../live/view";
import { me } from "../shell/session";
import { named, words } from "../words";
import { inspectionInChinese } from "../words/server";
import { type Desk, roleNames } from "./desk";
import { DiceKeys } from "./keypad";
import { InspectionWords } from "./said";

const MINUTE = 60_000;

type Inspection = Things["to_inspect"][number];

export function EquipmentState({ desk }: { desk: Desk }) {
  const say = words().dealer;
  const [looking, setLooking] = useState<Inspection | null>(null);
  const { equipment, dealer } = desk.staff;
  const own = me.value?.name;
  const has = (kind: string): boolean => Object.values(desk.book.equipment).some(thing => thing.kind === kind);
  return (
    <section class="card">
      <h2>{say.equipment}</h2>
      <ul class="rules">
        {has("dice") && (
          <li>
            <div>
              <strong>{equipment.dice === null ? say.noDice : say.dice(equipment.dice.set)}</strong>
              {equipment.dice !== null && (
                <span class="soft"> {equipment.dice.sealed ? say.sealed : say.notSealed}</span>
              )}
              <DiceAge equipment={equipment} />
            </div>
          </li>
        )}
        {Object.keys(equipment.failed).map(thing => (
          <li key={thing} class="bad">
            <strong>{say.failed(thingName(desk, thing))}</strong>
          </li>
        ))}
        {equipment.to_inspect.map(one => {
          const done = !one.due;
          const may = one.mine !== null;
          return (
            <li key={one.id}>
              <div>
                <strong>{done ? say.inspected : say.notInspected}</strong>{" "}
                <span class="clause">{one.clause.join(", ")}</span>
                <p class="soft">
                  <InspectionWords how={one.how} says={one.says} />
                </p>
                <p class="soft">{say.who(roleNames(desk.book, one.who))}</p>
              </div>
              {may && (
                <Button
                  aria-label={`${say.inspect}: ${inspectionInChinese(one.how) ?? one.says}`}
                  onClick={() => setLooking(one)}
                >
                  {say.inspect}
                </Button>
              )}
            </li>
          );
        })}
        {equipment.to_check.map(one => (
          <li key={one.id}>
            <div>
              <strong>{thingName(desk, one.id)}</strong>{" "}
              <span class="soft">{equipment.checked.includes(one.id) ? say.checked : say.notChecked}</span>{" "}
              <span class="clause">{one.clause.join(", ")}</span>
            </div>
          </li>
        ))}
      </ul>
      {has("shaker") && <p class="soft">{dealer === null ? say.nobodyDeals : say.dealing(dealer)}</p>}
      {has("shaker") && dealer !== own && (
        <Button disabled={desk.busy} onClick={() => void desk.act({ type: "TakeOver" })}>
          {say.takeOver}
        </Button>
      )}
      <Dialog open={looking !== null} title={say.inspect} onClose={() => setLooking(null)}>
        {looking !== null && <Inspecting desk={desk} inspection={looking} onDone={() => setLooking(null)} />}
      </Dialog>
    </section>
  );
}

function thingName(desk: Desk, thing: string): string {
  const found = desk.book.equipment[thing];
  return found === undefined ? thing : named(found.name);
}

/** How long the dice may still be used, as time and as a bar that runs down. */
function DiceAge({ equipment }: { equipment: Things }) {
  const say = words().dealer;
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), MINUTE / 4);
    return () => clearInterval(timer);
  }, []);
  if (equipment.dice === null || equipment.dice_until === null) return null;
  const until = Date.parse(equipment.dice_until);
  const since = Date.parse(equipment.dice.put_in);
  const left = Math.max(0, until - now);
  const minutes = Math.floor(left / MINUTE);
  const text = left === 0 ? say.diceOver : say.diceLeft(say.hours(Math.floor(minutes / 60), minutes % 60));
  return (
    <div class={left === 0 ? "age bad" : "age"}>
      <p>{text}</p>
      <meter min={0} max={until - since} low={(until - since) / 12} value={left} aria-label={text} />
    </div>
  );
}

/** Values are entered, and the areas that must light up are shown, to be held against the layout. */
function Inspecting({ desk, inspection, onDone }: { desk: Desk; inspection: Inspection; onDone: () => void }) {
  const say = words().dealer;
  const values = inspection.how === "enter three values";
  const count = desk.book.identity.dice;
  const [faces, setFaces] = useState<readonly number[]>([]);
  const [lit, setLit] = useState<readonly string[] | null>(null);
  const [differing, setDiffering] = useState<readonly string[]>([]);
  const whole = faces.length === count;
  useEffect(() => {
    setLit(null);
    setDiffering([]);
    if (!whole) return;
    mustLight(desk, faces).then(setLit, thrown => toastProblem(asProblem(thrown)));
  }, [faces.join()]);
  const seen = new Set(lit ?? []);
  for (const wager of differing) if (!seen.delete(wager)) seen.add(wager);
  const toggle = (wager: string): void =>
    setDiffering(before => (before.includes(wager) ? before.filter(one => one !== wager) : [...before, wager]));
  const go = (): void => {
    const found = values ? { entered: [...faces], lit: [...seen] } : { proper: inspection.times };
    void desk.act({ type: "Inspect", inspection: inspection.id, ...found }, inspection.who).then(onDone);
  };
  return (
    <div class="calling">
      <p>
        <InspectionWords how={inspection.how} says={inspection.says} />{" "}
        <span class="clause">{say.clause(inspection.clause.join(", "))}</span>
      </p>
      {values && <DiceKeys faces={faces} count={count} onFaces={setFaces} />}
      {values && lit !== null && (
        <>
          <p>{say.mustLight}</p>
          <Layout
            book={desk.book}
            showing={{ lit: seen, paytables: desk.rules.paytables }}
            info={false}
            onBet={toggle}
            onTakeOff={toggle}
          />
        </>
      )}
      <div class="buttons">
        <Button
          tone={differing.length > 0 ? "danger" : "main"}
          busy={desk.busy}
          disabled={values && lit === null}
          onClick={go}
        >
          {!values ? say.proper(inspection.times) : differing.length > 0 ? say.otherLit : say.allLit}
        </Button>
        <Button onClick={onDone}>{words().dialog.cancel}</Button>
      </div>
    </div>
  );
}

/** What the device must light, as the server works it out. */
async function mustLight(desk: Desk, faces: readonly number[]): Promise<readonly string[]> {
  const { book, digest, readings, options } = desk.rules.setup;
  const paytables = Object.fromEntries(
    Object.entries(desk.rules.paytables).flatMap(([wager, table]) => (table === null ? [] : [[wager, table]])),
  );
  const body = { dice: [...faces], digest, readings: readings ?? {}, options: options ?? {}, paytables };
  const found = await told(
    api.POST("/api/v1/books/{book_id}/illuminate", { params: { path: { book_id: book } }, body }),
  );
  return found.wins;
}
