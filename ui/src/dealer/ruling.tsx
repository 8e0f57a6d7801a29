/** What waits for a decision: wagers that a supervisor rules on, and what the book refers to somebody. */

import { useState } from "preact/hooks";
import type { BookPage } from "../api/types";
import { Button } from "../components/button";
import { Field, Tick } from "../components/field";
import { mayAct, roleNames, workingRoles } from "../staff/roles";
import { named, words } from "../words";
import { betWords, RuleOnBet, type StaffBet } from "./change";
import type { Desk } from "./desk";
import { ActForm, Panel } from "./panel";
import { ruledWords } from "./ruled";

type Rule = BookPage["irregularities"][string];

/** Whether it is for who is signed in to decide. */
function decides(desk: Desk, rule: Rule): boolean {
  return workingRoles(desk.live.id).some(role => mayAct(desk.book, role, rule.presence, rule.or_above));
}

export function Rulings({ desk }: { desk: Desk }) {
  const say = words().desk;
  const { called, undecided } = desk.staff;
  const rules = [...new Set([...called, ...undecided])].flatMap(id => {
    const rule = desk.book.irregularities[id];
    return rule === undefined ? [] : [{ id, rule, waits: undecided.includes(id) }];
  });
  const shown = rules.filter(one => one.waits || (one.rule.remedy === "supervisor decides" && decides(desk, one.rule)));
  if (shown.length === 0) return null;
  return (
    <section class="card card-wanted rulings" aria-label={say.ruling}>
      {shown.map(({ id, rule, waits }) => (
        <div key={id} class="question">
          {waits && (
            <p class="note note-bad">
              {say.rulingWait(named(rule.name), roleNames(desk.book, rule.presence))}{" "}
              <span class="clause">{rule.clause.join(", ")}</span>
            </p>
          )}
          {decides(desk, rule) && rule.remedy === "supervisor decides" && <Wagers desk={desk} rule={rule} />}
          {decides(desk, rule) && rule.remedy === "refer" && <InWords desk={desk} rule={rule} />}
        </div>
      ))}
    </section>
  );
}

function Wagers({ desk, rule }: { desk: Desk; rule: Rule }) {
  const say = words().desk;
  const [bet, setBet] = useState<StaffBet | null>(null);
  return (
    <>
      <h2>{say.ruling}</h2>
      <ul class="lines">
        {desk.staff.bets.map(one => (
          <li key={one.id} class="line-ruled">
            <span>
              {betWords(desk, one)}
              <Ruled desk={desk} bet={one} />
            </span>
            <Button aria-label={`${say.ruleOn}: ${betWords(desk, one)}`} onClick={() => setBet(one)}>
              {say.ruleOn}
            </Button>
          </li>
        ))}
      </ul>
      <Panel desk={desk} open={bet !== null} title={say.ruling} onClose={() => setBet(null)}>
        {bet !== null && <RuleOnBet desk={desk} bet={bet} who={rule.presence} onDone={() => setBet(null)} />}
      </Panel>
    </>
  );
}

function Ruled({ desk, bet }: { desk: Desk; bet: StaffBet }) {
  const ruling = desk.staff.rulings.find(one => one.bet === bet.id);
  return ruling === undefined ? null : <span class="tag tag-ruled">{ruledWords(desk, ruling)}</span>;
}

function InWords({ desk, rule }: { desk: Desk; rule: Rule }) {
  const say = words().desk;
  const [text, setText] = useState("");
  const [voided, setVoided] = useState(false);
  return (
    <ActForm onGo={() => void desk.act({ type: "RuleInWords", words: text, void: voided }, rule.presence)}>
      <h2>{say.ruleWords}</h2>
      <Field label={say.reason} value={text} onValue={setText} maxLength={200} hint={say.reasonNeeded} />
      {desk.view.automatic === undefined && <Tick label={say.ruleVoid} on={voided} onChange={setVoided} />}
      <Button type="submit" tone={voided ? "danger" : "main"} disabled={desk.busy || text.trim() === ""}>
        {say.rulingGo}
      </Button>
    </ActForm>
  );
}
