/** The current state of a table: the round, what is missing before one, the crew, interruptions, closing. */

import { useState } from "preact/hooks";
import { Amount } from "../../components/amount";
import { Button, LinkButton } from "../../components/button";
import { Clauses } from "../../components/clauses";
import { Dice } from "../../components/dice";
import { Field } from "../../components/field";
import { Form } from "../../components/form";
import { listed, words } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import { personName } from "../../live/names";
import { address } from "../../shell/router";
import { isManager, me } from "../../shell/session";
import { stepText } from "../../staff/at-table";
import { StepWords } from "../../staff/book-step-text";
import { roleName, roleNames } from "../../staff/roles";
import { AutomaticRun } from "./automatic";
import { Closing } from "./closing";
import { Readiness } from "./readiness";
import { CorrectDice, RuleInWords } from "./ruling";
import { Suspension } from "./suspension";
import type { FloorDesk } from "./table-actions";
import { facesOf } from "./table-details";

export function NowTab({ desk }: { desk: FloorDesk }) {
  const { view } = desk;
  if (!view.open) return <ClosedTable desk={desk} />;
  return (
    <div class="floor-columns">
      <div>
        {view.automatic === undefined && <Readiness desk={desk} />}
        <RoundState desk={desk} />
        <CorrectDice desk={desk} />
        {view.automatic !== undefined && <AutomaticRun desk={desk} />}
        {view.automatic === undefined && <Closing desk={desk} />}
      </div>
      <div>
        <Attendance desk={desk} />
        <Suspension desk={desk} />
        <RuleInWords desk={desk} />
        {view.automatic !== undefined && <Closing desk={desk} />}
      </div>
    </div>
  );
}

function ClosedTable({ desk }: { desk: FloorDesk }) {
  const t = floorWords();
  return (
    <div class="note">
      <p>
        <strong>{t.closedNow}</strong>
      </p>
      {isManager() ? (
        <LinkButton href={address`/floor/open?table=${desk.live.id}`} tone="main">
          {t.reopen}
        </LinkButton>
      ) : (
        <p class="soft">{t.onlyManagers}</p>
      )}
    </div>
  );
}

function RoundState({ desk }: { desk: FloorDesk }) {
  const t = words();
  const { view, staff, rules, book, live } = desk;
  const step = view.procedure.find(one => one.id === view.due) ?? null;
  const { worst_throw, worst_result } = staff.exposure;
  return (
    <section class="card">
      <h2>{floorWords().state}</h2>
      <dl class="desk-facts">
        <div>
          <dt>{floorWords().phase}</dt>
          <dd>{t.phase[view.phase] ?? view.phase}</dd>
        </div>
        {view.automatic === undefined && (
          <div class="desk-fact-wide">
            <dt>{floorWords().dueNow}</dt>
            <dd>
              {step === null ? (
                floorWords().nothingDue
              ) : (
                <>
                  <StepWords act={step.act} says={stepText(book, step.id, step.says)} />{" "}
                  <span class="soft">{floorWords().by(roleNames(book, step.who))}</span>{" "}
                  <Clauses clauses={step.clause} />
                </>
              )}
            </dd>
          </div>
        )}
        <div>
          <dt>{floorWords().dice}</dt>
          <dd>
            <Dice faces={live.dice.value} count={book.identity.dice} size={26} />
          </dd>
        </div>
        <div>
          <dt>{floorWords().bets}</dt>
          <dd>{floorWords().betCount(staff.bets.length)}</dd>
        </div>
        <div>
          <dt>{floorWords().staked}</dt>
          <dd>
            <Amount minor={view.staked} money={rules.money} />
          </dd>
        </div>
        <div>
          <dt>{floorWords().worst}</dt>
          <dd class="worst">
            {worst_throw === null ? (
              floorWords().noRisk
            ) : (
              <>
                <Dice faces={facesOf(worst_throw)} size={22} />{" "}
                <Amount minor={worst_result} money={rules.money} signed />
              </>
            )}
          </dd>
        </div>
        {view.payout_max !== null && (
          <div>
            <dt>{floorWords().limit}</dt>
            <dd>
              <Amount minor={view.payout_max} money={rules.money} short />
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

/** Who may work here and who deals; shift and gaming day. */
function Attendance({ desk }: { desk: FloorDesk }) {
  const t = floorWords();
  const { staff, book, view } = desk;
  const roles = Object.keys(book.roles).filter(role => staff.crew.some(one => one.role === role));
  return (
    <section class="card">
      <h2>{t.attendance}</h2>
      {view.automatic === undefined && (
        <p>{staff.dealer === null ? t.nobodyDeals : t.deals(personName(staff.dealer))}</p>
      )}
      {roles.length === 0 ? (
        <div class="stack">
          <p class="soft">{t.crewNone}</p>
          {isManager() && <LinkButton href={address`/floor/people?table=${desk.live.id}`}>{t.toPeople}</LinkButton>}
        </div>
      ) : (
        <>
          <h3>{t.crew}</h3>
          <dl class="desk-facts desk-crew">
            {roles.map(role => (
              <div key={role}>
                <dt>{roleName(book, role)}</dt>
                <dd>{listed(staff.crew.filter(one => one.role === role).map(one => one.shown))}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <Named
        desk={desk}
        command="StartShift"
        now={staff.shift ? t.shiftNow(staff.shift) : t.shiftNone}
        label={t.shiftName}
        hint={t.shiftHint}
        go={t.shiftStart}
        make={shift => ({ type: "StartShift", shift })}
      />
      <Named
        desk={desk}
        command="StartDay"
        now={null}
        label={t.dayName}
        hint={t.dayHint}
        go={t.dayStart}
        make={day => ({ type: "StartDay", day })}
      />
    </section>
  );
}

interface NamedProps {
  desk: FloorDesk;
  command: "StartShift" | "StartDay";
  now: string | null;
  label: string;
  hint: string;
  go: string;
  make: (name: string) => Parameters<FloorDesk["act"]>[0];
}

/** Something that starts with a name; its field opens on request. */
function Named({ desk, command, now, label, hint, go, make }: NamedProps) {
  const [open, setOpen] = useState(false);
  const [name, setName] = useState("");
  if (!desk.may(command) || me.value === null) return now === null ? null : <p class="soft">{now}</p>;
  if (!open) {
    return (
      <p class="named">
        {now !== null && <span>{now}</span>}
        <Button onClick={() => setOpen(true)}>{go}…</Button>
      </p>
    );
  }
  const begin = async (): Promise<void> => {
    if (!(await desk.act(make(name.trim())))) return;
    setName("");
    setOpen(false);
  };
  return (
    <Form class="stack" onSend={() => void begin()}>
      <Field label={label} value={name} onValue={setName} hint={hint} maxLength={60} autocomplete="off" />
      <div class="buttons">
        <Button type="submit" tone="main" busy={desk.busy} disabled={name.trim() === ""}>
          {go}
        </Button>
        <Button tone="quiet" onClick={() => setOpen(false)}>
          {words().dialog.cancel}
        </Button>
      </div>
    </Form>
  );
}
