/** The dealer console: the due step is the largest thing on it, and every frequent action is one key. */

import { useEffect } from "preact/hooks";
import { LinkButton } from "../components/button";
import { ConnectionNote } from "../components/connection";
import { Dice } from "../components/dice";
import { ProblemPage, Waiting } from "../components/problem-note";
import { Acts } from "../dealer/actions";
import { Approvals } from "../dealer/approvals";
import { AutomaticCourse, AutomaticRun } from "../dealer/automatic";
import { Bets } from "../dealer/bets";
import { type Desk, useActing } from "../dealer/console";
import { DueStep } from "../dealer/due";
import { EquipmentState } from "../dealer/equipment";
import { Exposure } from "../dealer/exposure";
import { Felt } from "../dealer/felt";
import { Hand } from "../dealer/hand";
import { Irregularities } from "../dealer/irregularities";
import { NotReady, useMissing } from "../dealer/not-ready";
import { OpenQuestions } from "../dealer/past-rounds";
import { PowerFailure } from "../dealer/power";
import { RollOrders } from "../dealer/roll-orders";
import { Rulings } from "../dealer/ruling";
import { Settlement } from "../dealer/settlement";
import { Steps } from "../dealer/steps";
import { words } from "../i18n";
import { consoleWords } from "../i18n/words/console";
import { playWords } from "../i18n/words/play";
import { useBook } from "../live/book";
import { tableName } from "../live/names";
import { useLiveTable } from "../live/use-table";
import { address, type PageProps } from "../shell/router";
import { me, setTerminal, workingRoles } from "../shell/session";
import { SettledActs } from "../staff/guarded-actions";

/** Panels scroll, and what scrolls must be reachable by keyboard. */
const REACHED = 0;

export default function DealerPage({ parameters }: PageProps) {
  const live = useLiveTable(parameters.table ?? "");
  const t = words();
  const view = live.view.value;
  const rules = live.rules.value;
  const staff = live.staff.value;
  const book = useBook(rules);
  const acting = useActing(live, book);
  const problem = live.problem.value;
  const works = staff !== null && workingRoles(live.id).length > 0;
  useEffect(() => {
    if (works) setTerminal(live.id);
  }, [works, live.id]);
  if (problem !== null && view === null) return <ProblemPage problem={problem} retry={() => live.start()} />;
  if (view === null || rules === null || book === null || me.value === undefined) return <Waiting />;
  if (me.value !== null && staff === null && workingRoles(live.id).length > 0) return <Waiting />;
  if (staff === null || !works) return <NotStaff table={live.id} />;
  const desk: Desk = { live, view, rules, staff, book, ...acting };
  return (
    <SettledActs class="page dealer">
      <header class="page-head dealer-head">
        <div>
          <h1>{words().titles.console}</h1>
          <p class="soft">
            {tableName(live.id, book.identity)} · {playWords().lobby.round(view.round)} ·{" "}
            {view.open ? (t.phase[view.phase] ?? view.phase) : playWords().play.closed}
          </p>
          <ConnectionNote live={live} />
        </div>
        <div class="table-now">
          <Dice faces={live.dice.value} count={book.identity.dice} size={44} />
          <LinkButton href={address`/tables/${live.id}/board`} tone="quiet">
            {consoleWords().dealer.board}
          </LinkButton>
        </div>
      </header>
      {acting.stale && (
        <p class="note note-bad stale" role="alert">
          {consoleWords().dealer.stale}
        </p>
      )}
      <PowerFailure desk={desk} />
      {view.automatic === undefined ? <Working desk={desk} /> : <Watching desk={desk} />}
    </SettledActs>
  );
}

function Working({ desk }: { desk: Desk }) {
  const missing = useMissing(desk);
  const lacking = missing.length > 0;
  return (
    <div class="desk">
      <div class="desk-main">{lacking ? <NotReady desk={desk} missing={missing} /> : <DueStep desk={desk} />}</div>
      <div class="desk-rest">
        <div class="desk-panels">
          <div class="desk-play" tabIndex={REACHED}>
            <RollOrders desk={desk} />
            <Approvals desk={desk} />
            <OpenQuestions desk={desk} />
            <Rulings desk={desk} />
            {lacking && <EquipmentState key="equipment" desk={desk} />}
            <Settlement desk={desk} />
            <Hand desk={desk} />
            <Bets desk={desk} />
          </div>
          <div class="desk-side" tabIndex={REACHED}>
            <Exposure desk={desk} />
            <Irregularities desk={desk} />
            <Steps desk={desk} />
            {!lacking && <EquipmentState key="equipment" desk={desk} />}
          </div>
        </div>
        <Acts desk={desk} />
      </div>
      <Felt desk={desk} />
    </div>
  );
}

/** At an automatic table there is little to do, but everything can be seen. */
function Watching({ desk }: { desk: Desk }) {
  return (
    <div class="desk">
      <div class="desk-main">
        <AutomaticRun desk={desk} />
      </div>
      <div class="desk-rest">
        <div class="desk-panels">
          <div class="desk-play" tabIndex={REACHED}>
            <Approvals desk={desk} />
            <OpenQuestions desk={desk} />
            <Rulings desk={desk} />
            <Hand desk={desk} />
            <Bets desk={desk} />
            <AutomaticCourse desk={desk} />
          </div>
          <div class="desk-side" tabIndex={REACHED}>
            <Exposure desk={desk} />
            <Irregularities desk={desk} />
          </div>
        </div>
      </div>
      <Felt desk={desk} />
    </div>
  );
}

function NotStaff({ table }: { table: string }) {
  const t = consoleWords().dealer;
  return (
    <section class="page page-narrow">
      <h1>{words().titles.console}</h1>
      <p>{t.notStaff}</p>
      {me.value === null && (
        <LinkButton href={address`/sign-in?to=${`/tables/${table}/dealer`}`} tone="main">
          {t.signIn}
        </LinkButton>
      )}
      <LinkButton href={address`/tables/${table}`} tone={me.value === null ? "plain" : "main"}>
        {playWords().lobby.open}
      </LinkButton>
    </section>
  );
}
