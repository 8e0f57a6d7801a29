/** Pending decisions: bets that a supervisor rules on, and what the book refers to a person. */

import { useState } from "preact/hooks";
import type { BookPage } from "../api/types";
import { Button } from "../components/button";
import { Choice, Field, Tick } from "../components/field";
import { named } from "../i18n";
import { consoleWords } from "../i18n/words/console";
import { personName } from "../live/names";
import { amountTyped } from "../money/amounts";
import { me, workingRoles } from "../shell/session";
import { mayAct, roleNames } from "../staff/roles";
import { betWords, RuleOnBet, type StaffBet } from "./change-bet";
import type { Desk } from "./console";
import { AmountField } from "./fields";
import { ActForm, Panel } from "./panel";
import { roundWagers, wagerWords } from "./round-wagers";
import { ruledWords } from "./rulings-made";

type Rule = BookPage["irregularities"][string];

/** Whether the signed-in person decides it. */
function decides(desk: Desk, rule: Rule): boolean {
  return workingRoles(desk.live.id).some(role => mayAct(desk.book, role, rule.presence, rule.or_above));
}

export function Rulings({ desk }: { desk: Desk }) {
  const t = consoleWords().desk;
  const { called, undecided } = desk.staff;
  const rules = [...new Set([...called, ...undecided])].flatMap(id => {
    const rule = desk.book.irregularities[id];
    return rule === undefined ? [] : [{ id, rule, waits: undecided.includes(id) }];
  });
  const visible = rules.filter(
    one => one.waits || (one.rule.remedy === "supervisor decides" && decides(desk, one.rule)),
  );
  if (visible.length === 0) return null;
  return (
    <section class="card card-wanted rulings" aria-label={t.ruling}>
      {visible.map(({ id, rule, waits }) => (
        <div key={id} class="question">
          {waits && (
            <p class="note note-bad">
              {t.rulingWait(named(rule.name), roleNames(desk.book, rule.presence))}{" "}
              <span class="clause">{rule.clause.join(", ")}</span>
            </p>
          )}
          {decides(desk, rule) && rule.remedy === "supervisor decides" && <Wagers desk={desk} rule={rule} />}
          {decides(desk, rule) && rule.remedy === "refer" && <InWords desk={desk} id={id} rule={rule} />}
        </div>
      ))}
    </section>
  );
}

function Wagers({ desk, rule }: { desk: Desk; rule: Rule }) {
  const t = consoleWords().desk;
  const [bet, setBet] = useState<StaffBet | null>(null);
  const unclear = roundWagers(desk).filter(one => desk.staff.unclear.includes(one.id));
  return (
    <>
      <h2>{t.ruling}</h2>
      <ul class="lines">
        {unclear.map(one => (
          <li key={one.id} class="line-ruled">
            <span>
              {wagerWords(desk, one)}
              <Ruled desk={desk} bet={one} />
              {desk.staff.unruled.includes(one.id) && <span class="tag">{t.waitsRuling}</span>}
            </span>
            <Button aria-label={`${t.ruleOn}: ${betWords(desk, one)}`} onClick={() => setBet(one)}>
              {t.ruleOn}
            </Button>
          </li>
        ))}
      </ul>
      <Panel desk={desk} open={bet !== null} title={t.ruling} onClose={() => setBet(null)}>
        {bet !== null && <RuleOnBet desk={desk} bet={bet} who={rule.presence} onDone={() => setBet(null)} />}
      </Panel>
    </>
  );
}

function Ruled({ desk, bet }: { desk: Desk; bet: StaffBet }) {
  const ruling = desk.staff.rulings.find(one => one.bet === bet.id);
  return ruling === undefined ? null : <span class="tag tag-ruled">{ruledWords(desk, ruling)}</span>;
}

const AS_IT_IS = "";

/** The effect of a decision on a bet. */
interface Fate {
  how: "" | "returned" | "paid";
  amount: string;
}

function InWords({ desk, id, rule }: { desk: Desk; id: string; rule: Rule }) {
  const t = consoleWords().desk;
  const [text, setText] = useState("");
  const [voided, setVoided] = useState(false);
  const [fates, setFates] = useState<Readonly<Record<number, Fate>>>({});
  const caller = desk.staff.callers[id] ?? "";
  if (caller === me.value?.name) return <p>{t.decideOther}</p>;
  const wagers = voided || desk.view.automatic !== undefined ? [] : roundWagers(desk);
  const of = (bet: number): Fate => fates[bet] ?? { how: AS_IT_IS, amount: "" };
  const set = (bet: number, fate: Partial<Fate>): void => setFates({ ...fates, [bet]: { ...of(bet), ...fate } });
  const returns = wagers.filter(bet => of(bet.id).how === "returned").map(bet => bet.id);
  const paid = wagers.filter(bet => of(bet.id).how === "paid");
  const pays = paid.flatMap(bet => {
    const amount = amountTyped(of(bet.id).amount, desk.rules.money);
    return amount === null || amount <= 0 ? [] : [{ bet: bet.id, amount }];
  });
  const ready = !desk.busy && text.trim() !== "" && pays.length === paid.length;
  const ruling = { words: text, void: voided, returns, pays };
  return (
    <ActForm onGo={() => void desk.act({ type: "RuleInWords", ...ruling }, rule.presence)}>
      <h2>{t.ruleWords}</h2>
      {caller !== "" && <p class="soft">{t.calledBy(personName(caller))}</p>}
      <Field label={t.reason} value={text} onValue={setText} maxLength={200} hint={t.reasonNeeded} />
      {desk.view.automatic === undefined && <Tick label={t.ruleVoid} on={voided} onChange={setVoided} />}
      {wagers.map(bet => (
        <div key={bet.id} class="question">
          <Choice
            label={wagerWords(desk, bet)}
            value={of(bet.id).how}
            options={[
              { value: AS_IT_IS, name: t.decideNothing },
              { value: "returned", name: t.decideReturned },
              { value: "paid", name: t.decidePaid },
            ]}
            onValue={how => set(bet.id, { how: how as Fate["how"] })}
          />
          {of(bet.id).how === "paid" && (
            <AmountField
              desk={desk}
              label={t.decideWins}
              value={of(bet.id).amount}
              onValue={amount => set(bet.id, { amount })}
            />
          )}
        </div>
      ))}
      <Button type="submit" tone={voided ? "danger" : "main"} disabled={!ready}>
        {t.rulingGo}
      </Button>
    </ActForm>
  );
}
