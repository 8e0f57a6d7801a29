/** Dice and their remaining time, inspections and checks, shakers, and failed equipment. */

import { useState } from "preact/hooks";
import { Button } from "../components/button";
import { named } from "../i18n";
import { consoleWords } from "../i18n/words/console";
import { floorWords } from "../i18n/words/floor";
import { isIdle, repairable, thingName } from "../staff/at-table";
import { InspectionWords } from "../staff/book-step-text";
import { DiceForm } from "../staff/dice-form";
import { DiceLeft } from "../staff/dice-left";
import { PointResults } from "../staff/point-results";
import { isSupervisor, roleNames, supervisors } from "../staff/roles";
import { type TakenOut, TakeOutForm } from "../staff/take-out-form";
import type { Desk } from "./console";
import { Checking, type Checklist, Inspecting, type Inspection } from "./inspecting";
import { Panel } from "./panel";
import { Shakers } from "./shakers";

export function EquipmentState({ desk }: { desk: Desk }) {
  const t = consoleWords().dealer;
  const [looking, setLooking] = useState<Inspection | null>(null);
  const [checking, setChecking] = useState<Checklist | null>(null);
  const [fresh, setFresh] = useState(false);
  const [taking, setTaking] = useState(false);
  const { equipment } = desk.staff;
  const put = async (set: string, sealed: boolean): Promise<void> => {
    if (await desk.act({ type: "PutDice", set, sealed }, supervisors(desk.book))) setFresh(false);
  };
  const takeOut = async (taken: TakenOut): Promise<void> => {
    const set = equipment.dice?.set ?? "";
    if (await desk.act({ type: "TakeOutDice", set, ...taken })) setTaking(false);
  };
  const above = isSupervisor(desk.live.id, desk.book);
  const idle = isIdle(desk);
  const has = (kind: string): boolean => Object.values(desk.book.equipment).some(thing => thing.kind === kind);
  const open = equipment.to_inspect.filter(one => one.due).length + equipment.to_check.filter(one => one.due).length;
  return (
    <section class="card equipment">
      <h2>{t.equipment}</h2>
      <ul class="rules">
        {Object.keys(equipment.failed).map(thing => (
          <li key={thing}>
            <strong class="bad">{t.failed(thingName(desk.book, thing))}</strong>
            {above && repairable(desk.book, thing) && (
              <Button
                disabled={desk.busy}
                onClick={() => void desk.act({ type: "Repair", equipment: thing }, supervisors(desk.book))}
              >
                {consoleWords().desk.repair}
              </Button>
            )}
          </li>
        ))}
        {has("dice") && (
          <li>
            <div>
              <strong>
                {equipment.dice !== null
                  ? t.dice(equipment.dice.set)
                  : has("shaker")
                    ? t.noDice
                    : consoleWords().desk.noDiceNamed}
              </strong>
              {equipment.dice !== null && has("shaker") && (
                <span class="soft"> {equipment.dice.sealed ? t.sealed : t.notSealed}</span>
              )}
              {equipment.dice !== null && equipment.dice_until !== null && (
                <p>
                  <DiceLeft since={equipment.dice.first_used || equipment.dice.put_in} until={equipment.dice_until} />
                </p>
              )}
            </div>
            <div class="buttons">
              {equipment.dice !== null && has("shaker") && (
                <Button tone="quiet" disabled={!equipment.dice_movable} onClick={() => setTaking(true)}>
                  {consoleWords().desk.takeOut}
                </Button>
              )}
              {above && (
                <Button disabled={!equipment.dice_movable} onClick={() => setFresh(true)}>
                  {consoleWords().desk.putDice}
                </Button>
              )}
            </div>
          </li>
        )}
        <Shakers desk={desk} idle={idle} />
      </ul>
      {equipment.to_inspect.length + equipment.to_check.length > 0 && (
        <details open={open > 0} class="due-checks">
          <summary>{open === 0 ? consoleWords().desk.allInspected : consoleWords().desk.inspectDue(open)}</summary>
          <ul class="rules">
            {equipment.to_inspect.map(one => (
              <li key={one.id}>
                <div>
                  <strong class={one.result === "failed" ? "bad" : undefined}>
                    {one.result === "failed" ? floorWords().results.failed : one.due ? t.notInspected : t.inspected}
                  </strong>{" "}
                  <span class="clause">{one.clause.join(", ")}</span>
                  <p class="soft">
                    <InspectionWords how={one.how} says={one.says} /> · {t.who(roleNames(desk.book, one.who))}
                  </p>
                </div>
                {one.mine !== null && (
                  <Button
                    aria-label={`${t.inspect}: ${named(one.says)}`}
                    disabled={!idle}
                    onClick={() => setLooking(one)}
                  >
                    {t.inspect}
                  </Button>
                )}
              </li>
            ))}
            {equipment.to_check.map(one => (
              <li key={one.id}>
                <div>
                  <strong>{thingName(desk.book, one.id)}</strong>{" "}
                  <span class={one.result === "failed" ? "bad" : "soft"}>
                    {one.result === "failed" ? floorWords().results.failed : one.due ? t.notChecked : t.checked}
                  </span>{" "}
                  <span class="clause">{one.clause.join(", ")}</span>
                  <PointResults thing={one} />
                </div>
                {above && (
                  <Button
                    aria-label={`${consoleWords().desk.check} ${thingName(desk.book, one.id)}`}
                    onClick={() => setChecking(one)}
                  >
                    {consoleWords().desk.check}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
      <Panel desk={desk} open={looking !== null} title={t.inspect} onClose={() => setLooking(null)}>
        {looking !== null && <Inspecting desk={desk} inspection={looking} onDone={() => setLooking(null)} />}
      </Panel>
      <Panel
        desk={desk}
        open={checking !== null}
        title={checking === null ? "" : `${consoleWords().desk.checkTitle}: ${thingName(desk.book, checking.id)}`}
        onClose={() => setChecking(null)}
      >
        {checking !== null && <Checking desk={desk} thing={checking} onDone={() => setChecking(null)} />}
      </Panel>
      <Panel desk={desk} open={taking} title={consoleWords().desk.takeOut} onClose={() => setTaking(false)}>
        {taking && (
          <TakeOutForm
            busy={desk.busy}
            above={above}
            onTakeOut={taken => void takeOut(taken)}
            onCancel={() => setTaking(false)}
          />
        )}
      </Panel>
      <Panel desk={desk} open={fresh} title={consoleWords().desk.putDice} onClose={() => setFresh(false)}>
        {fresh && (
          <DiceForm desk={desk} onDice={(set, sealed) => void put(set, sealed)} onCancel={() => setFresh(false)} />
        )}
      </Panel>
    </section>
  );
}
