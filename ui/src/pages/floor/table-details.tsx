/** The details of a table, below its row on the floor. */

import type { FloorTable } from "../../api/types";
import { Amount } from "../../components/amount";
import { LinkButton } from "../../components/button";
import { Clauses } from "../../components/clauses";
import { Dice } from "../../components/dice";
import { floorWords } from "../../i18n/words/floor";
import { address } from "../../shell/router";
import { StepWords } from "../../staff/book-step-text";
import { DiceLife } from "./dice-life";
import { newsOf } from "./table-news";

export function Details({ table, alarms }: { table: FloorTable; alarms: number }) {
  const say = floorWords();
  return (
    <>
      <ul class="flags">
        {newsOf(table, alarms).map(news => (
          <li key={news.id} class={news.bad ? "flag flag-bad" : "flag"}>
            {news.href === undefined ? news.says : <a href={news.href}>{news.says}</a>}{" "}
            {news.id === "lacking" && <Clauses clauses={table.lacking?.clause ?? []} />}
          </li>
        ))}
      </ul>
      <dl class="floor-facts">
        {table.open && table.due !== null && (
          <div class="floor-due">
            <dt>{say.due}</dt>
            <dd>
              <StepWords act={table.due.act} says={table.due.says} /> <Clauses clauses={table.due.clause} />
            </dd>
          </div>
        )}
        <div class="fact-narrow">
          <dt>{say.dealer}</dt>
          <dd>{dealerOf(table)}</dd>
        </div>
        <div class="fact-narrow">
          <dt>{say.players}</dt>
          <dd>{say.playersCount(table.players)}</dd>
        </div>
        <div>
          <dt>{say.dice}</dt>
          <dd>
            <DiceOf table={table} />
          </dd>
        </div>
        <div>
          <dt>{say.worst}</dt>
          <dd class="worst">
            {table.worst_throw === null || table.worst_result === 0 ? (
              say.noRisk
            ) : (
              <>
                <Dice faces={facesOf(table.worst_throw)} size={20} />{" "}
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
      <div class="buttons">
        {table.automatic && <span class="tag">{say.automatic}</span>}
        {table.play_money && <span class="tag">{say.playMoney}</span>}
        <LinkButton href={address`/tables/${table.id}`} tone="quiet">
          {say.toTable}
        </LinkButton>
        <LinkButton href={address`/tables/${table.id}/board`} tone="quiet">
          {say.board}
        </LinkButton>
      </div>
    </>
  );
}

function DiceOf({ table }: { table: FloorTable }) {
  const say = floorWords();
  if (table.automatic) return <>{say.noDiceHere}</>;
  if (table.dice === null && table.game === "craps") return <>{say.shooters}</>;
  return <DiceLife dice={table.dice} />;
}

/** At craps several people deal together, and none of them takes over the table. */
export function dealerOf(table: FloorTable): string {
  const say = floorWords();
  if (table.automatic) return say.automatic;
  return table.dealer ?? (table.game === "craps" && table.staffed ? say.theCrew : say.nobody);
}

/** A throw as the server writes it: 1-2-6. */
export function facesOf(thrown: string): number[] {
  return thrown.split("-").map(Number);
}
