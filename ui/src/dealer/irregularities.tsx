/** Irregularities that apply now, with clause and remedy; one is confirmed before it is called, and its effects are
 * shown. */

import { useState } from "preact/hooks";
import { ExactLine, Translated } from "../components/book-sentence";
import { Button } from "../components/button";
import { Field, Tick } from "../components/field";
import { named, translationOf, words } from "../i18n";
import { consoleWords } from "../i18n/words/console";
import { playWords } from "../i18n/words/play";
import { readingName } from "../live/book";
import type { Staff } from "../live/view";
import { hasFailed } from "../staff/at-table";
import { othersAbove, type Person, roleName, roleNames } from "../staff/roles";
import type { StaffBet } from "./change-bet";
import type { Desk } from "./console";
import { ActForm, Panel } from "./panel";
import { Effects } from "./remedy-effects";
import { ChooseWagers } from "./round-wagers";
import { confirmations, confirms, type Pins, WitnessPins } from "./witness-pins";

type Rule = Staff["irregularities"][number];

/** With more than this, a search field is shown. */
const UNFILTERED_MAX = 6;

export function Irregularities({ desk }: { desk: Desk }) {
  const t = words();
  const [called, setCalled] = useState<Rule | null>(null);
  const [sought, setSought] = useState("");
  const irregularities = desk.staff.irregularities.filter(rule => !hasFailed(desk, rule.id));
  const many = irregularities.length > UNFILTERED_MAX;
  const found = many ? matching(irregularities, sought) : irregularities;
  return (
    <section class="card irregularities">
      <h2>{consoleWords().dealer.irregularities}</h2>
      {many && <Field label={consoleWords().desk.findRule} value={sought} onValue={setSought} />}
      {found.length === 0 ? (
        <p class="soft">{many ? consoleWords().desk.noRule : consoleWords().dealer.noIrregularities}</p>
      ) : (
        <ul class={many ? "rules rules-many" : "rules"} tabIndex={many ? 0 : undefined}>
          {found.map(rule => (
            <li key={rule.id}>
              <div>
                <strong>{named(rule.name)}</strong>{" "}
                <span class="clause">
                  {rule.reading ? t.problem.reading(readingName(rule.reading)) : rule.clause.join(", ")}
                </span>
                <p class="soft">{playWords().remedies[rule.remedy] ?? rule.remedy}</p>
              </div>
              {rule.mine ? (
                <Button
                  aria-label={`${consoleWords().dealer.call} ${named(rule.name)}`}
                  onClick={() => setCalled(rule)}
                >
                  {consoleWords().dealer.call}
                </Button>
              ) : (
                <span class="soft rules-who">{roleNames(desk.book, rule.called_by)}</span>
              )}
            </li>
          ))}
        </ul>
      )}
      <Panel desk={desk} open={called !== null} title={consoleWords().dealer.callTitle} onClose={() => setCalled(null)}>
        {called !== null && <Calling key={called.id} desk={desk} rule={called} onDone={() => setCalled(null)} />}
      </Panel>
    </section>
  );
}

/** Those that match the search; what the person may call comes first, otherwise in the book's order. */
function matching(rules: readonly Rule[], sought: string): Rule[] {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  const text = (rule: Rule): string =>
    [rule.name.en, rule.name.zh, rule.says.en, rule.says.zh, ...rule.clause].join(" ").toLowerCase();
  const fits = rules.filter(rule => words.every(word => text(rule).includes(word)));
  return [...fits.filter(rule => rule.mine), ...fits.filter(rule => !rule.mine)];
}

interface Called {
  until: number;
  bets: readonly StaffBet[];
}

function Calling({ desk, rule, onDone }: { desk: Desk; rule: Rule; onDone: () => void }) {
  const t = words();
  const [text, setText] = useState("");
  const [present, setPresent] = useState<readonly string[]>([]);
  const [pins, setPins] = useState<Pins>({});
  const [called, setCalled] = useState<Called | null>(null);
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const crew = rule.presence.length === 0 ? [] : othersAbove(desk.staff, desk.book, rule.presence, rule.or_above);
  const key = (one: Person): string => `${one.role} ${one.name}`;
  const witnesses = crew.filter(one => present.includes(key(one)));
  const go = async (): Promise<void> => {
    const there = witnesses.map(({ name, role }) => ({ name, role }));
    const bets = desk.staff.bets;
    const command = { type: "Call" as const, irregularity: rule.id, words: text, present: there, bets: [...chosen] };
    const done = await desk.act(command, rule.called_by, confirmations(witnesses, pins));
    if (done?.approval) onDone();
    else if (done) setCalled({ until: done.sequence, bets });
  };
  const needsReason = rule.remedy === "refer";
  const ready = (!rule.names_bets || chosen.length > 0) && (!needsReason || text.trim() !== "");
  if (called !== null) {
    return (
      <>
        <RuleWords rule={rule} />
        <Effects desk={desk} remedy={rule.remedy} {...called} onDone={onDone} />
      </>
    );
  }
  return (
    <ActForm onGo={() => void go()}>
      <RuleWords rule={rule} />
      <p>
        <span class="soft">{consoleWords().desk.text}</span> <ExactLine text={rule.says} />
      </p>
      <p>
        <span class="soft">{consoleWords().desk.follows}</span> {playWords().remedies[rule.remedy] ?? rule.remedy}
      </p>
      <p class="soft">{consoleWords().dealer.callers(roleNames(desk.book, rule.called_by))}</p>
      {crew.length > 0 && (
        <fieldset class="present">
          <legend>{consoleWords().dealer.present(roleNames(desk.book, rule.presence))}</legend>
          {crew.map(one => (
            <Tick
              key={key(one)}
              label={`${one.shown} · ${roleName(desk.book, one.role)}`}
              on={present.includes(key(one))}
              onChange={on =>
                setPresent(before => (on ? [...before, key(one)] : before.filter(name => name !== key(one))))
              }
            />
          ))}
        </fieldset>
      )}
      {confirms(desk) && <WitnessPins people={witnesses} pins={pins} onPins={setPins} />}
      {rule.names_bets && <ChooseWagers desk={desk} chosen={chosen} onChosen={setChosen} />}
      <Field
        label={consoleWords().dealer.callWords}
        value={text}
        onValue={setText}
        maxLength={200}
        {...(needsReason ? { hint: consoleWords().desk.reasonNeeded } : {})}
      />
      <div class="buttons">
        <Button type="submit" tone="danger" busy={desk.busy} disabled={!ready}>
          {consoleWords().dealer.callGo}
        </Button>
        <Button onClick={onDone}>{t.dialog.cancel}</Button>
      </div>
    </ActForm>
  );
}

function RuleWords({ rule }: { rule: Rule }) {
  const t = consoleWords().dealer;
  const { problem } = words();
  return (
    <p>
      <strong>{named(rule.name)}</strong>{" "}
      <span class="clause">
        {rule.reading ? problem.reading(readingName(rule.reading)) : t.clause(rule.clause.join(", "))}
      </span>
      {rule.announce !== null && (
        <>
          {" "}
          <strong>
            <Translated
              chinese={translationOf(rule.announce) === null ? null : words().table.announce(named(rule.announce))}
              says={words().table.announce(rule.announce.en)}
            />
          </strong>
        </>
      )}
    </p>
  );
}
