/** The due step: the largest thing on the screen, taken with Enter. */

import { useEffect, useRef, useState } from "preact/hooks";
import { sessionEnded } from "../api/client";
import { Button } from "../components/button";
import { Dice, totalOf } from "../components/dice";
import { consoleWords } from "../i18n/words/console";
import { personName } from "../live/names";
import type { Step } from "../live/view";
import { workingRoles } from "../shell/session";
import { stepText } from "../staff/at-table";
import { AnnouncedText, StepWords } from "../staff/book-step-text";
import { DiceKeys } from "../staff/keypad";
import { useKeys } from "../staff/keys";
import { useSettled } from "../staff/press-guard";
import { isSupervisor, mayAct, others, type Person, roleNames, supervisors } from "../staff/roles";
import { commandOf, type Desk, dueStep, hasAct } from "./console";
import { DueBody } from "./due-body";
import { People } from "./fields";
import { takeFollowUps } from "./follow-ups";
import { NewShooter } from "./hand";
import { NotFlat } from "./not-flat";
import { confirmations, confirms, type Pins, WitnessPins } from "./witness-pins";

/** Longer sentences are set in smaller type. */
const LONG = 56;
const WITH_DICE = new Set(["announce dice", "enter dice", "roll"]);
/** Steps at which dice may already be typed: whoever reads them has uncovered them and seen that they lie flat. */
const BEFORE_DICE = new Set(["reveal", "check dice"]);

export function DueStep({ desk }: { desk: Desk }) {
  const t = consoleWords().dealer;
  const step = confirming(desk) ?? dueStep(desk.view);
  const early = useRef<number[]>([]);
  if (!desk.view.open || step === null) {
    return (
      <section class="due due-none" aria-label={t.due}>
        <p class="due-says">{desk.view.open ? t.nothingDue : t.notOpen}</p>
      </section>
    );
  }
  if (!desk.staff.flat) return <NotFlat desk={desk} />;
  // Another round is another step: what was typed for the last one is discarded.
  return (
    <Taking key={`${desk.view.round} ${desk.view.step} ${step.id}`} desk={desk} step={step} early={early.current} />
  );
}

/** Bets that wait for confirmation come first: nothing is thrown before. */
function confirming({ staff, book, view }: Desk): Step | null {
  if (!view.open || staff.bets.every(bet => bet.confirmed)) return null;
  const rule = book.procedure.round.find(one => one.act === "confirm bet");
  return rule === undefined
    ? null
    : { ...rule, says: rule.says.en, announce: rule.announce?.en ?? null, done: false, may: true, asks_flat: false };
}

interface TakingProps {
  desk: Desk;
  step: Step;
  /** Dice typed after a step was taken and before the next was shown, which they are for. */
  early: number[];
}

