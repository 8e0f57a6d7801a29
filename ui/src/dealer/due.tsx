/** The one step that is due: the largest thing on the screen, taken by Enter. */

import { useEffect, useState } from "preact/hooks";
import type { Command } from "../api/types";
import { Button } from "../components/button";
import { Dice } from "../components/dice";
import { Choice } from "../components/field";
import type { Staff, Step } from "../live/view";
import { words } from "../words";
import { type Desk, dueStep, others, roleName, roleNames, workingRoles } from "./desk";
import { DiceKeys } from "./keypad";
import { useKeys } from "./keys";
import { Called, StepWords } from "./said";

const WITH_DICE = new Set(["announce dice", "enter dice", "roll"]);

export function DueStep({ desk }: { desk: Desk }) {
  const say = words().dealer;
  const step = dueStep(desk.view);
  if (!desk.view.open || step === null) {
    return (
      <section class="due due-none" aria-label={say.due}>
        <p class="due-says">{desk.view.open ? say.nothingDue : say.notOpen}</p>
      </section>
    );
  }
  // Another round is another step: what was typed for the last one is gone.
  return <Taking key={`${desk.view.round} ${desk.view.step} ${step.id}`} desk={desk} step={step} />;
}

type Person = Staff["crew"][number];

function Taking({ desk, step }: { desk: Desk; step: Step }) {
  const say = words().dealer;
  const { book, staff, view } = desk;
  const rule = book.procedure.round.find(one => one.id === step.id);
  const wantsDice = WITH_DICE.has(step.act);
  const count = book.identity.dice;
  const least = step.act === "shake" ? (rule?.at_least ?? null) : null;
  const [faces, setFaces] = useState<readonly number[]>([]);
  const [shakes, setShakes] = useState(least ?? 0);
  const [director, setDirector] = useState<Person | null>(null);
  const [second, setSecond] = useState<Person | null>(null);
  const directs = rule?.directed_by ?? [];
  const forDealers =
    step.act === "pay winners" && staff.settlement.pay.some(one => (one.envy ?? 0) > 0 || one.kind.startsWith("tip"));
  useEffect(() => {
    const first = others(staff, directs)[0];
    if (directs.length > 0 && first !== undefined) setDirector(first);
  }, []);

  const called = step.act === "enter dice" ? desk.live.dice.value : [];
  const whole = faces.length === count;
  const differs = whole && called.length === count && sorted(faces) !== sorted(called);
  // Whoever works there records what the shooter throws.
  const mine = step.act === "roll" || step.who.some(role => workingRoles(desk.live.id).includes(role));
  const ready =
    mine && !desk.busy && (!wantsDice || (whole && !differs)) && !(step.act === "roll" && !view.has_shooter);
  const add = (face: number): void => setFaces(before => (before.length < count ? [...before, face] : before));
  const back = (): void => setFaces(before => before.slice(0, -1));
  const take = (): void => {
    if (!ready) return;
    const dice = wantsDice ? { dice: [...faces] } : {};
    const shaken = step.act === "shake" ? { shakes } : {};
    const directed = director === null ? {} : { directed_by: { name: director.name, role: director.role } };
    const confirmed = second === null ? {} : { confirmed_by: { name: second.name, role: second.role } };
    void desk
      .act(commandOf(step, { ...dice, ...shaken, ...directed, ...confirmed }), step.who)
      .then(done => !done && setFaces([]));
  };
  useKeys(key => {
    if (wantsDice && /^[1-6]$/.test(key)) add(Number(key));
    else if (wantsDice && key === "Backspace") back();
    else if (least !== null && /^[1-9]$/.test(key)) setShakes(Number(key));
    else if (key === "Enter") take();
    else return false;
    return true;
  });

  return (
    <section class={`due${mine ? "" : " due-others"}`} aria-label={say.due}>
      <p class="due-mark">{say.due}</p>
      <h2 class="due-says">
        <StepWords act={step.act} says={step.says} />
      </h2>
      <p class="due-clause">
        <span class="clause">{say.clause(step.clause.join(", "))}</span>
        {step.announce !== null && <Called text={step.announce} />}
        {!mine && <span>{say.notYours(roleNames(book, step.who))}</span>}
      </p>
      {wantsDice && (
        <>
          <DiceKeys faces={faces} count={count} onFaces={setFaces} />
          <p class={differs ? "entry-hint entry-differs" : "entry-hint"} role="status">
            {differs ? say.differs : whole ? say.checkDice : say.typeDice(count)}
          </p>
          {called.length > 0 && (
            <p class="entry-called">
              {say.called} <Dice faces={called} size={28} />
            </p>
          )}
        </>
      )}
      {least !== null && (
        <p class="due-shakes">
          <strong>{say.shakes(shakes)}</strong> <span class="soft">{say.shakesHint}</span>
        </p>
      )}
      {directs.length > 0 && (
        <People
          label={say.directedBy}
          desk={desk}
          people={others(staff, directs)}
          chosen={director}
          onChosen={setDirector}
        />
      )}
      {forDealers && (
        <People label={say.confirmedBy} desk={desk} people={others(staff, [])} chosen={second} onChosen={setSecond} />
      )}
      <Button tone="main" busy={desk.busy} disabled={!ready} onClick={take}>
        <span class="due-take">{say.take}</span> <kbd>{say.key}</kbd>
      </Button>
    </section>
  );
}

interface PeopleProps {
  label: string;
  desk: Desk;
  people: Staff["crew"];
  chosen: Person | null;
  onChosen: (person: Person | null) => void;
}

/** Somebody of the crew. */
export function People({ label, desk, people, chosen, onChosen }: PeopleProps) {
  const key = (one: Person): string => `${one.role} ${one.name}`;
  const options = people.map(one => ({ value: key(one), name: `${one.shown} · ${roleName(desk.book, one.role)}` }));
  return (
    <Choice
      label={label}
      value={chosen === null ? "" : key(chosen)}
      options={[{ value: "", name: words().dealer.choose }, ...options]}
      onValue={value => onChosen(people.find(one => key(one) === value) ?? null)}
    />
  );
}

/** A bet that was booked is confirmed by a command of its own; every other step is taken. */
export function commandOf(step: Step, more: Partial<Extract<Command, { type: "TakeStep" }>> = {}): Command {
  if (step.act === "confirm bet") return { type: "ConfirmBets" };
  return { type: "TakeStep", step: step.id, ...more };
}

function sorted(faces: readonly number[]): string {
  return [...faces].sort().join();
}
