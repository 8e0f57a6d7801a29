/** Every table that somebody looks after; what wants attention comes first. */

import { api, told } from "../../api/client";
import { usePolled } from "../../api/polling";
import type { AlarmInfo, FloorTable } from "../../api/types";
import { known } from "../../api/use-request";
import { Amount } from "../../components/amount";
import { Because, capital, Says } from "../../components/book-sentence";
import { LinkButton } from "../../components/button";
import { Clauses } from "../../components/clauses";
import { Dice } from "../../components/dice";
import { PageHead } from "../../components/page-head";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { labelled, named, regional, words } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import { address } from "../../shell/router";
import { isManager, me, rolesAt } from "../../shell/session";
import { StepWords } from "../../staff/book-step-text";
import { DiceLife } from "./dice-life";

const EVERY = 4_000;

export function Overview({ alarms }: { alarms: readonly AlarmInfo[] }) {
  const say = floorWords();
  const who = me.value?.name;
  const floor = usePolled(async () => ({ ...(await told(api.GET("/api/v1/floor"))), at: new Date() }), EVERY, [who]);
  const found = known(floor.asked);
  const alarmsAt = (table: string): number => alarms.filter(one => one.table === table).length;
  const tables = [...(found?.tables ?? [])].sort((one, other) => urgency(other, alarmsAt) - urgency(one, alarmsAt));
  return (
    <>
      <PageHead title={say.title} lead={say.lead} />
      {floor.asked.state === "failed" && <ProblemNote problem={floor.asked.problem} again={floor.again} />}
      {floor.asked.state === "waiting" && <Waiting />}
      {found !== null && tables.length === 0 && (found.disabled ?? []).length === 0 && (
        <div class="note">
          <p>
            <strong>{say.none}</strong>
          </p>
          <p class="soft">{isManager() ? say.noneManager : say.noneOther}</p>
        </div>
      )}
      {(found?.disabled ?? []).map(one => (
        <div key={one.id} class="note note-bad">
          <p>
            <strong>{say.disabled(one.id)}</strong>
          </p>
          <p>{capital(one.says)}</p>
        </div>
      ))}
      <ul class="floor-tables">
        {tables.map(table => (
          <TableCard key={table.id} table={table} alarms={alarmsAt(table.id)} />
        ))}
      </ul>
      {found !== null && (
        <p class="soft as-of">{floor.asked.state === "failed" ? say.old : say.updated(timeOf(found.at))}</p>
      )}
    </>
  );
}

/** What somebody should look at first: what stands still, then what waits, then the rest; closed tables last. */
function urgency(table: FloorTable, alarmsAt: (table: string) => number): number {
  if (!table.open) return table.disputed.length > 0 ? 1 : -1;
  const held = table.stopped.length > 0 || alarmsAt(table.id) > 0 ? 4 : 0;
  return held + (table.yours > 0 ? 2 : 0) + (table.lacking !== null || table.disputed.length > 0 ? 1 : 0);
}

function timeOf(at: Date): string {
  return new Intl.DateTimeFormat(regional.value, { timeStyle: "medium" }).format(at);
}

function TableCard({ table, alarms }: { table: FloorTable; alarms: number }) {
  const say = words();
  const desk = address`/floor/tables/${table.id}`;
  const works = rolesAt(table.id).some(role => !["player", "shooter", "auditor", "manager"].includes(role));
  const phase = table.open ? (say.phase[table.phase ?? ""] ?? table.phase ?? "") : floorWords().closed;
  return (
    <li
      class={`floor-card${table.stopped.length > 0 ? " floor-card-held" : ""}${table.open ? "" : " floor-card-closed"}`}
    >
      <header>
        <h2>
          <a href={desk}>
            <Says text={table.title} />
          </a>
        </h2>
        <p class="floor-card-id">
          <span class="soft">{table.id}</span>
          {table.automatic && <span class="tag">{floorWords().automatic}</span>}
          {table.play_money && <span class="tag">{floorWords().playMoney}</span>}
        </p>
      </header>
      <p class="card-phase">
        <span class={`phase phase-${table.open ? (table.phase ?? "").replaceAll(" ", "-") : "shut"}`}>{phase}</span>
        <span class="soft">{floorWords().round(table.round)}</span>
      </p>
      <div class="floor-news">
        <News table={table} alarms={alarms} />
        {table.open && <Next table={table} />}
      </div>
      <Facts table={table} />
      <footer>
        <LinkButton href={desk} tone="main">
          {floorWords().desk}
        </LinkButton>
        {works && <LinkButton href={address`/tables/${table.id}/dealer`}>{floorWords().console}</LinkButton>}
        <LinkButton href={address`/tables/${table.id}`} tone="quiet">
          {floorWords().toTable}
        </LinkButton>
      </footer>
    </li>
  );
}