function Taking({ desk, step, early }: TakingProps) {
  const t = consoleWords().dealer;
  const { book, staff, view } = desk;
  const rule = book.procedure.round.find(one => one.id === step.id);
  const nobodyThrows = step.act === "roll" && !view.has_shooter;
  const wantsDice = WITH_DICE.has(step.act) && !nobodyThrows;
  const takesDice = wantsDice || (BEFORE_DICE.has(step.act) && hasAct(book, "announce dice"));
  const count = book.identity.dice;
  const least = step.act === "shake" ? (rule?.at_least ?? null) : null;
  // A second press, or one meant for the previous step, does nothing.
  const settled = useSettled(step.id);
  const [faces, setFaces] = useState<readonly number[]>(() => {
    const typed = early.splice(0);
    return takesDice ? typed : [];
  });
  const [shakes, setShakes] = useState(least ?? 0);
  const [director, setDirector] = useState<Person | null>(null);
  const [second, setSecond] = useState<Person | null>(null);
  const [pins, setPins] = useState<Pins>({});
  const [leans, setLeans] = useState(false);
  const witnesses = [director, second].filter(one => one !== null);
  const directs = rule?.directed_by ?? [];
  const forDealers =
    step.act === "pay winners" && staff.settlement.pay.some(one => (one.envy ?? 0) > 0 || one.kind.startsWith("tip"));
  useEffect(() => {
    const first = others(staff, directs)[0];
    if (directs.length > 0 && first !== undefined) setDirector(first);
  }, []);

  const called = step.act === "enter dice" ? staff.announced : [];
  // Dice are typed once: the announced dice are entered, unless others are typed.
  useEffect(() => setFaces(before => (before.length === 0 ? called : before)), [called.join()]);
  const whole = faces.length === count;
  const differs = whole && called.length === count && sorted(faces) !== sorted(called);
  // Whoever works there records the shooter's throw.
  const mine = step.act === "roll" || workingRoles(desk.live.id).some(role => mayAct(book, role, step.who));
  const ready =
    !view.power_failed &&
    mine &&
    settled &&
    !desk.busy &&
    !(forDealers && second === null) &&
    (whole ? !differs : !wantsDice && faces.length === 0) &&
    (!nobodyThrows || staff.offered !== null);
  const add = (face: number): void => {
    setFaces(before => (before.length < count ? [...before, face] : before));
    if (desk.busy && faces.length < count) early.push(face);
  };
  const back = (): void => {
    setFaces(before => before.slice(0, -1));
    early.pop();
  };
  const take = (flat = true): void => {
    if (!ready) return;
    if (nobodyThrows) {
      if (staff.offered !== null) void desk.act({ type: "NewShooter", shooter: staff.offered });
      return;
    }
    if (!flat && step.act === "check dice") {
      setLeans(true); // nothing to record yet: the irregularity says so
      return;
    }
    early.splice(0);
    const dice = { ...(wantsDice ? { dice: [...faces] } : {}), ...(flat ? {} : { flat }) };
    const shaken = step.act === "shake" ? { shakes } : {};
    const directed = director === null ? {} : { directed_by: { name: director.name, role: director.role } };
    const confirmed = second === null ? {} : { confirmed_by: { name: second.name, role: second.role } };
    void desk
      .act(commandOf(step, { ...dice, ...shaken, ...directed, ...confirmed }), step.who, confirmations(witnesses, pins))
      // What was typed is kept if nobody has seen the result, because the session had ended.
      .then(done => {
        if (done !== null) return desk.busyWhile(takeFollowUps(desk, faces));
        early.splice(0);
        if (!sessionEnded.value) setFaces([]);
        return undefined;
      });
  };
  useKeys(key => {
    if (takesDice && /^[1-6]$/.test(key)) add(Number(key));
    else if (takesDice && key === "Backspace") back();
    else if (least !== null && /^[1-9]$/.test(key)) setShakes(Number(key));
    else if (key === "Enter") take();
    else if (step.asks_flat && key.toLowerCase() === "n") take(false);
    else return false;
    return true;
  });

  if (leans) return <NotFlat desk={desk} onBack={() => setLeans(false)} />;
  return (
    <section
      class={`due${mine ? "" : " due-others"}${settled && !desk.busy ? "" : " due-fresh"}${step.says.length > LONG ? " due-long" : ""}`}
      aria-label={t.due}
    >
      <DueBody>
        <p class="due-mark">{t.due}</p>
        <h2 class="due-says">
          {nobodyThrows ? t.shooterFirst : <StepWords act={step.act} says={stepText(book, step.id, step.says)} />}
        </h2>
        <p class="due-clause">
          {!nobodyThrows && <span class="clause">{t.clause(step.clause.join(", "))}</span>}
          {rule?.announce && <AnnouncedText text={rule.announce} />}
          {!mine && <span>{t.notYours(roleNames(book, step.who))}</span>}
          {staff.can_correct && !isSupervisor(desk.live.id, book) && (
            <span class="soft">{consoleWords().desk.correctOther}</span>
          )}
        </p>
        {nobodyThrows && <NewShooter desk={desk} />}
        {takesDice && (
          <>
            <DiceKeys faces={faces} count={count} onFaces={setFaces} />
            <p class={differs ? "entry-hint entry-differs" : "entry-hint"} role="status">
              {differs ? t.differs : whole ? t.checkDice : wantsDice ? t.typeDice(count) : t.mayTypeDice}
              {whole && <strong class="entry-total"> {consoleWords().desk.inAll(totalOf(faces))}</strong>}
            </p>
            {called.length > 0 && (
              <p class="entry-called">
                {t.called} <Dice faces={called} size={28} />
              </p>
            )}
          </>
        )}
        {least !== null && (
          <p class="due-shakes">
            <Button aria-label={consoleWords().desk.fewer} disabled={shakes <= 1} onClick={() => setShakes(shakes - 1)}>
              −
            </Button>
            <strong>{t.shakes(shakes)}</strong>
            <Button aria-label={consoleWords().desk.more} disabled={shakes >= 99} onClick={() => setShakes(shakes + 1)}>
              +
            </Button>
            <span class="soft">{t.shakesHint}</span>
          </p>
        )}
        {directs.length > 0 && (
          <People
            label={t.directedBy}
            desk={desk}
            people={others(staff, directs)}
            chosen={director}
            onChosen={setDirector}
          />
        )}
        {forDealers && (
          <People
            label={t.confirmedBy}
            desk={desk}
            people={others(staff, supervisors(book))}
            chosen={second}
            onChosen={setSecond}
          />
        )}
        {confirms(desk) && <WitnessPins people={witnesses} pins={pins} onPins={setPins} />}
        {step.asks_flat && <p class="entry-hint">{consoleWords().desk.allFlat}</p>}
      </DueBody>
      <div class="due-acts">
        {(!nobodyThrows || staff.offered !== null) && (
          <Button tone="main" busy={desk.busy} disabled={!ready} onClick={() => take()}>
            <span class="due-take">{doneWords(desk, step)}</span> <kbd>{t.key}</kbd>
          </Button>
        )}
        {step.asks_flat && (
          <Button disabled={!ready} onClick={() => take(false)} aria-keyshortcuts="n">
            {consoleWords().desk.flatNo} <kbd>N</kbd>
          </Button>
        )}
      </div>
    </section>
  );
}

/** The label of the main button. */
function doneWords({ view, staff }: Desk, step: Step): string {
  const t = consoleWords();
  if (step.act === "roll" && !view.has_shooter && staff.offered !== null)
    return t.desk.giveDice(personName(staff.offered));
  return step.asks_flat ? t.desk.flatYes : t.dealer.take;
}

function sorted(faces: readonly number[]): string {
  return [...faces].sort().join();
}