/** What is wrong or waits, each with the way to it. */
function News({ table, alarms }: { table: FloorTable; alarms: number }) {
  const say = floorWords();
  const disputes = address`/floor/tables/${table.id}/disputes`;
  return (
    <ul class="flags">
      {table.stopped.map(one => (
        <li key={`${one.why} ${one.what}`} class="flag flag-bad">
          {one.why === "tumbler" ? <Because says={say.stopped.tumbler} why={one.what} /> : stoppedText(one)}
        </li>
      ))}
      {alarms > 0 && (
        <li class="flag flag-bad">
          <a href="/floor/alarms">{say.alarmsHere(alarms)}</a>
        </li>
      )}
      {table.open && !table.automatic && table.float < Math.max(0, -table.worst_result) && (
        <li class="flag flag-bad">
          <a href={address`/floor/tables/${table.id}/money`}>{table.float < 0 ? say.overdrawn : say.shortFloat}</a>
        </li>
      )}
      {table.open && !table.staffed && !table.automatic && (
        <li class="flag flag-bad">
          <a href="/floor/people">{say.unstaffed}</a>
        </li>
      )}
      {table.older_edition && <li class="flag">{say.olderEdition}</li>}
      {table.approvals > 0 && (
        <li class="flag">
          <a href="/floor/approvals">{say.approvalsHere(table.approvals, table.yours)}</a>
        </li>
      )}
      {table.disputed.length > 0 && (
        <li class="flag">
          <a href={disputes}>{say.disputed(table.disputed.join(", "), table.disputed.length)}</a>
        </li>
      )}
    </ul>
  );
}

function Next({ table }: { table: FloorTable }) {
  const say = floorWords();
  if (table.lacking !== null && table.stopped.length === 0) {
    return (
      <p>
        <strong>{labelled(say.lacks)}</strong>
        {table.lacking.message.text} <Clauses clauses={table.lacking.clause} />
      </p>
    );
  }
  if (table.due !== null) {
    return (
      <p>
        <span class="soft">{labelled(say.due)}</span>
        <StepWords act={table.due.act} says={table.due.says} /> <Clauses clauses={table.due.clause} />
      </p>
    );
  }
  return table.automatic && table.stopped.length === 0 ? <p class="soft">{say.byItself}</p> : null;
}

function Facts({ table }: { table: FloorTable }) {
  const say = floorWords();
  return (
    <dl class="floor-facts">
      <div>
        <dt>{say.dealer}</dt>
        <dd>{dealerOf(table)}</dd>
      </div>
      <div>
        <dt>{say.players}</dt>
        <dd>{say.playersCount(table.players)}</dd>
      </div>
      <div>
        <dt>{say.dice}</dt>
        <dd>
          {table.automatic ? (
            say.noDiceHere
          ) : table.dice === null && table.game === "craps" ? (
            say.shooters
          ) : (
            <DiceLife dice={table.dice} />
          )}
        </dd>
      </div>
      <div>
        <dt>{say.staked}</dt>
        <dd>
          <Amount minor={table.staked} money={table.money} />
        </dd>
      </div>
      <div class="floor-worst">
        <dt>{say.worst}</dt>
        <dd>
          {table.worst_throw === null ? (
            say.noRisk
          ) : (
            <>
              {table.worst_result !== 0 && <Dice faces={facesOf(table.worst_throw)} size={20} />}{" "}
              <Amount minor={table.worst_result} money={table.money} signed />
            </>
          )}
        </dd>
      </div>
      {table.open && !table.automatic && (
        <div>
          <dt>{say.tray}</dt>
          <dd>
            <Amount minor={table.float} money={table.money} />
          </dd>
        </div>
      )}
      {table.payout_max !== null && (
        <div>
          <dt>{say.limit}</dt>
          <dd>
            <Amount minor={table.payout_max} money={table.money} short />
          </dd>
        </div>
      )}
    </dl>
  );
}

/** At craps several deal together, and none of them takes the table over. */
function dealerOf(table: FloorTable): string {
  const say = floorWords();
  if (table.automatic) return say.tumbler;
  return table.dealer ?? (table.game === "craps" && table.staffed ? say.theCrew : say.nobody);
}

/** A throw as the server writes it: 1-2-6. */
export function facesOf(thrown: string): number[] {
  return thrown.split("-").map(Number);
}

/** Why a table is stopped, in a sentence. */
function stoppedText({ why, what, name }: FloorTable["stopped"][number]): string {
  const say = floorWords().stopped;
  const thing = name ? named(name) : what;
  if (why === "void proposed") return say.voidProposed(thing);
  if (why === "power" || why === "tumbler") return say[why];
  return say[why](thing);
}
